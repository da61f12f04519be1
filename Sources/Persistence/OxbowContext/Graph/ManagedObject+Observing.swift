internal import OxbowModel
internal import OxbowStore

// What observers are notified of. Objects of a context that is not observable lack the state bit,
// which every function here checks first.

extension ManagedObject {
  private final var observers: Observers? {
    _state.contains(.observed) ? token.context?.audience.observers : nil
  }

  /// Notes that the program read a property.
  final func noteAccess(_ property: CompiledProperty) {
    guard _state.contains(.observed) else { return }
    observers?.noteAccess(reference, property.index)
  }

  /// Notes that a property is about to change, or has changed.
  final func noteObservableChange(_ index: Int) {
    guard _state.contains(.observed) else { return }
    observers?.noteChange(reference, index)
  }

  /// Notes that any property may have changed.
  final func noteObservableChange() {
    guard let observers, observers.hasRegistrar(reference) else { return }
    for property in entity.properties { observers.noteChange(reference, property.index) }
  }

  /// Notes which values differ in a row that replaces the object's; the values of a fault were
  /// never seen.
  final func noteObservableChanges(in slab: RowSlab, _ row: Int) {
    guard let observers, !_slab.isFault, !slab.isFault, observers.hasRegistrar(reference) else {
      return
    }
    for property in entity.properties where property.slot >= 0 {
      // An edit hides the row, unless it is an increment.
      let isHidden = isEdited(property) && increment(of: property) == nil
      guard !isHidden, !_slab.hasSame(property, Int(_row), as: slab, row) else { continue }
      observers.noteChange(reference, property.index)
    }
  }

  /// Notes that a collection differs from `before`, if that was read.
  final func noteObservableChange(of property: CompiledProperty, from before: MemberList?) {
    guard let before else { return }
    if let members = loadedMembers(of: property), members.elementsEqual(before) { return }
    noteObservableChange(property.index)
  }
}

extension RowSlab {
  fileprivate func hasSame(
    _ property: CompiledProperty, _ row: Int, as other: RowSlab, _ otherRow: Int
  ) -> Bool {
    property.relationship == nil
      ? AttributeValue.areIdentical(
        storedValue(row, property), other.storedValue(otherRow, property))
      : reference(row, property) == other.reference(otherRow, property)
  }
}

extension ManagedObjectContext {
  /// Notes that objects disappear from collections or come back: deleted objects are hidden, but
  /// stay in the lists.
  ///
  /// - Complexity: O(observed objects and objects), or less where a list is shorter.
  func noteVisibility(of objects: [ManagedObject]) {
    guard let observers = audience.observers, !objects.isEmpty else { return }
    let references = Set(objects.map(\.reference))
    func hasAny(_ members: MemberList) -> Bool {
      references.count < members.count
        ? references.contains { members.contains($0) }
        : members.contains { references.contains($0) }
    }
    for owner in observers.references {
      guard let object = registered(owner), object.links != nil else { continue }
      for property in object.entity.relationships
      where object.loadedMembers(of: property).map(hasAny) == true {
        object.noteObservableChange(property.index)
      }
    }
  }

  /// Notes that everything may have changed.
  func noteAllChanged() {
    guard let observers = audience.observers else { return }
    for reference in observers.references { registered(reference)?.noteObservableChange() }
  }

  func forgetObservers() {
    audience.observers?.forget { registered($0) == nil }
  }
}
