#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// The name of a lock among all programs that use a database; the server knows it by a hash.
  ///
  /// What is named in it is quoted, so that no two names are one.
  struct LockName {
    let text: String

    /// The lock of the one that makes or changes the tables of a store.
    static func tables(_ names: ServerNames) -> Self {
      Self(text: "oxbow \(quoted(names.schema))")
    }

    /// The lock of the one that gives numbers to the saves of a store.
    static func numbers(_ names: ServerNames) -> Self {
      Self(text: "oxbow history \(quoted(names.schema))")
    }

    /// The lock of the one that works as a consumer.
    static func consumer(_ consumer: String, _ names: ServerNames) -> Self {
      Self(text: "oxbow consumer \(quoted(names.schema)) \(quoted(consumer))")
    }

    /// Takes the lock until the end of the transaction.
    var inTransaction: ServerStatement {
      ServerStatement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(text)])
    }

    /// Takes the lock until the end of a connection, unless another one has it; NULL where a pooler
    /// is in between.
    fileprivate func taking(_ connection: ServerConnection) -> ServerStatement {
      ServerStatement(
        "SELECT CASE WHEN \(ServerStatement.isDirect) "
          + "THEN pg_try_advisory_lock(hashtextextended($2, 0)) END",
        [.integer(Int64(connection.processID)), .text(text)], readsTexts: true)
    }
  }

  /// A lock by name on a connection of its own: it ends with this object, or with the connection.
  final class NamedLock: Sendable {
    private let connection: ServerConnection

    /// How long the end waits for the server.
    private static let endMilliseconds = 2000

    /// Takes the lock; `nil` if others have it for longer than a time.
    ///
    /// - Throws: ``PersistenceError``: `unsupported` behind a pooler, `interrupted`.
    init?(_ name: LockName, _ session: StoreSession, milliseconds: Int = 0) throws {
      let deadline = System.deadline(in: milliseconds)
      while !(try Self.take(name, session)) {
        guard session.isStopping?() != true else { throw PersistenceError.interrupted }
        guard System.milliseconds < deadline else { return nil }
        System.sleep(milliseconds: 50)
      }
      _ = try session.send([.keepAlive, .stayIdle])
      connection = session.connection
    }

    private static func take(_ name: LockName, _ session: StoreSession) throws -> Bool {
      switch try session.send([name.taking(session.connection)])[0].rows {
      case [[.integer(1)]]: return true
      case [[.null]]: throw PersistenceError.pooled(session.path)
      default: return false
      }
    }

    // The server may notice the end of a connection a moment later.
    deinit {
      connection.answerMilliseconds = Self.endMilliseconds
      _ = try? connection.run("SELECT pg_advisory_unlock_all()")
    }

    /// Whether the connection is still there, and the lock with it, as far as it can be seen here.
    var isHeld: Bool { connection.isUsable && !connection.isClosedByServer }

    /// The same, as the server says.
    func ask() -> Bool {
      guard isHeld else { return false }
      _ = try? connection.run("SELECT 1")
      return connection.isUsable
    }
  }

  extension ServerStatement {
    /// Lets the server look after a host that has vanished, whose locks it would keep for hours.
    static let keepAlive = ServerStatement(
      "SELECT set_config('tcp_keepalives_idle', '30', false), "
        + "set_config('tcp_keepalives_interval', '10', false), "
        + "set_config('tcp_keepalives_count', '3', false)", isKept: false)

    /// Lets a connection stay although nothing is asked by it.
    fileprivate static let stayIdle = ServerStatement(
      "SELECT set_config('idle_session_timeout', '0', false)", isKept: false)

    /// Whether the process of the server is the one that the connection was made with, `$1`: a
    /// pooler makes up a number.
    static let isDirect = "pg_backend_pid() = $1::int8"

    /// The same as a question.
    static func isDirect(_ connection: ServerConnection) -> ServerStatement {
      ServerStatement(
        "SELECT \(isDirect)", [.integer(Int64(connection.processID))], isKept: false,
        readsTexts: true)
    }
  }

  extension StoreSession {
    /// Describes the connections that have a lock by name.
    func holders(of name: LockName) throws -> [String] {
      try holders(
        "l.locktype = 'advisory' AND l.objsubid = 1 "
          + "AND (l.classid::int8 << 32) | l.objid::int8 = hashtextextended(?, 0)",
        [.text(name.text)])
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

    /// A connection that is not the server's own, where one has to keep a lock.
    fileprivate static func pooled(_ store: String) -> PersistenceError {
      PersistenceError(
        .unsupported,
        "the store '\(store)' is reached through a pooler; a migration, and a consumer of the history, "
          + "keep a lock that belongs to one connection of the server: open the store at the server's "
          + "own address for them")
    }
  }
#endif
