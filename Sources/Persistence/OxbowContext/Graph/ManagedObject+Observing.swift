internal import OxbowModel
internal import OxbowStore

// What is told to those who wait for changes. Objects of a context that is not observable lack the
// state bit, which every function here asks first.

extension ManagedObject {
  /// Who waits, if the context is observable.
  private final var observers: Observers? {
    _state.contains(.observed) ? token.context?.audience.observers : nil
  }

  /// Notes that a property was read by the program.
  final func noteAccess(_ property: CompiledProperty) {
    guard _state.contains(.observed) else { return }
    observers?.noteAccess(reference, property.index)
  }

  /// Tells that a property is about to change, or has.
  final func noteObservableChange(_ index: Int) {
    guard _state.contains(.observed) else { return }
    observers?.noteChange(reference, index)
  }

  /// Tells that all properties may be others from now on.
  final func noteObservableChange() {
    guard let observers, observers.hasRegistrar(reference) else { return }
    for property in entity.properties { observers.noteChange(reference, property.index) }
  }

  /// Tells which values are others in a row that takes the place of the object's; no one has seen
  /// those of a fault.
  final func noteObservableChanges(in slab: RowSlab, _ row: Int) {
    guard let observers, !_slab.isFault, !slab.isFault, observers.hasRegistrar(reference) else {
      return
    }
    for property in entity.properties where property.slot >= 0 {
      // An edit hides the row, but for what is added to it.
      let isHidden = isEdited(property) && increment(of: property) == nil
      guard !isHidden, !_slab.hasSame(property, Int(_row), as: slab, row) else { continue }
      observers.noteChange(reference, property.index)
    }
  }

  /// Tells that the members of a collection are others than `before`; no one has seen those that
  /// were not read.
  final func noteObservableChange(of property: CompiledProperty, from before: MemberList?) {
    guard let before else { return }
    if let members = loadedMembers(of: property), members.elementsEqual(before) { return }
    noteObservableChange(property.index)
  }
}

extension RowSlab {
  /// Whether a row has the same value or key as a row of another slab.
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
  /// Tells those who wait for collections that an object disappears from them, or comes back: what
  /// is to be deleted is hidden, and stays in the lists.
  func noteVisibility(of reference: ObjectReference) {
    guard let observers = audience.observers else { return }
    for owner in observers.references {
      guard let object = registered(owner), object.links != nil else { continue }
      for property in object.entity.relationships
      where object.loadedMembers(of: property)?.contains(reference) == true {
        object.noteObservableChange(property.index)
      }
    }
  }

  /// Tells everybody that everything may be another from now on.
  func noteAllChanged() {
    guard let observers = audience.observers else { return }
    for reference in observers.references { registered(reference)?.noteObservableChange() }
  }

  /// Forgets who waited for objects that were dropped.
  func forgetObservers() {
    audience.observers?.forget { registered($0) == nil }
  }
}
