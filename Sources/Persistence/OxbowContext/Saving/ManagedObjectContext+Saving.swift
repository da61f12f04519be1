public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Whether there are unsaved changes, also of transient attributes; false off the owner, where
  /// the use is reported.
  public var hasChanges: Bool {
    guard isOwned("hasChanges") else { return false }
    return !unsaved.isEmpty
  }

  /// Writes all changes in one transaction.
  ///
  /// Inside a transactional call (`Transactional`) it does everything but write: hooks run and
  /// rules are checked; the outermost call writes when it returns, and takes back what was saved
  /// inside when it throws. Until then objects have unsaved changes, and only the outermost call
  /// finds what the store knows: conflicts, taken values, derived values.
  ///
  /// The hooks of the changed objects run; the objects are checked against the rules of the model
  /// and of their classes; the changes become a ``ChangeSet``; the store writes it as a whole; then
  /// the objects take over what was written.
  ///
  /// - Throws: ``PersistenceError``: `validation` with all broken rules and denied deletions
  ///   (``OxbowModel/PersistenceError/validationFailures``), `unsettledHooks`, `conflict` when
  ///   another context saved an object first, `conditionFailed` and `overflow` for changes that the
  ///   store applies, `storeWasMigrated`, why the store could not be written, and any recorded
  ///   error of a getter; inside a transactional call `transactionFailed` after a failure or a
  ///   rollback, and `readOnlyTransaction`. After a getter has returned a stand-in, every save
  ///   throws its error until the object is refreshed or everything is rolled back, because the
  ///   stand-in may have become the value of something else. Nothing was written then, and the
  ///   context still has all its changes.
  /// - Complexity: O(changed objects), one transaction.
  public func save() throws(PersistenceError) {
    try begin("save")
    if let transaction { return try markChanges(transaction) }
    try write()
  }

  /// Writes all changes, including those of a unit of work that has ended.
  ///
  /// - Parameter asked: The edits of objects at their last `willSave()`.
  /// - Throws: ``PersistenceError`` as ``save()``.
  func write(asked: [ManagedObject: UnsavedEdits] = [:]) throws(PersistenceError) {
    try uncancelled { () throws(PersistenceError) in try writeChanges(asked) }
  }

  private func writeChanges(
    _ asked: [ManagedObject: UnsavedEdits]
  ) throws(PersistenceError) {
    if !faults.standIns.isEmpty { try refuseStandIns() }
    guard !unsaved.isEmpty else { return forgetWithdrawnChanges() }
    var asked = asked
    if audience.subscribers != nil { try tellOfSave() }
    if hooks.all.contains(.willSave) { try runWillSave(&asked) }
    var changes = try checkedChanges()
    undoLog?.closeImplicitGroup()
    var result = SaveResult()
    merging.conflicts = []
    do throws(PersistenceError) {
      if !changes.isEmpty { result = try store.save(changes) }
    } catch {
      forgetTakenKeys(after: error)
      // What of it is in the store is not known here.
      if [.partlySaved, .commitUnknown].contains(error.code) { coordinator.announceUnknown() }
      var merge = SaveMerge(in: self)
      (changes, result) = try withoutRecording { () throws(PersistenceError) in
        try merge.resolve(error, changes)
      }
    }
    work.note(result.historyToken)
    let saved = hooks.all.contains(.didSave) ? objectsToTell() : []
    audience.subscribers?.forget()
    takeOver(changes, result.found)
    if !result.derived.isEmpty { takeOver(result.derived) }
    if !result.raised.isEmpty { takeOver(result.raised) }
    if !store.keepsReservedKeys { coordinator.forgetReservedKeys() }
    if hasGrown { sweep() }
    if parent == nil, coordinator.hasSubscribers {
      coordinator.announce(
        changes, result, by: name, at: result.historyToken,
        except: relatives.news?.subscription)
    }
    tellRelatives(changes)
    if !saved.isEmpty { runDidSave(saved) }
  }

  /// Takes the next keys from the store again if a new object had one that a row has, for the other
  /// program may have taken more of those that were reserved.
  private func forgetTakenKeys(after error: PersistenceError) {
    guard error.code == .conflict,
      error.objectIDs.contains(where: { registeredObject(for: $0)?.isInserted == true })
    else { return }
    coordinator.forgetReservedKeys()
  }

  /// Runs a change of the store: cancellation of the task stops neither its reads nor, after it has
  /// succeeded, those that follow.
  func uncancelled<R>(_ change: () throws(PersistenceError) -> R) throws(PersistenceError) -> R {
    let cancellation = ReadCancellation.current
    cancellation?.shield()
    do throws(PersistenceError) { return try change() } catch {
      cancellation?.unshield()
      throw error
    }
  }

  /// Notifies the parent's other children of a save, this one of further effects of the parent's
  /// delete rules, and its own children, which may have seen changes that were taken back since.
  private func tellRelatives(_ changes: ChangeSet) {
    parent?.tellChildren(besides: changes.deletes.isEmpty ? self : nil)
    tellChildren()
  }

  /// Checks the objects of a save against all rules; `merge` is the result of a merge, if there was
  /// one.
  ///
  /// - Returns: The changes as the store takes them.
  /// - Throws: ``PersistenceError`` with code `validation` and every broken rule; why the members
  ///   of a changed relationship, which a rule counts, could not be read.
  func checkedChanges(
    _ merge: SaveMerge? = nil
  ) throws(PersistenceError) -> ChangeSet {
    try checkRules()
    var builder = ChangeSetBuilder(merge ?? SaveMerge(in: self))
    return builder.build()
  }

  /// Checks the changes against the rules of the model, delete rules included, and of the classes.
  func checkRules() throws(PersistenceError) {
    // Searched again: objects may have been met since the last search.
    if !inverses.deletedTargets.isEmpty { removeLinksToDeleted() }
    var problems: [PersistenceError] = []
    for object in unsaved.inserted where !object.hasPlainValues {
      problems += try violations(of: object)
    }
    for object in unsaved.updated { problems += try violations(of: object) }
    for object in unsaved.deleted where !deletionPlan(of: object).denying.isEmpty {
      problems += try denials(of: object)
    }
    if hooks.all.contains(.validation) { problems += try violationsOfClassRules() }
    guard problems.isEmpty else {
      throw .collecting(
        .validation, "nothing was saved: \(problems.count) rules of the model are broken", problems)
    }
  }

  /// Forgets changes that were all taken back.
  private func forgetWithdrawnChanges() {
    guard token.unsavedWork.isPresent else { return }
    forgetChanges()
    tellChildren()
  }

  /// Forgets all changes: new objects are gone, changed and deleted ones are as in the store again.
  ///
  /// Objects that a save has reported as in conflict are read again with their next access.
  ///
  /// Inside a transactional call it ends the transaction: everything so far is taken back, and
  /// nothing after it is saved. The outermost call may do so and return; after a joined call has
  /// done so, the outermost one throws `transactionFailed`.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, or `insideHook`.
  public func rollback() throws(PersistenceError) {
    try requireOwner("rollback")
    transaction?.noteRollback()
    takeBackChanges()
    transaction?.restoreBefore(self)
    tellChildren()
  }

  private func takeBackChanges() {
    faults.pending = nil
    undoLog?.removeAll()
    for object in unsaved.inserted { expel(object) }
    for object in unsaved.updated { object.revert() }
    let deleted = Array(unsaved.deleted)
    for object in deleted { object.revert() }
    noteVisibility(of: deleted)
    for reference in Array(inverses.overtaken.keys) {
      if let object = registered(reference) { adoptOvertaking(at: object) }
    }
    for id in unsaved.conflicted {
      guard let object = registeredObject(for: id) else { continue }
      faults.errors[object.reference] = nil
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
  /// - Throws: ``PersistenceError``: `wrongOwner`, or `insideHook`; `insideTransaction` if it would
  ///   forget changes that a transactional call will save.
  public func reset() throws(PersistenceError) {
    try requireOwner("reset")
    // Unsaved changes before a transaction come back when it fails, and need its token.
    try requireUnmarked("reset", !unsaved.isEmpty || transaction?.before != nil)
    undoLog?.removeAll()
    noteAllChanged()
    audience.reset()
    renewToken()
    forgetChanges()
    inverses.reset()
    faults.reset()
    drafts.reset()
    identity.reset()
    tellChildren()
  }
}

// MARK: - Hooks

extension ManagedObjectContext {
  /// Calls the hook of the objects that the save writes, and again if a hook has changed them
  /// since.
  ///
  /// - Parameter asked: The edits of objects that need not be asked again.
  /// - Throws: ``PersistenceError``: `unsettledHooks` with the objects that changed in every round,
  ///   and what a hook has recorded.
  func runWillSave(
    _ asked: inout [ManagedObject: UnsavedEdits]
  ) throws(PersistenceError) {
    for _ in 0..<RunningHook.rounds {
      let changed = unsaved.objects.filter { object in
        hooks.has(.willSave, object.entityIndex) && asked[object] != UnsavedEdits(of: object)
      }
      if changed.isEmpty { return try throwPendingFault() }
      // An earlier hook may have deleted an object or taken its changes back.
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
      "nothing was saved: after \(RunningHook.rounds) rounds of willSave() there were still changes of "
        + PersistenceError.listed(objects.map(\.description))
        + "; set a value in willSave() only where it differs from the one that is there",
      objectIDs: objects.map(\.objectID))
  }

  /// The objects with a hook for the end of the save, held until then.
  func objectsToTell() -> [ManagedObject] {
    unsaved.objects.filter { hooks.has(.didSave, $0.entityIndex) }
  }

  func runDidSave(_ objects: [ManagedObject]) {
    for object in objects {
      running("didSave()") { (object as? any DidSaveHook)?.didSave() }
    }
  }
}
