internal import OxbowModel
internal import OxbowStore

// The overlay of an object: edits and loaded collections. Nothing here reads the store.

extension ManagedObject {
  /// Edits and loaded collections, kept with the object's row; asking for them ends a draft.
  final var overlay: Overlay? {
    get {
      if _state.contains(.draft) { endDraft() }
      return links
    }
    set {
      _state.remove(.draft)
      links = newValue
    }
  }

  /// The version of a new object's row: one that the row never had, if the object was in the store
  /// before.
  final var insertionVersion: Int64 {
    version == 0 ? RowVersion.first : RowVersion.again(after: version)
  }

  /// Whether a deletion that was saved was taken back, so that the next save inserts the object
  /// again.
  final var isReturning: Bool { _state.contains(.inserted) && version != 0 }

  final func makeOverlay() -> Overlay {
    if let overlay { return overlay }
    let made = Overlay.unchanged(count: entity.properties.count)
    overlay = made
    return made
  }

  final func collection(_ property: CompiledProperty) -> CollectionState? {
    links?.collection(at: property.index)
  }

  final func loadedMembers(of property: CompiledProperty) -> MemberList? {
    collection(property)?.members
  }

  final func updateCollection(
    _ property: CompiledProperty, _ change: (inout CollectionState) -> Void
  ) {
    guard _state.contains(.observed) else {
      return makeLinks().updateCollection(property.index, change)
    }
    let before = loadedMembers(of: property)
    makeLinks().updateCollection(property.index, change)
    noteObservableChange(of: property, from: before)
  }

  /// Changes the state of a to-many relationship with regard to one member; the lists are neither
  /// copied nor compared.
  final func updateCollection(
    _ property: CompiledProperty, about member: ObjectReference,
    _ change: (inout CollectionState) -> Void
  ) {
    let isObserved = _state.contains(.observed)
    let before = isObserved ? loadedMembers(of: property)?.contains(member) : nil
    makeLinks().updateCollection(property.index, change)
    guard let before, loadedMembers(of: property)?.contains(member) != before else { return }
    noteObservableChange(property.index)
  }

  final func isEdited(_ property: CompiledProperty) -> Bool {
    if _state.contains(.draft), property.relationship == nil { return true }
    if links?.isEdit(at: property.index) == true { return true }
    return property.isComposite && parts(of: property).contains { isEdited($0.1) }
  }

  /// The value of an attribute, edits included, or `nil` if the object's row was not read.
  final func valueInMemory(of property: CompiledProperty) -> AttributeValue?? {
    switch _state.contains(.draft) ? nil : overlay?[property.index] {
    case .attribute(let value): return .some(value)
    case .memory(let value): return .some(value)
    case .null: return .some(nil)
    case .increment(let by): return .some(try? sum(property, by).get())
    default: break
    }
    guard property.slot >= 0 else { return .some(property.attribute?.defaultValue) }
    return _slab.isFault ? nil : .some(_slab.storedValue(Int(_row), property))
  }

  final func increment(of property: CompiledProperty) -> AttributeValue? {
    overlay?[property.index].increment
  }

  /// The sum of the row's value and an increment, or `nil` if the row has no value.
  final func sum(
    _ property: CompiledProperty, _ increment: AttributeValue
  ) -> Result<AttributeValue?, PersistenceError> {
    guard let attribute = property.attribute,
      let value = _slab.storedValue(Int(_row), property)
    else { return .success(nil) }
    guard let sum = value.adding(increment, as: attribute.type) else {
      return .failure(.incrementOverflow(attribute, of: objectID, value, by: increment))
    }
    return .success(sum)
  }

  /// Whether increments are all that would be saved, so that a newer row can replace the one that
  /// they are added to.
  final var hasOnlyIncrements: Bool {
    _state.intersection(.changed) == .updated && overlay?.hasOnlyIncrements == true
  }

