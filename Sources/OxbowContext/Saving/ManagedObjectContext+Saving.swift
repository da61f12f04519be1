public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Whether there are unsaved changes, those of transient attributes included; off the owner
  /// false, and the use is reported.
  public var hasChanges: Bool {
    guard isOwned("hasChanges") else { return false }
    return !unsaved.isEmpty
  }

  /// Writes all changes in one transaction.
  ///
  /// The hooks of the changed objects run; the objects are checked against the rules of the model
  /// and of their classes; the changes become a ``ChangeSet``; the store writes it as a whole; then
  /// the objects take over what was written.
  ///
  /// - Throws: ``PersistenceError``: `validation` with all rules that objects break and all
  ///   deletions that are denied (``OxbowModel/PersistenceError/validationFailures``),
  ///   `unsettledHooks`, `conflict` when another context saved an object first,
  ///   `storeWasMigrated`, why the store could not be written, and any error that a getter has
  ///   recorded before. A getter that returned a stand-in makes every save throw its error until
  ///   the object is refreshed or all is rolled back, because the stand-in may have become the
  ///   value of something else. Nothing was written then, and the context still has all its
  ///   changes.
  /// - Complexity: O(changed objects), one transaction.
  public func save() throws(PersistenceError) {
    try begin("save")
    if !standIns.isEmpty { try refuseStandIns() }
    guard !unsaved.isEmpty else { return forgetWithdrawnChanges() }
    if hooks.all.contains(.willSave) { try runWillSave() }
    var changes = try checkedChanges()
    var derived: [DerivedValue] = []
    mergedConflicts = []
    do throws(PersistenceError) {
      if !changes.isEmpty { derived = try coordinator.store.save(changes) {} }
    } catch {
      (changes, derived) = try resolve(error, changes)
    }
    let saved = hooks.all.contains(.didSave) ? objectsToTell() : []
    takeOver(changes)
    if !derived.isEmpty { takeOver(derived) }
    if hasGrown { sweep() }
    if coordinator.hasSubscribers {
      coordinator.announce(changes, derived, by: name, except: news?.subscription)
    }
    if !saved.isEmpty { runDidSave(saved) }
  }

  /// Changes that were all taken back are nothing to save, and nothing to report.
  private func forgetWithdrawnChanges() {
    if token.unsavedWork.isPresent { forgetChanges() }
  }

  /// Forgets all changes: new objects are gone, changed and deleted ones are as in the store again.
  ///
  /// Objects that a save has reported as in conflict are read anew with their next access.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, or `insideHook`.
  public func rollback() throws(PersistenceError) {
    try requireOwner("rollback")
    pendingFault = nil
    for object in unsaved.inserted { expel(object) }
    for object in unsaved.updated { object.revert() }
    for object in unsaved.deleted { object.revert() }
    for reference in Array(overtaken.keys) {
      if let object = registered(reference) { adoptOvertaking(at: object) }
    }
    for id in conflicted {
      guard let object = registeredObject(for: id) else { continue }
      faultErrors[object.reference] = nil
      object.becomeFault(model, owner: token)
    }
    forgetChanges()
  }

  /// Forgets all objects and all changes.
  ///
  /// Objects that were fetched before keep the attribute values that they had, and belong to no
  /// context: reading anything else of them, and changing them, is refused
  /// (``ManagedObject/faultError``).
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, or `insideHook`.
  public func reset() throws(PersistenceError) {
    try requireOwner("reset")
    renewToken()
    forgetChanges()
    faultErrors = [:]
    pendingFault = nil
    singleRows = nil
    watched = model.oneToOnes
    overtaken = [:]
    for map in maps { map.removeAll() }
  }
}
