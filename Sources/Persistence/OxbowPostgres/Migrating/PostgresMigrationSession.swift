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
        try commit(session)
        return result
      } catch {
        if session.connection.isUsable { _ = try? session.connection.run([.rollback]) }
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
      // A step may have changed the types of what the statements of a former one have met.
      session.connection.forgetStatements()
      let settings = [
        "DEALLOCATE ALL", "SET LOCAL lock_timeout = \(wait)", "SET LOCAL statement_timeout = 0",
        "SET LOCAL idle_in_transaction_session_timeout = 0",
        "SET LOCAL standard_conforming_strings = on", session.names.search,
      ]
      _ = try session.send([.begin] + settings.map { ServerStatement($0, isKept: false) })
      let name = MetadataTables.metadata.name
      guard try session.tableNames().contains(name) else { return }
      try session.execute("LOCK TABLE \(quoted(name)) IN ACCESS EXCLUSIVE MODE")
    }

    // A statement that is stopped here might be there all the same.
    private func commit(_ session: StoreSession) throws {
      do { _ = try session.connection.run([.commit]) } catch {
        guard error.endsConnection else { throw error }
        throw PersistenceError(
          .commitUnknown,
          "the connection was lost while a step of the migration was being committed: it may be in the "
            + "store '\(session.path)' or not; see whether the server runs, then run the migration "
            + "again: it continues from what is there"
        ).adding("server", error.message)
      }
    }

    private func inUse(_ failure: ServerFailure) throws -> PersistenceError {
      let session = try usable()
      return .locked(session.path, "others, which hold locks of its tables", try session.readers())
        .adding("server", failure.message)
    }
  }
#endif
