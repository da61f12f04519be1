internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational

/// The time for which a database is lent: one transaction, in which all others are savepoints, and
/// which is rolled back in the end.
///
/// The stores that are opened meanwhile belong to it, and throw `storeClosed` when it is over.
final class StoreScope: Sendable {
  /// The identifier that the store has meanwhile: keys and numbers come again in another scope, and
  /// so its IDs and tokens are those of another store.
  let identifier = UUID()

  private let path: String
  private let state = Lock(State())

  private struct State {
    var isOver = false
    /// What has ended the transaction before its time.
    var failure: PersistenceError?
  }

  init(_ path: String) { self.path = path }

  /// Refuses what comes after the end.
  func require() throws {
    guard state.withLock({ $0.isOver }) else { return }
    throw PersistenceError(
      .storeClosed,
      "the store '\(path)' was closed: the test that it was lent to has ended, and what the test "
        + "saved was rolled back; wait in a test for the tasks and threads that it starts, and keep "
        + "no context or object for another test")
  }

  /// Refuses what comes after an error that has ended the transaction before the scope is over: a
  /// statement would commit by itself.
  func requireTransaction(_ connection: Connection) throws {
    guard !connection.isInTransaction, !state.withLock({ $0.isOver }) else { return }
    throw ended(by: nil)
  }

  /// Notes that the transaction has ended before its time; the first cause counts.
  @discardableResult
  func ended(by cause: (any Error)?) -> PersistenceError {
    let cause = cause.map { PersistenceError($0, "saving to") }
    return state.withLock { state in
      if let failure = state.failure { return failure }
      let failure = PersistenceError(
        .transactionFailed,
        "an error ended the transaction in which a test had the store '\(path)', so all that the test "
          + "saved was rolled back: \(cause?.message ?? "a statement failed"); test what ends a "
          + "transaction, such as a full disk, with a store that only this test has",
        details: cause?.details ?? [])
      state.failure = failure
      return failure
    }
  }

  /// Ends it for all stores.
  func end() { state.withLock { $0.isOver = true } }

  /// What has ended the transaction before its time.
  var failure: PersistenceError? { state.withLock { $0.failure } }
}

extension Connection {
  /// Begins the transaction of a scope.
  func begin(_ scope: StoreScope) throws {
    try run(TransactionKind.write.rawValue)
    do {
      try run(
        MetadataTables.writeFact,
        [
          .text(MetadataTables.Fact.identifier.rawValue), .text(scope.identifier.uuidString),
        ])
    } catch {
      try? run("ROLLBACK")
      throw error
    }
    self.scope = scope
  }

  /// Rolls back all that was saved in the scope, and removes the files of that.
  ///
  /// The connection stays in the scope that is over, so that nothing is changed before the next.
  ///
  /// - Throws: What has ended the transaction before.
  func endScope() throws {
    guard let ended = scope else { return }
    if isInTransaction { try run("ROLLBACK") } else { ended.ended(by: nil) }
    for name in newFiles { externalFolder?.remove(name) }
    newFiles = []
    if let failure = ended.failure { throw failure }
  }

  /// Runs `body` in a savepoint of a scope, as ``transaction(_:_:)`` does in a transaction.
  func change<R>(in scope: StoreScope, _ body: () throws -> R) throws -> R {
    try scope.require()
    try scope.requireTransaction(self)
    try run("SAVEPOINT scope")
    do {
      let result = try body()
      // COMMIT would look, and RELEASE does not.
      guard deferredForeignKeyViolations == 0 else { throw foreignKeyViolation }
      try run("RELEASE scope")
      configuration.counters?.addCommit()
      return result
    } catch {
      if isInTransaction, (try? rollBackSavepoint()) != nil { throw error }
      if isInTransaction { try? run("ROLLBACK") }
      scope.ended(by: error)
      throw error
    }
  }

  private func rollBackSavepoint() throws {
    try run("ROLLBACK TO scope")
    try run("RELEASE scope")
  }

  private var foreignKeyViolation: SQLiteError {
    SQLiteError(
      code: .constraintForeignKey, message: "FOREIGN KEY constraint failed", sql: "COMMIT",
      path: path, isCommit: true)
  }
}

extension Database {
  /// The scope of a store that is opened now; `nil` for a database that is never lent.
  func currentScope() throws -> StoreScope? {
    let scope = lending.withLock { $0 }
    try scope?.require()
    return scope
  }

  /// Lends the database only in scopes from now on, of which none has begun.
  func beginLending() {
    let over = StoreScope(path)
    over.end()
    lending.withLock { $0 = over }
  }

  /// Lends the database: what is saved from now on is rolled back in the end.
  func beginScope() throws -> StoreScope {
    let scope = StoreScope(path)
    try write { try $0.begin(scope) }
    counters.reset()
    historyUpkeep.reset()
    historyOwners.reset()
    lending.withLock { $0 = scope }
    return scope
  }

  /// Ends what ``beginScope()`` began, after the calls that are in progress.
  ///
  /// - Throws: What has ended the transaction before.
  func endScope() throws {
    try currentScope()?.end()
    try write { try $0.endScope() }
  }
}

extension PersistenceError {
  /// What a store does not do while a test has it.
  static func unsupported(_ action: String, inScopeOf path: String) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "the store '\(path)' cannot be \(action): it is lent to a test, in one transaction that is rolled "
        + "back; give this test a store that only it has, with '.objectContext { … }'")
  }
}
