#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// A connection for the transactions of a migration, whose lock another connection has.
  final class PostgresMigrationSession: MigrationSession {
    private let connect: () throws -> StoreSession
    private let busyMilliseconds: Int
    private let keysOfRange: Int
    private var session: StoreSession?

    /// The ranges of the part that runs.
    private var ranges: (part: OnlineChange.Part, KeyRanges?)?

    /// How long a statement waits for a lock: what comes behind it waits as long.
    ///
    /// An autovacuum that is in the way is ended by the server after `deadlock_timeout`, which is a
    /// second as a rule.
    private static let longestWait = 1500

    init(
      busyMilliseconds: Int, keysOfRange: Int, connect: @escaping () throws -> StoreSession
    ) {
      (self.busyMilliseconds, self.keysOfRange) = (busyMilliseconds, keysOfRange)
      self.connect = connect
    }

    func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
      try retrying { try attempt(locking: .changing, body) }
    }

    private func retrying<R>(_ body: () throws -> R) throws -> R {
      let deadline = System.deadline(in: busyMilliseconds)
      while true {
        do { return try body() } catch {
          guard let failure = error as? ServerFailure, failure.isOfLocks else { throw error }
          guard session?.isStopping?() != true else { throw PersistenceError.interrupted }
          guard System.milliseconds < deadline else { throw try inUse(failure) }
          System.sleep(milliseconds: Int.random(in: 50...150))
        }
      }
    }

    private func attempt<R>(
      locking lock: StoreSession.FactsLock?, _ body: (MigratedSchema) throws -> R
    ) throws -> R {
      let session = try usable()
      do {
        try begin(session, lock)
        let result = try body(MigratedSchema(session: session))
        try session.execute("SET CONSTRAINTS ALL IMMEDIATE")
        try session.commit(
          "a step of the migration",
          "see whether the server runs, then run the migration again: it continues from what is there"
        )
        return result
      } catch {
        session.rollBack()
        throw error
      }
    }

    private func usable() throws -> StoreSession {
      if let session, session.connection.isUsable { return session }
      let new = try connect()
      session = new
      return new
    }

    /// Locks the facts first: saves under way end before, later ones wait and see the new model.
    private func begin(_ session: StoreSession, _ lock: StoreSession.FactsLock?) throws {
      let wait = max(1, min(busyMilliseconds, Self.longestWait))
      try session.forgetStatements()
      try session.begin(.begin, waiting: wait, locking: lock)
    }

    private func inUse(_ failure: ServerFailure) throws -> PersistenceError {
      let session = try usable()
      return .locked(session.path, "others, which hold locks of its tables", try session.readers())
        .adding("server", failure.message)
    }
  }

  // MARK: - Beside programs

  extension PostgresMigrationSession {
    /// The facts are not locked: what a part makes, programs of the model before do not see.
    func run(
      _ part: OnlineChange.Part, after key: Int64?,
      note: (any MigrationTransaction, Int64?) throws -> Void
    ) throws -> Int64? {
      if case .concurrently(let index) = part.way { try make(index, part) }
      let start = System.milliseconds
      let last = try retrying {
        try attempt(locking: nil) { store in
          if ranges?.part != part {
            ranges = (part, try store.ranges(of: part, size: keysOfRange))
          }
          let last = try store.run(part, after: key, ranges?.1)
          try note(store, last)
          return last
        }
      }
      // The server's disk is the programs' for as long as it was ours.
      if last != nil { System.sleep(milliseconds: min(1000, System.milliseconds - start)) }
      return last
    }

    /// Makes an index; one that a run which was ended has left behind half made goes first.
    ///
    /// Nothing that it waits for makes others wait, so it waits for as long as it takes.
    private func make(_ index: String, _ part: OnlineChange.Part) throws {
      try retrying {
        let session = try usable()
        let schema = MigratedSchema(session: session)
        for setting in ["statement_timeout", "lock_timeout", "idle_session_timeout"] {
          try session.execute("SET \(setting) = 0")
        }
        try session.execute("SET search_path = \(quoted(session.names.schema)), pg_temp")
        if try schema.removesInvalid(index) { return }
        do {
          for statement in part.operation.statements { try session.execute(statement) }
        } catch let failure as ServerFailure where failure.state == "23505" {
          _ = try schema.removesInvalid(index)
          throw schema.refusal(failure) ?? failure
        }
      }
    }
  }
#endif
