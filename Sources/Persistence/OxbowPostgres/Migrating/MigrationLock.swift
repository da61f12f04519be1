#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// The lock of the migration that changes a store's tables, on a connection of its own: it ends
  /// with the process, or with the connection.
  final class MigrationLock {
    private let session: StoreSession

    /// The number by which the server knows the lock is a hash of this text.
    static func key(_ names: ServerNames) -> String { "oxbow " + names.schema }

    /// - Throws: ``PersistenceError``: `storeLocked`, naming who has the lock, `interrupted`.
    init(_ session: StoreSession, milliseconds: Int) throws {
      self.session = session
      let deadline = System.milliseconds + milliseconds
      while !(try take()) {
        guard session.isStopping?() != true else { throw PersistenceError.interrupted }
        guard System.milliseconds < deadline else { throw try locked() }
        System.sleep(milliseconds: 50)
      }
    }

    /// Lets the lock go at once: the server may notice the end of a connection a moment later.
    func release() { _ = try? session.send("SELECT pg_advisory_unlock_all()") }

    private func take() throws -> Bool { try session.takeLock(Self.key(session.names)) }

    private func locked() throws -> PersistenceError {
      let holders = try session.holders(of: Self.key(session.names))
      return .locked(session.path, "another migration, or a program that makes it", holders)
    }
  }

  extension StoreSession {
    /// Takes a lock by name until the connection ends, unless another one has it.
    func takeLock(_ key: String) throws -> Bool {
      try rows("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", [.text(key)])
        == [[.integer(1)]]
    }

    /// Describes the connections that have a lock by name.
    func holders(of key: String) throws -> [String] {
      try holders(
        "l.locktype = 'advisory' AND l.objsubid = 1 "
          + "AND (l.classid::int8 << 32) | l.objid::int8 = hashtextextended(?, 0)", [.text(key)])
    }

    /// Describes the connections that hold locks of this database, as a condition says.
    func holders(_ condition: String, _ values: [SQLValue]) throws -> [String] {
      try texts(
        "SELECT DISTINCT concat('process ', a.pid, ' of ''', a.application_name, ''' at ', "
          + "coalesce(a.client_hostname, host(a.client_addr), 'the server itself'), ' as ', "
          + "a.usename, ', ', a.state, ' since ', date_trunc('second', a.state_change)) "
          + "FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid "
          + "WHERE l.granted AND l.pid <> pg_backend_pid() AND l.database = (SELECT oid "
          + "FROM pg_catalog.pg_database WHERE datname = current_database()) AND \(condition) "
          + "ORDER BY 1", values)
    }

    /// Describes the connections that use the store's tables now.
    func readers() throws -> [String] {
      try holders(
        "l.relation IN (SELECT c.oid FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = ?)",
        [.text(names.schema)])
    }
  }

  extension PersistenceError {
    static func locked(_ store: String, _ what: String, _ holders: [String]) -> PersistenceError {
      holders.reduce(
        PersistenceError(
          .storeLocked,
          "the store '\(store)' is in use by \(what); nothing was changed: try again when it is over, "
            + "wait longer, or end it")
      ) { $0.adding("holds it", $1) }
    }
  }
#endif
