#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// A connection inside a transaction that looks for names in the schema of a store.
  ///
  /// Statements have "?" for their values, whose types the server finds out.
  struct StoreSession: Session, Catalogue {
    let connection: ServerConnection
    let names: ServerNames

    /// The server, the database and the schema, for messages.
    let path: String

    /// Whether the program was asked to stop, which ends the statement that runs.
    var isStopping: (@Sendable () -> Bool)?

    var dialect: any Dialect { PostgresDialect() }

    // MARK: Statements

    func send(_ statements: [ServerStatement]) throws(ServerFailure) -> [ServerResult] {
      try connection.run(statements, stoppingWhen: isStopping)
    }

    @discardableResult
    func send(_ sql: String, _ values: [SQLValue] = []) throws(ServerFailure) -> ServerResult {
      try send([ServerScript.statement(sql, values)])[0]
    }

    func run(_ sql: String, _ values: [SQLValue]) throws { try send(sql, values) }
    func execute(_ sql: String) throws { try send(sql) }
    func rows(_ sql: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
      try send(sql, values).rows
    }

    func text(_ sql: String, _ values: [SQLValue]) throws -> String? {
      guard case .text(let text)? = try rows(sql, values).first?.first else { return nil }
      return text
    }

    /// Begins a transaction with the settings that the store needs, whatever a role or a database
    /// has set: no limit of its time, values as Oxbow reads them, the tables of the store's schema.
    ///
    /// With `milliseconds`, it waits no longer for a lock of others. With `lock`, the facts are
    /// locked before the transaction reads anything: one that had its moment first and then waited
    /// for a migration would find the tables empty that the migration has made anew.
    func begin(
      _ begin: ServerStatement, waiting milliseconds: Int? = nil, locking lock: FactsLock? = nil
    ) throws {
      var settings = [
        "SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0",
        "SET LOCAL standard_conforming_strings = on", "SET LOCAL bytea_output = hex",
        // Rows that policies hide are an error then, and not left out without a word.
        "SET LOCAL extra_float_digits = 1", "SET LOCAL row_security = off", names.search,
      ]
      if let lock, try hasFacts() {
        settings.append("LOCK TABLE \(names.metadata) IN \(lock.rawValue) MODE")
      }
      let limit = milliseconds.map { [ServerStatement.lockLimit(milliseconds: $0)] } ?? []
      _ = try send([begin] + limit + settings.map { ServerStatement($0, isKept: false) })
    }

    /// How a transaction locks the facts.
    enum FactsLock: String {
      case reading = "ACCESS SHARE"
      case changing = "ACCESS EXCLUSIVE"
    }

    /// Forgets what is prepared: a step may have changed the types of what the statements have met.
    func forgetStatements() throws {
      connection.forgetStatements()
      try execute("DEALLOCATE ALL")
    }

    private func hasFacts() throws -> Bool {
      try tableNames().contains(MetadataTables.metadata.name)
    }

    /// Ends a transaction that is still open, so that its locks go at once.
    func rollBack() {
      guard connection.isUsable else { return }
      try? connection.rollBack()
    }

    /// Commits what `subject` names; a statement that is stopped here might be there all the same.
    func commit(_ subject: String, _ advice: String) throws {
      do { _ = try connection.run([.commit]) } catch {
        guard error.endsConnection else { throw error }
        throw PersistenceError(
          .commitUnknown,
          "the connection was lost while \(subject) was being committed: it may be in the store "
            + "'\(path)' or not; \(advice)"
        ).adding("server", error.message)
      }
    }

    // MARK: Facts

    func facts() throws -> [String: SQLValue] {
      let statements = FactStatements(names)
      return statements.values(try send([statements.readAll])[0])
    }

    func writeFact(_ name: String, _ value: SQLValue) throws {
      _ = try send([FactStatements(names).write(name, value)])
    }

    // MARK: Tables

    func tableNames() throws -> [String] {
      try texts(
        "SELECT c.relname FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1",
        [.text(names.schema)])
    }

    func tableColumns() throws -> [TableSchema] { try LiveTables(self).all }

    func requireUTF8() throws(PersistenceError) {
      guard let encoding = connection.setting("server_encoding"), encoding != "UTF8" else { return }
      throw PersistenceError(
        .notAStore,
        "the database of the store '\(path)' keeps texts in \(encoding), and Oxbow compares them by "
          + "their bytes in UTF-8; make a database with ENCODING 'UTF8'")
    }

    private static let oldestVersion = 140_000

    func requireServer() throws(PersistenceError) {
      let version = connection.serverVersion
      guard version >= Self.oldestVersion else {
        throw PersistenceError(
          .unsupported,
          "the server of the store '\(path)' is PostgreSQL \(version / 10_000), and Oxbow needs 14 or "
            + "later; use a newer server")
      }
      try requireUTF8()
    }

    /// Makes the schema, unless it is there, and Oxbow's own tables.
    func createOwnTables() throws {
      // Making a schema that is there needs a right on the database all the same.
      let isThere = try rows(
        "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?", [.text(names.schema)])
      if isThere.isEmpty { try execute("CREATE SCHEMA \(quoted(names.schema))") }
      for table in TableDefinitions.own { try execute(table) }
      try StoreMetadata.begin(self)
    }

    /// A schema that belongs to something else.
    func foreign(_ tables: [String]) -> PersistenceError {
      PersistenceError(
        .notAStore,
        "the schema '\(names.schema)' of '\(path)' belongs to something else: it has "
          + "\(PersistenceError.listed(tables)) and no '\(MetadataTables.metadata.name)'; give the "
          + "location another schema")
    }
  }
#endif
