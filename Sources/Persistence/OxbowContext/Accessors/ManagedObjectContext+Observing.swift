// Properties of objects as live values.

extension ManagedObjectContext {
  /// Whether reading a property inside of `withObservationTracking` reports its next change;
  /// `false` at first.
  ///
  /// ```swift
  /// context.isObservable = true
  /// withObservationTracking {
  ///   label.text = book.title
  /// } onChange: {
  ///   signal.send(id)   // not the object: it stays with its context
  /// }
  /// ```
  ///
  /// Every change is reported, wherever it comes from: setters, links from the other end,
  /// increments, undo and rollback, refreshing, and rows that a fetch, a merge or a save brings.
  /// Attributes and relationships are distinguished. `onChange` runs once, on the thread of the
  /// change, when the value is about to change or has just done so: it must not read it, but have
  /// it read later.
  ///
  /// What the context does not learn is not reported: saves of others that were not merged
  /// (``automaticallyMergesChangesFromParent``).
  ///
  /// Changes of an object are reported as long as the context has it: hold it, as views do. Objects
  /// of a context with this option take the long way for each read, noted or not; others pay
  /// nothing for it. Off the owner `false`, and the use is reported.
  public var isObservable: Bool {
    get { isOwned("isObservable") && observers != nil }
    set {
      guard isOwned("isObservable"), newValue != (observers != nil) else { return }
      if !newValue { noteAllChanged() }
      observers = newValue ? Observers() : nil
      stateOfObjects = newValue ? .observed : []
      for map in maps {
        map.forEach { object in
          if newValue { object._state.insert(.observed) } else { object._state.remove(.observed) }
        }
      }
    }
  }
}
