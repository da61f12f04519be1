import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowTestSupport

/// A store of any kind whose migrations are tried.
protocol MigrationLab {
  var database: any MigrationBackend & Sendable { get }

  var folder: TemporaryFolder { get }

  /// The folder of the migration files.
  var migrations: String { get }

  /// Runs statements as another program would.
  func run(_ sql: String) throws

  /// Rows as text, columns separated by "|".
  func rows(_ sql: String) throws -> [String]

  /// The names of a table's columns.
  func columns(of table: String) throws -> [String]

  /// What the engine itself finds wrong.
  func problems() throws -> [String]

  /// The message of the error that `body` throws, without the names of this run.
  func message(_ body: () throws -> Void) -> String
}

extension MigrationLab {
  func add(_ model: ManagedObjectModel, _ name: String = "step") throws {
    _ = try MigrationSequence(folder: migrations).addModelStep(named: name, to: model)
  }

  @discardableResult
  func add(sql: String, _ name: String = "script", model: String = "unchanged") throws -> String {
    let id = try MigrationSequence(folder: migrations).nextID
    return try folder.write(
      "-- oxbow: model \(model)\n\(sql)\n", to: "Migrations/\(id)_\(name).sql")
  }

  /// Migrates to the model without a file.
  func infer(_ model: ManagedObjectModel, allowsLoss: Bool = false) throws -> [AppliedStep] {
    try Migrator(database, target: model).apply(allowsLoss: allowsLoss)
  }

  /// Makes a store of a model, with rows.
  func fill(_ model: ManagedObjectModel, _ sql: String) throws {
    _ = try infer(model)
    try run(sql)
  }

  /// What distinguishes the store's tables from those that a new store of the model would have.
  func differences(from model: ManagedObjectModel) throws -> [String] {
    let compiled = try CompiledModel(model)
    return try database.read { store in
      let records = try store.state()?.entities ?? []
      return try store.differences(
        from: EntityNumbering.mapping(of: compiled, records, in: database.dialect).tables)
    }
  }
}
