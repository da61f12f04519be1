#if PostgreSQL
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowRelational
  import OxbowTestSupport
  import Testing

  /// A store in a schema of a server, and a folder of migrations.
  struct ServerLab: MigrationLab {
    let location: PostgresLocation
    let folder: TemporaryFolder
    let migrations: String

    init() throws {
      let server = try #require(TestServer.shared)
      location = PostgresLocation(server.connection, schema: server.newSchema())
      folder = try TemporaryFolder()
      migrations = folder.file("Migrations")
      try folder.write("", to: "Migrations/.keep")
    }

    func backend(wait: Int = 2000) throws -> PostgresMigrationBackend {
      try PostgresMigrationBackend(location, busyMilliseconds: wait)
    }

    var database: any MigrationBackend & Sendable {
      do { return try backend() } catch { preconditionFailure("\(error)") }
    }

    func migrator(wait: Int = 2000, code: [CodeStep] = []) throws -> Migrator {
      try Migrator(backend(wait: wait), folder: migrations, target: nil, code: code)
    }

    func run(_ sql: String) throws {
      try transaction { store in
        _ = try store.run(MigrationScript(file: "test", text: sql, firstLine: 1)) { _ in }
      }
    }

    func rows(_ sql: String) throws -> [String] {
      var found: [[SQLValue]] = []
      try transaction { store in _ = try store.edit { found = try $0.rows(sql, []) } }
      return found.map { $0.map(\.description).joined(separator: "|") }
    }

    private func transaction(_ body: (any MigrationTransaction) throws -> Void) throws {
      try backend().exclusively { try $0.transaction(body) }
    }

    func columns(of table: String) throws -> [String] {
      try rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = '\"\(table)\"'::regclass AND attnum > 0 "
          + "AND NOT attisdropped ORDER BY attnum"
      ).map { String($0.dropFirst().dropLast()) }
    }

    // References are checked by the server.
    func problems() -> [String] { [] }

    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "no error"
      } catch {
        let text = (error as? PersistenceError)?.description ?? "\(error)"
        return text.replacing(folder.path, with: "DIR").replacing(location.schema, with: "SCHEMA")
          .replacing(TestServer.shared?.folder ?? "-", with: "HOST")
      }
    }
  }
#endif
