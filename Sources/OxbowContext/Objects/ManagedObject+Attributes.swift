internal import OxbowModel
public import OxbowStore

// What the accessors that `@Entity` writes call. `accessor` is the number of the property among those
// of its class, inherited ones first (`ModelObject._propertyNames`).

extension ManagedObject {
  /// Reads a required attribute.
  @inlinable public final func _value<V: AttributeConvertible>(_ accessor: Int) -> V {
    guard sign.pointee.isCurrent, _state.rawValue == 0 else {
      return _slowValue(accessor) ?? V.attributePlaceholder
    }
    let slab = _slab
    let row = Int(_row)
    return V._read(slab, row, slab._slot(row, accessor: accessor))
      ?? _slowValue(accessor) ?? V.attributePlaceholder
  }

  /// Reads an optional attribute.
  @inlinable public final func _optionalValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    guard sign.pointee.isCurrent, _state.rawValue == 0 else { return _slowValue(accessor) }
    let slab = _slab
    let row = Int(_row)
    let slot = slab._slot(row, accessor: accessor)
    if slot < 0 || slab._isNull(row, slot) { return nil }
    return V._read(slab, row, slot) ?? _slowValue(accessor)
  }

  /// Reads a required attribute that is kept in memory only.
  public final func _transientValue<V: AttributeConvertible>(_ accessor: Int) -> V {
    _slowValue(accessor) ?? V.attributePlaceholder
  }

  /// Reads an attribute of an object with edits or without its row, and what the fast path could not.
  ///
  /// - Returns: The value, or `nil` for none; as well when there is an error, which was recorded then.
  @inline(never) public final func _slowValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    guard isOwned("reading", accessor) else { return nil }
    let property = property(accessor)
    guard let value = attributeValue(of: property) else { return nil }
    if let typed = V(attributeValue: value) { return typed }
    recordUnfit(value, of: property, as: V.self)
    return nil
  }

  /// Changes a required attribute.
  public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V) {
    guard isOwned("changing", accessor) else { return }
    setAttribute(propertyIndex(accessor), to: value.attributeValue)
  }

  /// Changes an optional attribute.
  public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V?) {
    guard isOwned("changing", accessor) else { return }
    setAttribute(propertyIndex(accessor), to: value?.attributeValue)
  }
}

extension ManagedObject {
  /// The attribute's value, edits included; `nil` as well when it cannot be read.
  final func attributeValue(of property: CompiledProperty) -> AttributeValue? {
    guard isOwned("reading '\(property.name)'") else { return nil }
    if let overlay {
      switch overlay[property.index] {
      case .value(let value): return value
      case .null: return nil
      default: break
      }
    }
    guard property.slot >= 0 else { return property.attribute?.defaultValue }
    guard isReadable("reading '\(property.name)'") else { return nil }
    return _slab.value(Int(_row), property)
  }

  /// Changes an attribute; the value of its row is no change.
  final func setAttribute(_ index: Int, to value: AttributeValue?) {
    if let overlay, isNewAndWritable { return edit(overlay, index, value) }
    guard isWritable("changing '\(entity.properties[index].name)'") else { return }
    let property = entity.properties[index]
    if let overlay {
      guard !overlay[index].hasAttribute(value) else { return }
    }
    if isStored(property, value) {
      guard let overlay, overlay[index].isEdit else { return }
      overlay[index] = .unchanged
      return forgetUpdateWithoutEdits()
    }
    edit(makeOverlay(), index, value)
  }

  /// Whether the object is new and the caller may change it: it has no row to compare with.
  ///
  /// The fast path of filling in new objects (suite M, insert), beside `isWritable`.
  private final var isNewAndWritable: Bool {
    _state.contains(.inserted) && _state.isDisjoint(with: [.fault, .inaccessible, .detached])
      && sign.pointee.isCurrent && sign.pointee.hasContext
  }

  private final func edit(_ overlay: Overlay, _ index: Int, _ value: AttributeValue?) {
    overlay[index] = value.map { .value($0) } ?? .null
    if !_state.contains(.updated) { token.context?.markUpdated(self) }
  }

  /// Whether the object's row has a value, byte for byte.
  private final func isStored(_ property: CompiledProperty, _ value: AttributeValue?) -> Bool {
    guard property.slot >= 0, !isInserted else { return false }
    return AttributeValue.areIdentical(_slab.value(Int(_row), property), value)
  }

  /// Drops an overlay that has nothing in it, so that reads take the short way again.
  final func dropOverlayIfEmpty() {
    guard let overlay, !(0..<overlay.count).contains(where: { !overlay[$0].isUnchanged }) else {
      return
    }
    self.overlay = nil
    _state.remove(.overlaid)
  }

  final func makeOverlay() -> Overlay {
    if let overlay { return overlay }
    let made = Overlay.unchanged(count: entity.properties.count)
    overlay = made
    _state.insert(.overlaid)
    return made
  }

  /// Keeps the error of a value that none of the property's Swift type stands for: a raw value that
  /// an enumeration does not have.
  private final func recordUnfit<V>(
    _ value: AttributeValue, of property: CompiledProperty, as type: V.Type
  ) {
    let error = PersistenceError.unfit(value, of: property, as: type, self)
    guard let context = token.context, !isOrphan else { return token.refuse(reference, error) }
    context.record(error)
    context.faultErrors[reference] = error
  }
}

extension PersistenceError {
  /// A value that none of a Swift type stands for.
  static func unfit<V>(
    _ value: AttributeValue, of property: CompiledProperty, as type: V.Type, _ object: ManagedObject
  ) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "'\(property.name)' of '\(object)' is \(value), which is no value of '\(type)'; correct the "
        + "row in the store, or add the case to '\(type)'", objectIDs: [object.objectID])
  }
}
