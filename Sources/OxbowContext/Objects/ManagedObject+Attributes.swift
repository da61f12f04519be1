internal import OxbowModel
public import OxbowStore

// What the accessors that `@Entity` writes call. `accessor` is the number of the property among those
// of its class, inherited ones first (`ModelObject._propertyNames`).

extension ManagedObject {
  /// Reads a required attribute.
  @inlinable public final func _value<V: AttributeConvertible>(_ accessor: Int) -> V {
    guard _state.rawValue == 0 else { return _slowValue(accessor) ?? V._standIn }
    let slab = _slab
    let row = Int(_row)
    return V._read(slab, row, slab._slot(row, accessor: accessor))
  }

  /// Reads an optional attribute.
  @inlinable public final func _optionalValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    guard _state.rawValue == 0 else { return _slowValue(accessor) }
    let slab = _slab
    let row = Int(_row)
    let slot = slab._slot(row, accessor: accessor)
    if slot < 0 || slab._isNull(row, slot) { return nil }
    return V._read(slab, row, slot)
  }

  /// Reads a required attribute that is kept in memory only.
  public final func _transientValue<V: AttributeConvertible>(_ accessor: Int) -> V {
    _slowValue(accessor) ?? V._standIn
  }

  /// Reads an attribute of an object with edits or without its row.
  public final func _slowValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    attributeValue(of: property(accessor)).flatMap { V(attributeValue: $0) }
  }

  /// Changes a required attribute.
  public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V) {
    setAttribute(propertyIndex(accessor), to: value.attributeValue)
  }

  /// Changes an optional attribute.
  public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V?) {
    setAttribute(propertyIndex(accessor), to: value?.attributeValue)
  }
}

extension ManagedObject {
  /// The property index of an accessor.
  final func propertyIndex(_ accessor: Int) -> Int {
    let table = _slab.schema.slotTable
    return Int(table.properties[Int(table.starts[entityIndex]) + accessor])
  }

  /// The attribute's value, edits included; `nil` as well when the row cannot be read.
  final func attributeValue(of property: PropertySchema) -> AttributeValue? {
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
    guard isReadable("changing an attribute") else { return }
    let property = entity.properties[index]
    if let overlay {
      guard !overlay[index].hasAttribute(value) else { return }
    }
    if isStored(property, value) {
      guard let overlay, overlay[index].isEdit else { return }
      overlay[index] = .unchanged
      return forgetUpdateWithoutEdits()
    }
    makeOverlay()[index] = value.map { .value($0) } ?? .null
    if !_state.contains(.updated) { token.context?.markUpdated(self) }
  }

  /// Whether the object's row has a value, byte for byte.
  private final func isStored(_ property: PropertySchema, _ value: AttributeValue?) -> Bool {
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

  /// The context, if the caller may change the object; the object's row is there then.
  final func writableContext(_ action: @autoclosure () -> String) -> ManagedObjectContext? {
    guard isReadable(action()) else { return nil }
    return token.context
  }

  /// Whether the object's row is there, read from the store if it has to be.
  ///
  /// Otherwise the error has been recorded.
  final func isReadable(_ action: @autoclosure () -> String) -> Bool {
    guard token.check(action(), "the object '\(self)'") else { return false }
    if _state.isDisjoint(with: [.fault, .inaccessible]) { return true }
    guard let context = token.context else { return false }
    return context.fire(self, action())
  }
}
