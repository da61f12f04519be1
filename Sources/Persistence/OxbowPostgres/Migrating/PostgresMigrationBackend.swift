#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  package import OxbowRelational

  /// Reads and changes the tables of a store on a PostgreSQL server.
  ///
  /// A change takes a lock of its own first, on a connection of its own, so that of two migrations
  /// one waits. Each of its transactions locks the store's facts, which every save reads: saves
  /// under way end before, and later ones see the new model and are refused. Programs may have the
  /// store open meanwhile.
  package struct PostgresMigrationBackend: MigrationBackend, Sendable {
    private var names: ServerNames
    private let location: PostgresLocation
    private let address: ServerAddress
    private let busyMilliseconds: Int
    private let interruption: (@Sendable () -> Bool)?
    private let version = Lock<String?>(nil)

    /// How many keys a transaction beside programs is for.
    package var keysOfRange = 2000

    package private(set) var store: String

    /// Names a store to migrate.
    ///
    /// - Parameters:
    ///   - location: The server and the schema.
    ///   - busyMilliseconds: How long to wait for others.
    ///   - interruption: Says whether the program was asked to stop. A statement that runs then is
    ///     stopped, and its transaction rolled back.
    /// - Throws: ``PersistenceError``: `storeUnreachable` for a location that cannot be read.
    package init(
      _ location: PostgresLocation, busyMilliseconds: Int = 5000,
      interruption: (@Sendable () -> Bool)? = nil
    ) throws(PersistenceError) {
      var address = ServerAddress(text: location.connection, connectSeconds: 10)
      try address.require(location.schema)
      address.application = "oxbow migration"
      self.address = address
      self.busyMilliseconds = busyMilliseconds
      self.interruption = interruption
      names = ServerNames(schema: location.schema)
      store = location.shown
      self.location = location
    }

    package var dialect: any Dialect { PostgresDialect() }

    package var engine: String { "PostgreSQL" + (version.withLock { $0 }.map { " \($0)" } ?? "") }

    package var isInterrupted: Bool { interruption?() == true }

    package func state() throws -> MigrationState? { try read { try $0.state() } }

    package func statements(of migration: TableMigration) -> [MigrationOperation] {
      ServerChangePlan(migration).operations
    }

    package func onlineChange(_ migration: TableMigration) -> OnlineChange? {
      OnlinePlan(migration).change
    }

    package func operation(of fill: DerivedFill) -> MigrationOperation {
      MigrationOperation(
        .fill, table: fill.table, locking: ServerFill(fill, names)?.statements ?? [])
    }

    package func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R {
      try worded("reading") { try body(MigratedSchema(session: reading())) }
    }

    /// A connection in a transaction that reads one moment.
    func reading() throws -> StoreSession {
      let session = try connect()
      try session.begin(.beginReading, waiting: busyMilliseconds, locking: .reading)
      return session
    }

    package func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R {
      try worded("migrating") {
        try alone {
          try body(
            PostgresMigrationSession(
              busyMilliseconds: busyMilliseconds, keysOfRange: keysOfRange, connect: connect))
        }
      }
    }

    /// Runs `body` under the lock by which of two migrations one waits, and of two creations.
    func alone<R>(_ body: () throws -> R) throws -> R {
      let (session, name) = (try connect(), LockName.tables(names))
      guard let lock = try NamedLock(name, session, milliseconds: busyMilliseconds) else {
        throw PersistenceError.locked(
          store, "another migration, or a program that makes it", try session.holders(of: name))
      }
      defer { withExtendedLifetime(lock) {} }
      return try body()
    }

    /// Runs `body` with a copy of the store in a schema of its own, which is removed at the end.
    ///
    /// It has the tables of the schema with their rows, keys and indexes, but neither views nor
    /// triggers nor functions.
    package func withCopy<R>(_ body: (PostgresMigrationBackend) throws -> R) throws -> R {
      try worded("copying") {
        var copy = self
        copy.names = ServerNames(schema: "oxbow copy \(UUID().uuidString.prefix(13))")
        copy.store = PostgresLocation(location.connection, schema: copy.names.schema).shown
        let result = Result {
          try SchemaCopy(session: connect(), copy: copy.names).make(waiting: busyMilliseconds)
          return try body(copy)
        }
        try remove(copy.names.schema, after: result)
        return try result.get()
      }
    }

    /// Removes the schema of a copy, also when the program was asked to stop.
    private func remove<R>(_ schema: String, after result: Result<R, any Error>) throws {
      let removal = ServerStatement(
        "DROP SCHEMA IF EXISTS \(quoted(schema)) CASCADE", isKept: false)
      do { _ = try connect().connection.run([removal]) } catch {
        let advice = "'\(schema)' with all rows of the store; remove it with 'DROP SCHEMA'"
        switch result {
        case .failure(let failure as PersistenceError): throw failure.adding("copy left", advice)
        case .failure(let failure): throw failure
        case .success:
          throw PersistenceError(error, "removing the copy of", store)
            .adding("copy left", advice)
        }
      }
    }

    func connect() throws -> StoreSession {
      let connection: ServerConnection
      do { connection = try ServerConnection(address, Preparing(true)) } catch {
        throw PersistenceError.unreachable(error, store)
      }
      let session = StoreSession(
        connection: connection, names: names, path: store, isStopping: interruption)
      try session.requireServer()
      version.withLock { $0 = connection.setting("server_version") }
      return session
    }

    func worded<R>(_ action: String, _ body: () throws -> R) throws -> R {
      do { return try body() } catch let failure as ServerFailure {
        if failure.isCancelled { throw PersistenceError.interrupted }
        throw PersistenceError(failure, action, store)
      }
    }
  }
#endif
