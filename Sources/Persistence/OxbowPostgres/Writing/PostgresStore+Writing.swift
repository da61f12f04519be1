#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    @discardableResult
    package func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult {
      try save(changes, nil)
    }

    @discardableResult
    package func save(
      _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
    ) throws(PersistenceError) -> SaveResult {
      guard !changes.isEmpty else {
        try beforeCommit()
        return SaveResult()
      }
      return try withoutActuallyEscaping(beforeCommit) { hook throws(PersistenceError) in
        try save(changes, hook)
      }
    }

    private func save(
      _ changes: ChangeSet, _ hook: (() throws(PersistenceError) -> Void)?
    ) throws(PersistenceError) -> SaveResult {
      guard !changes.isEmpty else { return SaveResult() }
      try requireWritable()
      for item in changes.acknowledgments { try requireOwn(item.new) }
      let positions = LinkPositions(changes, mapping)
      let result = try transacted(hook) { transaction throws in
        // What a consumer has seen is not news for anyone, least of all for the consumer itself.
        if changes.count > changes.acknowledgments.count { transaction.beginRecord() }
        let save = try self.settled(changes, positions, transaction)
        let settled = save.settled
        guard settled.gone.isEmpty else { throw Conflict(settled.changes, gone: settled.gone) }
        let statements = try SaveStatements(settled.changes, save.positions, self)
        transaction.explains = Conflict(settled.changes, linked: statements.linked)
        try transaction.record?.note(settled.changes, mapping, save.objects)
        let (values, rest) = try derived(settled.changes, statements.list, transaction)
        transaction.record?.note(values)
        return (SaveResult(derived: values, found: settled.found), rest)
      }
      if changes.count > changes.acknowledgments.count { announceToOthers() }
      return result
    }

    private func settled(
      _ changes: ChangeSet, _ positions: LinkPositions, _ transaction: WriteTransaction
    ) throws -> SettledSave {
      let look = transaction.record.map { HistoryLook(changes, $0.plan, mapping) }
      guard mustLook(changes, positions, look) else {
        return SettledSave(settled: SettledChanges(changes: changes), positions: positions)
      }
      return try settled(changes, positions, look, transaction)
    }
  }

  /// Rows that a save has not found as its context read them.
  struct Conflict: Error {
    let changes: ChangeSet
    var linked: [ObjectReference] = []
    var gone: [ManagedObjectID] = []

    init(_ changes: ChangeSet, linked: [ObjectReference] = [], gone: [ManagedObjectID] = []) {
      self.changes = changes
      self.linked = linked
      self.gone = gone
    }
  }

  /// A transaction that changes the store.
  final class WriteTransaction {
    let connection: ServerConnection
    private let session: SaveSession
    private let number: Int64
    private var opening: [ServerStatement]
    private let history: HistoryPlan?
    private let names: ServerNames
    private let historySession: UUID

    /// What the history of the store notes of the save; `nil` where it notes nothing.
    private(set) var record: HistoryRecord?

    /// The changes of the save, by which a failure of the server is explained.
    var explains = Conflict(ChangeSet())

    /// Whether COMMIT was sent, and whether something was called that must not be called again.
    private(set) var mayBeCommitted = false
    private(set) var hasCalled = false

    init(_ store: PostgresStore, _ connection: ServerConnection) throws(ServerFailure) {
      self.connection = connection
      session = try SaveSession.of(connection, store.names)
      number = session.next()
      (history, names) = (store.history.withLock { $0 }, store.names)
      historySession = store.historySession
      opening = [
        .begin, store.lockLimit, session.note(number), store.saveGuard(hasHistory: history != nil),
      ]
    }

    /// Whether the opening knew that the store has a history.
    var knowsHistory: Bool { history != nil }

    /// Lets the history of the store, if it has one, note what the transaction does.
    func beginRecord() {
      record = history.map { HistoryRecord($0, at: $0.origin) }
    }

    /// The row of the history, which comes last: its place among others is that of a transaction
    /// that waits for none.
    private func recorded() throws(PersistenceError) -> [ServerStatement] {
      guard let record else { return [] }
      try record.finish()
      return [.checkConstraints] + HistoryStatements(names).add(record, session: historySession)
    }

    /// What a transaction begins with; nothing once it has begun.
    func takeOpening() -> [ServerStatement] {
      defer { opening = [] }
      return opening
    }

    /// Runs statements and commits: in one round trip, unless something is called in between.
    func commit(
      _ statements: [ServerStatement], _ hook: (() throws(PersistenceError) -> Void)?
    ) throws {
      let statements = statements + (try recorded())
      guard let hook else {
        mayBeCommitted = true
        _ = try connection.run(takeOpening() + statements + [.commit])
        return
      }
      // What COMMIT would refuse is refused before anything is called.
      _ = try connection.run(takeOpening() + statements + [.checkConstraints])
      hasCalled = true
      try hook()
      mayBeCommitted = true
      _ = try connection.run([.commit])
    }

    /// Finds out what became of the transaction after the connection was lost.
    func outcome(_ store: PostgresStore) -> SaveOutcome {
      guard mayBeCommitted else { return .notSaved }
      let outcome = session.fence.outcome(
        of: number, store.pool, milliseconds: store.options.outcomeMilliseconds)
      if case .unknown = outcome { store.pool.noteUndecided(session.fence, number) }
      return outcome
    }
  }

  // MARK: - Attempts

  extension PostgresStore {
    /// A save is made so often where others are in the way for a moment.
    private static var attempts: Int { 6 }

    /// Limits how long the transaction waits for the locks of others.
    var lockLimit: ServerStatement { .lockLimit(milliseconds: options.waitMilliseconds) }

    /// Ends the transaction if the store's model is not that of this store.
    var modelGuard: ServerStatement {
      ServerStatement(
        "SELECT CASE WHEN \"value\" = $1 THEN 0 ELSE ('oxbow:migrated:' || \"value\")::int4 END "
          + "FROM \(names.metadata) WHERE \"name\" = '\(MetadataTables.Fact.modelHash.rawValue)'",
        [.text(modelHash)])
    }

    /// Ends the transaction of a save if the store has another model than this store, or a history
    /// that this one does not know yet.
    func saveGuard(hasHistory: Bool) -> ServerStatement {
      let facts = [MetadataTables.Fact.modelHash, .layoutVersion].enumerated().map {
        "('\($1.rawValue)', $\($0 + 1))"
      }
      let version = hasHistory ? PlainLayout.versionWithHistory : PlainLayout.version
      return ServerStatement(
        "SELECT CASE WHEN count(*) = 2 THEN 0 ELSE ('oxbow:migrated:' || count(*))::int4 END "
          + "FROM \(names.metadata) WHERE (\"name\", \"value\") IN (\(facts.joined(separator: ", ")))",
        [.text(modelHash), .text(String(version))])
    }

    /// What became of an attempt.
    enum Attempt<R> {
      case done(R)
      case again(any Error)
    }

    /// Changes the store in one transaction; again when others were in the way, or when the
    /// connection was lost and nothing is saved.
    ///
    /// `body` returns the result and the statements that are still to be run.
    func transacted<R>(
      _ hook: (() throws(PersistenceError) -> Void)?,
      _ body: (WriteTransaction) throws -> (R, [ServerStatement])
    ) throws(PersistenceError) -> R {
      do {
        var last: (any Error)?
        for attempt in 0..<Self.attempts {
          if attempt > 0 { System.sleep(milliseconds: .random(in: 0...(4 << attempt))) }
          switch try pool.withConnection({ try self.attempt($0, hook, body) }) {
          case .done(let result):
            pool.count(saves: 1)
            pool.decide { [listener] in listener.noteUnknown() }
            return result
          case .again(let error): last = error
          }
        }
        throw last
          ?? PersistenceError(.storeLocked, "the store '\(place)' was never free; try again")
      } catch { throw PersistenceError(error, "saving to", place) }
    }

    private func attempt<R>(
      _ connection: ServerConnection, _ hook: (() throws(PersistenceError) -> Void)?,
      _ body: (WriteTransaction) throws -> (R, [ServerStatement])
    ) throws -> Attempt<R> {
      var transaction: WriteTransaction?
      var result: R?
      do {
        let begun = try WriteTransaction(self, connection)
        transaction = begun
        let (prepared, statements) = try body(begun)
        result = prepared
        try begun.commit(statements, hook)
        return .done(prepared)
      } catch let failure as ServerFailure {
        guard failure.endsConnection else {
          return try refused(failure, transaction, connection)
        }
        return try lost(failure, transaction, result)
      } catch let conflict as Conflict {
        try connection.rollBack()
        guard let error = try conflicts(conflict, connection) else { return .again(conflict) }
        throw error
      }
    }

    /// What a lost connection means: the fence knows whether the save is there.
    private func lost<R>(
      _ failure: ServerFailure, _ transaction: WriteTransaction?, _ result: R?
    ) throws -> Attempt<R> {
      switch transaction?.outcome(self) ?? .notSaved {
      case .saved:
        guard let result else { throw failure }
        return .done(result)
      case .notSaved:
        guard transaction?.hasCalled != true else { throw failure }
        return .again(failure)
      case .unknown:
        // Nothing announces it, if it is there.
        listener.noteUnknown()
        throw PersistenceError(
          .commitUnknown,
          "the connection to '\(place)' was lost while a save was committed, and no server has said in "
            + "\(options.outcomeMilliseconds) ms whether it is there; once the server answers, read the "
            + "objects again before saving again: a save that waits for a replica may be there later"
        ).adding("server", failure.message)
      }
    }

    /// What a statement that the server has refused means.
    private func refused<R>(
      _ failure: ServerFailure, _ transaction: WriteTransaction?, _ connection: ServerConnection
    ) throws -> Attempt<R> {
      try connection.rollBack()
      if let cause = failure.cause { throw cause }
      let explains = transaction?.explains ?? Conflict(ChangeSet())
      switch failure.guardMark {
      case .conflict:
        guard let error = try conflicts(explains, connection) else { return .again(failure) }
        throw error
      case .fenced:
        connection.session = nil
        return .again(failure)
      case .migrated:
        guard transaction?.knowsHistory == false, try findHistory(connection) else {
          throw migrated
        }
        return .again(failure)
      case .acknowledged:
        for item in explains.changes.acknowledgments { try check(item, connection) }
        return .again(failure)
      case .swallowed, nil: break
      }
      if failure.isOfPolicies { hasPolicies.withLock { $0 = true } }
      guard !failure.isPassing || transaction?.hasCalled == true else { return .again(failure) }
      throw try explained(failure, explains.changes, connection) ?? failure
    }
  }

  extension ServerConnection {
    /// Ends a transaction that has failed.
    func rollBack() throws(ServerFailure) {
      guard isInTransaction else { return }
      _ = try run([.rollback])
    }
  }
#endif
