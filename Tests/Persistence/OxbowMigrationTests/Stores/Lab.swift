import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport

/// A store, a folder of migrations, and a second connection to look with.
struct Lab {
  let folder: TemporaryFolder
  let store: String
  let migrations: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.file("store.sqlite")
    migrations = folder.file("Migrations")
    try folder.write("", to: "Migrations/.keep")
  }

  func add(_ model: ManagedObjectModel, _ name: String = "step") throws {
    _ = try MigrationSequence(folder: migrations).addModelStep(named: name, to: model)
  }

  @discardableResult
  func add(sql: String, _ name: String = "script", model: String = "unchanged") throws -> String {
    let id = try MigrationSequence(folder: migrations).nextID
    return try folder.write(
      "-- oxbow: model \(model)\n\(sql)\n", to: "Migrations/\(id)_\(name).sql")
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

  func backend(wait: Int = 2000) -> SQLiteMigrationBackend {
    SQLiteMigrationBackend(path: store, busyMilliseconds: wait)
  }

  /// Migrates to the model without a file.
  func infer(_ model: ManagedObjectModel, allowsLoss: Bool = false) throws -> [AppliedStep] {
    try Migrator(backend(), target: model).apply(allowsLoss: allowsLoss)
  }

  /// Migrates to a model that the store may have had before, which it forgets.
  func inferBack(_ model: ManagedObjectModel, allowsLoss: Bool = false) throws -> [AppliedStep] {
    try run("DROP TABLE IF EXISTS _oxbow_history")
    return try infer(model, allowsLoss: allowsLoss)
  }

  /// Makes a store of a model, with rows.
  func fill(_ model: ManagedObjectModel, _ sql: String) throws {
    _ = try infer(model)
    try run(sql)
  }

  func run(_ sql: String) throws {
    try looking { try $0.execute("PRAGMA foreign_keys = OFF;" + sql) }
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

  /// What distinguishes the store's tables from those that a new store of the model would have.
  func differences(from model: ManagedObjectModel) throws -> [String] {
    let compiled = try CompiledModel(model)
    return try backend().read { store in
      let records = try store.state()?.entities ?? []
      return try store.differences(from: EntityNumbering.mapping(of: compiled, records).tables)
    }
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
