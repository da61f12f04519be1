internal import OxbowModel

/// A unit of work of a context: until it ends, `save()` marks the changes and `rollback()` ends it.
final class ContextTransaction {
  /// Whether it must not leave changes behind.
  let isReadOnly: Bool

  /// The unsaved changes before it, or `nil`.
  let before: GraphMemento?

  /// What was recorded for an undo before it.
  private let recorded: UndoLog.Mark?

  /// The number of running calls that have joined it.
  var joinedCalls = 0

  /// The first error of a call that had joined it: nothing will be saved.
  private(set) var failure: (any Error)?

  /// Whether the outermost call itself has rolled it back.
  private(set) var isRolledBack = false

  /// Whether `save()` was called in it, so that no call may silently forget changes.
  var hasMarkedChanges = false

  /// The edits of objects at the last `willSave()`, so that it is not called again for the same
  /// ones.
  var asked: [ManagedObject: UnsavedEdits] = [:]

  init(of context: ManagedObjectContext, isReadOnly: Bool) {
    self.isReadOnly = isReadOnly
    context.undoLog?.closeImplicitGroup()
    before = context.unsaved.isEmpty ? nil : GraphMemento(ofUnsavedIn: context)
    recorded = context.undoLog?.mark()
  }

  /// Notes the error of a call that had joined.
  func fail(_ error: any Error) { failure = failure ?? error }

  func noteRollback() {
    hasMarkedChanges = false
    if joinedCalls > 0 { fail(PersistenceError.rolledBackInside) } else { isRolledBack = true }
  }

  /// Whether its calls have changed something.
  func hasChanged(_ context: ManagedObjectContext) -> Bool {
    before.map { $0.isChanged(context) } ?? !context.unsaved.isEmpty
  }

  /// Restores the unsaved changes before it, and what could be undone, after a rollback.
  func restoreBefore(_ context: ManagedObjectContext) {
    before?.restore(context)
    if let recorded { context.undoLog?.restore(recorded) }
  }

  /// Throws if its calls have changed something that can no longer be saved.
  func requireSavable(_ context: ManagedObjectContext) throws(PersistenceError) {
    if let failure { throw .transactionFailed(failure) }
    guard isRolledBack || isReadOnly, hasChanged(context) else { return }
    throw isRolledBack ? .rolledBackBefore : .changedInReadOnlyTransaction
  }
}

extension ManagedObjectContext {
  /// The running unit of work, or `nil`.
  var transaction: ContextTransaction? {
    get { work.transaction.map { unsafeDowncast($0, to: ContextTransaction.self) } }
    set { work.transaction = newValue }
  }

  /// Refuses to forget changes that `save()` was called for, or that existed before.
  func requireUnmarked(_ action: String, _ hasChanges: Bool) throws(PersistenceError) {
    guard let transaction, hasChanges, transaction.hasMarkedChanges || transaction.before != nil
    else { return }
    throw PersistenceError(
      .insideTransaction,
      "'\(action)' would forget changes of the context '\(name)' that save() was called for, or that "
        + "were there before: inside of a transactional call they are written when the outermost "
        + "call returns. Call it after that, or roll back")
  }
}

extension PersistenceError {
  fileprivate static func transactionFailed(_ error: any Error) -> PersistenceError {
    PersistenceError(
      .transactionFailed,
      "the transaction is rolled back, because a call that had joined it failed and its error was "
        + "caught: \(error). Let the error through, or give the call a transaction of its own "
        + "('.requiresNew')")
  }

  fileprivate static let rolledBackInside = PersistenceError(
    .transactionFailed, "a call that had joined the transaction called rollback()")

  fileprivate static let rolledBackBefore = PersistenceError(
    .transactionFailed,
    "rollback() has ended the transaction, and the changes after it are not saved; make them in a "
      + "call of its own ('.requiresNew'), or after this one")

  fileprivate static let changedInReadOnlyTransaction = PersistenceError(
    .readOnlyTransaction,
    "a call in a read-only transaction has changed objects, and the changes are rolled back; "
      + "leave the objects alone, or make the transaction '.required'")
}
