internal import OxbowModel

// Units of work around calls. While one runs, `save()` checks the changes and leaves them to it, so
// that a later failure takes all of them back.

extension ManagedObjectContext {
  package var isInTransaction: Bool { transaction != nil }

  /// Runs a call as a unit of work.
  ///
  /// The changes of the call are saved when it returns, and rolled back when it throws. A call
  /// inside another one joins its unit of work. Changes that were unsaved before the outermost call
  /// are saved with it, and stay unsaved if nothing is saved.
  ///
  /// - Throws: What `body` and the save throw; `transactionFailed` if nothing could be saved
  ///   because a joined call has failed or rolled back; `readOnlyTransaction`.
  /// - Complexity: That of the save, and O(registered objects) if there were unsaved changes before
  ///   and the call throws.
  package func withTransaction(readOnly: Bool, _ body: () throws -> Void) throws {
    let isOutermost = try enterTransaction(readOnly: readOnly)
    do { try body() } catch {
      try leaveTransaction(isOutermost, after: error)
      throw error
    }
    try leaveTransaction(isOutermost)
  }

  /// Runs an async call as ``withTransaction(readOnly:_:)-(_,()->Void)`` runs others.
  ///
  /// The context must be that of the task, so that no other task uses it at an `await`.
  nonisolated(nonsending) package func withTransaction(
    readOnly: Bool, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let isOutermost = try enterTransaction(readOnly: readOnly)
    do { try await body() } catch {
      try leaveTransaction(isOutermost, after: error)
      throw error
    }
    try leaveTransaction(isOutermost)
  }

  /// Begins a unit of work, or joins the running one.
  ///
  /// - Returns: Whether it has begun one.
  private func enterTransaction(readOnly: Bool) throws(PersistenceError) -> Bool {
    if let transaction {
      transaction.joinedCalls += 1
      return false
    }
    try begin("a transaction")
    work.lookups = []
    transaction = ContextTransaction(of: self, isReadOnly: readOnly)
    return true
  }

  /// After a call that has returned.
  private func leaveTransaction(_ isOutermost: Bool) throws {
    guard isOutermost else {
      transaction?.joinedCalls -= 1
      return
    }
    do throws(PersistenceError) { try commit() } catch {
      try rollBackTransaction(after: error)
      throw error
    }
  }

  /// After a call that has thrown.
  private func leaveTransaction(_ isOutermost: Bool, after error: any Error) throws {
    if isOutermost { return try rollBackTransaction(after: error) }
    transaction?.joinedCalls -= 1
    transaction?.fail(error)
  }

  private func commit() throws(PersistenceError) {
    guard let transaction else { return }
    try begin("the end of a transaction")
    try transaction.requireSavable(self)
    guard !transaction.isReadOnly, !transaction.isRolledBack else {
      return self.transaction = nil
    }
    try write(asked: transaction.asked)
    self.transaction = nil
  }

  private func rollBackTransaction(after error: any Error) throws(PersistenceError) {
    let ended = transaction
    transaction = nil
    try rollback()
    // After a save that was, or may have been, written in part, it is unknown what is unsaved.
    let code = (error as? PersistenceError)?.code
    guard code != .partlySaved, code != .commitUnknown else { return }
    ended?.restoreBefore(self)
    tellChildren()
  }

  /// Does everything but writing, for `save()` in a unit of work.
  func markChanges(_ transaction: ContextTransaction) throws(PersistenceError) {
    try transaction.requireSavable(self)
    if !faults.standIns.isEmpty { try refuseStandIns() }
    guard !unsaved.isEmpty else { return }
    if hooks.all.contains(.willSave) { try runWillSave(&transaction.asked) }
    try checkRules()
    undoLog?.closeImplicitGroup()
    transaction.hasMarkedChanges = true
  }

  /// Refuses an action that writes at once, and could not be taken back with the rest.
  func requireNoTransaction(_ action: String) throws(PersistenceError) {
    guard transaction != nil else { return }
    throw PersistenceError(
      .insideTransaction,
      "'\(action)' was called inside of a transactional call: it writes at once, and would stay when "
        + "the call fails. Call it outside, in a context of its own ('store.perform'), or change "
        + "objects instead")
  }
}
