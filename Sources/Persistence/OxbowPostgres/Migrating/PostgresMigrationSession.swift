#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// A connection for the transactions of a migration, whose lock another connection has.
  final class PostgresMigrationSession: MigrationSession {
    private let connect: () throws -> StoreSession
    private let busyMilliseconds: Int
    private var session: StoreSession?

    /// How long a statement waits for a lock: what comes behind it waits as long.
    ///
    /// An autovacuum that is in the way is ended by the server after `deadlock_timeout`, which is a
    /// second as a rule.
    private static let longestWait = 1500

    init(busyMilliseconds: Int, connect: @escaping () throws -> StoreSession) {
      self.busyMilliseconds = busyMilliseconds
      self.connect = connect
    }

    func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
      let deadline = System.milliseconds + busyMilliseconds
      while true {
        do { return try attempt(body) } catch {
          guard let failure = error as? ServerFailure, failure.isOfLocks else { throw error }
          guard session?.isStopping?() != true else { throw PersistenceError.interrupted }
          guard System.milliseconds < deadline else { throw try inUse(failure) }
          System.sleep(milliseconds: Int.random(in: 50...150))
        }
      }
    }

    private func attempt<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
      let session = try usable()
      do {
        try begin(session)
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
    private func begin(_ session: StoreSession) throws {
      let wait = max(1, min(busyMilliseconds, Self.longestWait))
      try session.forgetStatements()
      try session.begin(.begin, waiting: wait, locking: .changing)
    }

    private func inUse(_ failure: ServerFailure) throws -> PersistenceError {
      let session = try usable()
      return .locked(session.path, "others, which hold locks of its tables", try session.readers())
        .adding("server", failure.message)
    }
  }
#endif
