import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport

/// A store, a folder of migrations, and a second connection to look with.
struct Lab: MigrationLab {
  let folder: TemporaryFolder
  let store: String
  let migrations: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.file("store.sqlite")
    migrations = folder.file("Migrations")
    try folder.write("", to: "Migrations/.keep")
  }

  func migrator(wait: Int = 2000) throws -> Migrator {
    try Migrator(backend(wait: wait), folder: migrations, target: nil)
  }

  static func migrator(
    _ store: String, _ migrations: String, code: [CodeStep]
  ) throws -> Migrator {
    try Migrator(
      SQLiteMigrationBackend(path: store, busyMilliseconds: 2000), folder: migrations, target: nil,
      code: code)
  }

  var database: any MigrationBackend & Sendable { backend() }

  func backend(wait: Int = 2000) -> SQLiteMigrationBackend {
    SQLiteMigrationBackend(path: store, busyMilliseconds: wait)
  }

  /// Migrates to a model that the store may have had before, which it forgets.
  func inferBack(_ model: ManagedObjectModel, allowsLoss: Bool = false) throws -> [AppliedStep] {
    try run("DROP TABLE IF EXISTS _oxbow_history")
    return try infer(model, allowsLoss: allowsLoss)
  }

  func run(_ sql: String) throws {
    try looking { try $0.execute("PRAGMA foreign_keys = OFF;" + sql) }
  }

  func problems() throws -> [String] {
    try rows("PRAGMA foreign_key_check") + rows("PRAGMA integrity_check").filter { $0 != "'ok'" }
  }

  func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info('\(table)')").map {
      String($0.dropFirst().dropLast())
    }
  }

  /// Lends a connection whose statements are not those of a store.
  private func looking<R>(_ body: (Connection) throws -> R) throws -> R {
    try RecordedStatements.pausing {
      let connection = try Connection(path: store, configuration: .init(role: .sole))
      defer { connection.close() }
      return try body(connection)
    }
  }

  /// Rows as text, columns separated by "|".
  func rows(_ sql: String) throws -> [String] {
    try looking { try $0.rows(sql) }.map { $0.map(\.description).joined(separator: "|") }
  }

  /// The message of the error that `body` throws, without the folder's path.
  func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      let text = (error as? PersistenceError)?.description ?? "\(error)"
      return text.replacing(folder.path, with: "DIR")
    }
  }
}