  /// Whether an end leads to an object; also `true` if the end was not read.
  final func mayLead(_ property: CompiledProperty, to reference: ObjectReference) -> Bool {
    if let known = links?.mayLead(property.index, to: reference) { return known }
    return property.slot < 0 || _state.contains(.fault)
      || storedReference(property) == reference
  }

  /// The key of a to-one relationship in the object's row.
  final func storedReference(_ property: CompiledProperty) -> ObjectReference? {
    _slab.reference(Int(_row), property)
  }

  /// Changes the key of a to-one end; a key that is as in the row is not an edit.
  final func setKey(_ property: CompiledProperty, _ reference: ObjectReference?) {
    if _state.contains(.observed), keyInMemory(of: property) != reference {
      noteObservableChange(property.index)
    }
    let overlay = makeLinks()
    // A link of the row that the other end denies becomes an edit, so that the versions are
    // checked.
    let isAsStored =
      !_state.contains(.inserted) && overlay.isEdit(at: property.index)
      && storedReference(property) == reference
    overlay[property.index] =
      isAsStored ? .unchanged : reference.map { .object($0) } ?? .null
  }

  /// The key of a to-one end, edits included, or `nil` if it was not read.
  private final func keyInMemory(of property: CompiledProperty) -> ObjectReference? {
    switch links?[property.index] {
    case .object(let reference): reference
    case .null: nil
    default: _slab.isFault ? nil : storedReference(property)
    }
  }

  /// Makes a key an edit, even if it is as in the row.
  final func insistOnKey(_ property: CompiledProperty, _ reference: ObjectReference?) {
    makeLinks()[property.index] = reference.map { .object($0) } ?? .null
  }

  /// Takes an object whose edits were all taken back for unchanged.
  final func forgetUpdateWithoutEdits() {
    guard _state.contains(.updated), !_state.contains(.inserted), let overlay, !overlay.hasEdits
    else { return }
    _state.remove(.updated)
    // Without an overlay, reads take the short way again.
    if overlay.isEmpty { self.overlay = nil }
  }

  /// Forgets the edits of an object, and keeps loaded collections and transient values.
  final func forgetEdits(_ overlay: Overlay) {
    guard entity.hasMemory else {
      self.overlay = nil
      return
    }
    var isNeeded = false
    for index in 0..<overlay.count {
      if overlay.collection(at: index)?.members != nil {
        overlay.updateCollection(index) { $0.forgetChanges() }
        isNeeded = true
      } else if let attribute = entity.properties[index].transientAttribute {
        overlay[index] = overlay[index].withoutEdit(default: attribute.defaultValue)
        isNeeded = isNeeded || !overlay[index].isUnchanged
      } else {
        overlay[index] = .unchanged
      }
    }
    if !isNeeded { self.overlay = nil }
  }

  /// Takes back all edits.
  ///
  /// Collections are read again with their next access. Transient attributes keep values that were
  /// not edits.
  final func revert() {
    if _state.contains(.observed), let overlay {
      for index in 0..<overlay.count
      where overlay.isEdit(at: index) || overlay.collection(at: index)?.members != nil {
        noteObservableChange(index)
      }
    }
    overlay = overlay.flatMap { entity.hasMemory ? $0.memory : nil }
    _state.subtract([.updated, .deleted])
  }
}

extension CompiledProperty {
  fileprivate var transientAttribute: AttributeDescription? { slot < 0 ? attribute : nil }
}

extension Overlay {
  /// An overlay with the transient values that are not edits, or `nil` if there are none.
  fileprivate var memory: Overlay? {
    let cells = (0..<count).map { self[$0].isMemory ? self[$0] : .unchanged }
    return cells.contains { $0.isMemory } ? .copying(ContiguousArray(cells)) : nil
  }
}

extension Overlay {
  /// The value of a property in the next row.
  func written(
    _ property: CompiledProperty, of object: ManagedObject
  ) -> RowWriter.Cell {
    let cell = self[property.index]
    guard let increment = cell.increment else { return cell.written }
    guard case .success(let value?) = object.sum(property, increment) else { return .unchanged }
    return .attribute(value)
  }
}
