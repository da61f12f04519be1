internal import OxbowModel
internal import OxbowStore

// The values and links of an object, edits included. Whatever is not in memory is read from the
// store; errors are recorded.

extension ManagedObject {
  /// The context, if the caller may change the object, whose row was read then.
  final func writableContext(_ action: @autoclosure () -> String) -> ManagedObjectContext? {
    isWritable(action()) ? token.context : nil
  }

  /// Whether the caller may change the object, whose row was read then.
  ///
  /// Otherwise the error has been recorded.
  final func isWritable(_ action: @autoclosure () -> String) -> Bool {
    guard isOwned(action()) else { return false }
    // Most objects have no special state, and each edit asks this (docs/performance.md, M/insert).
    if !isOrphan && _state.isDisjoint(with: [.fault, .inaccessible]) { return true }
    return isOwnedByContext(action()) && isReadable(action())
  }

  /// Whether the object's row is in memory, read from the store if necessary.
  ///
  /// Otherwise the error has been recorded.
  final func isReadable(_ action: @autoclosure () -> String) -> Bool {
    guard isOwned(action()) else { return false }
    if _state.isDisjoint(with: [.fault, .inaccessible]) && !isWithoutRow { return true }
    guard isOwnedByContext(action()), let context = token.context else { return false }
    return context.fire(self, action())
  }

  /// Whether a property can be read without a context.
  final func isHeld(_ property: CompiledProperty) -> Bool {
    if isEdited(property) { return true }
    return property.slot < 0 || _state.isDisjoint(with: [.fault, .inaccessible]) && !isWithoutRow
  }

  /// Whether the slab has only the object's key, as for a new object.
  private final var isWithoutRow: Bool { _slab.isFault && !_state.contains(.inserted) }

  /// The attribute's value, edits included; also `nil` if it cannot be read.
  final func attributeValue(of property: CompiledProperty) -> AttributeValue? {
    guard isOwned("reading '\(property.name)'") else { return nil }
    if !_state.contains(.draft), let overlay {
      switch overlay[property.index] {
      case .attribute(let value): return value
      case .memory(let value): return value
      case .null: return nil
      case .increment(let by): return incrementedValue(of: property, by)
      default: break
      }
    }
    guard property.slot >= 0 else { return property.attribute?.defaultValue }
    guard isReadable("reading '\(property.name)'") else { return nil }
    if let value = _slab.storedValue(Int(_row), property) { return value }
    if let error = _slab.failure(Int(_row), property) {
      token.context?.faults.recordStandIn(error, for: self)
    }
    return nil
  }

  /// Whether the row has NaN for a decimal number.
  final func hasStoredNaN(_ property: CompiledProperty) -> Bool {
    property.attribute?.type == .decimal && !isEdited(property)
      && _slab.failure(Int(_row), property) != nil
  }

  /// The row's value plus an increment; an overflow, which only a newer row can cause, is recorded.
  private final func incrementedValue(
    of property: CompiledProperty, _ increment: AttributeValue
  ) -> AttributeValue? {
    switch sum(property, increment) {
    case .success(let value): return value
    case .failure(let error):
      token.context?.faults.recordStandIn(error, for: self)
      return nil
    }
  }

  final func relatedObject(of property: CompiledProperty) -> ManagedObject? {
    guard isOwned("reading '\(property.name)'"), isOwnedByContext("reading '\(property.name)'"),
      let context = token.context
    else { return nil }
    return context.toOne(self, property)
  }

  /// The key of a to-one relationship, edits included.
  final func destination(of property: CompiledProperty) -> ObjectReference? {
    if let links {
      switch links[property.index] {
      case .object(let reference): return reference
      case .null: return nil
      default: break
      }
    }
    guard property.slot >= 0, !_state.contains(.inserted),
      isReadable("reading '\(property.name)'")
    else { return nil }
    return storedReference(property)
  }

  /// The objects of a to-many relationship, in its order if it has one, otherwise by their keys.
  final func relatedObjects(of property: CompiledProperty) -> [ManagedObject] {
    heldObjects(of: property).map { $0.takeUnretainedValue() }
  }

  /// The same objects, which the context holds until its next call.
  final func heldObjects(
    of property: CompiledProperty
  ) -> ContiguousArray<Unmanaged<ManagedObject>> {
    guard isOwned("reading '\(property.name)'"), isOwnedByContext("reading '\(property.name)'"),
      let context = token.context, let members = context.members(of: property, self)
    else { return [] }
    return context.heldObjects(at: members)
  }

  final func objects(of property: CompiledProperty) -> [ManagedObject] {
    property.relationship?.isToMany == true
      ? relatedObjects(of: property) : relatedObject(of: property).map { [$0] } ?? []
  }
}
