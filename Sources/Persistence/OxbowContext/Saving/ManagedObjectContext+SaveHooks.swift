internal import OxbowModel
internal import OxbowStore

// The hooks of a save.

extension ManagedObjectContext {
  /// Asks the objects that the save writes, and asks again those that a hook has changed since.
  ///
  /// - Parameter asked: The objects that need not be asked unless they have changed.
  /// - Throws: ``PersistenceError``: `unsettledHooks` with the objects that were changed in every
  ///   round, and what a hook has recorded.
  func runWillSave(
    _ asked: inout [ManagedObject: UnsavedEdits]
  ) throws(PersistenceError) {
    for _ in 0..<Self.hookRounds {
      let changed = unsaved.objects.filter { object in
        hooks.has(.willSave, object.entityIndex) && asked[object] != UnsavedEdits(of: object)
      }
      if changed.isEmpty { return try throwPendingFault() }
      // An object may be gone, or as in the store again, by what the one before has done.
      for object in changed where !object._state.isDisjoint(with: .changed) {
        asked[object] = UnsavedEdits(of: object)
        running("willSave()") { (object as? any WillSaveHook)?.willSave() }
      }
    }
    throw unsettled(asked.keys.filter { asked[$0] != UnsavedEdits(of: $0) })
  }

  private func unsettled(_ objects: [ManagedObject]) -> PersistenceError {
    let objects = objects.sorted { $0.reference.precedes($1.reference) }
    return PersistenceError(
      .unsettledHooks,
      "nothing was saved: after \(Self.hookRounds) rounds of willSave() there were still changes of "
        + PersistenceError.listed(objects.map(\.description))
        + "; set a value in willSave() only where it differs from the one that is there",
      objectIDs: objects.map(\.objectID))
  }

  /// The objects that are to be notified of the save, held until then.
  func objectsToTell() -> [ManagedObject] {
    unsaved.objects.filter { hooks.has(.didSave, $0.entityIndex) }
  }

  /// Tells objects that they were saved.
  func runDidSave(_ objects: [ManagedObject]) {
    for object in objects {
      running("didSave()") { (object as? any DidSaveHook)?.didSave() }
    }
  }
}
