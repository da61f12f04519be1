internal import OxbowModel
internal import OxbowSQL

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A write transaction of a migration, with foreign keys off.
struct SQLiteMigrationTransaction: MigrationTransaction {
  private let connection: Connection
  private let reading: StoreReading

  init(_ connection: Connection) {
    self.connection = connection
    reading = StoreReading(connection)
  }

  func state() throws -> MigrationState? { try reading.state() }
  func count(_ condition: DataCheck.Condition) throws -> Int { try reading.count(condition) }
  func rowCount(of table: String) throws -> Int? { try reading.rowCount(of: table) }
  func differences(from tables: [TableSchema]) throws -> [String] {
    try reading.differences(from: tables)
  }

  func createStore(layout: String, layoutVersion: Int) throws {
    for table in MetadataTables.all {
      for definition in table.definitions { try connection.execute(definition) }
    }
    let facts: [(MetadataTables.Fact, SQLValue)] = [
      (.identifier, .text(UUID().uuidString)), (.layout, .text(layout)),
      (.layoutVersion, .integer(Int64(layoutVersion))), (.saves, .integer(0)),
    ]
    for (fact, value) in facts { try write(fact.rawValue, value) }
  }

  private func write(_ fact: String, _ value: SQLValue) throws {
    try connection.run(MetadataTables.writeFact, [.text(fact), value])
  }

  func setModel(_ record: ModelRecord) throws {
    try write(MetadataTables.Fact.modelHash.rawValue, .text(record.hash))
    try write(MetadataTables.Fact.model.rawValue, .text(record.document))
    try connection.run(MetadataTables.clearEntities)
    for entity in record.entities {
      try connection.run(
        MetadataTables.writeEntity,
        [.integer(entity.number), .text(entity.name), .text(entity.hash)])
    }
    try connection.execute(MetadataTables.dropKeys(except: record.roots))
    for root in record.roots { try connection.run(MetadataTables.addKeys, [.integer(root)]) }
  }

  func append(_ entry: HistoryEntry) throws {
    if !(try LiveTables.names(connection).contains(HistoryTable.table.name)) {
      for definition in HistoryTable.table.definitions { try connection.execute(definition) }
    }
    try connection.run(HistoryTable.append, entry.values)
  }
}

// MARK: - Changes

extension SQLiteMigrationTransaction {
  func run(_ migration: TableMigration) throws {
    let program = TableProgram(migration)
    try guarded(before: migration.before.map(\.name), after: program.checkedTables) {
      for part in program.parts {
        switch part {
        case .statements(let operation):
          for statement in operation.statements { try connection.execute(statement) }
        case .rebuild(let rebuild): try rebuild.run(on: connection)
        }
      }
    }
  }

  func run(_ script: MigrationScript) throws {
    let tables = try LiveTables.names(connection)
    try guarded(before: tables, after: nil) {
      try ScriptRunner(script: script, connection: connection).run()
    }
  }

  /// Runs a change, and looks whether views, triggers and references are no worse afterwards.
  private func guarded(before: [String], after: [String]?, _ body: () throws -> Void) throws {
    let probe = try SchemaProbe(connection)
    let violations = after == [] ? 0 : try ForeignKeyCheck(before, connection).total
    try body()
    let broken = try SchemaProbe(connection).newlyBroken(since: probe)
    guard broken.isEmpty else {
      throw PersistenceError(
        .migrationRefused,
        "views or triggers of the store would not work any more; drop them with a script before "
          + "this step, and make them again after it",
        details: broken.map { .init(label: "Broken", text: $0) })
    }
    let tables = try after ?? LiveTables.names(connection)
    let worse = try ForeignKeyCheck(tables, connection).worse(than: violations)
    guard worse.isEmpty else {
      throw PersistenceError(
        .migration, "the step would leave references that lead nowhere, and was rolled back",
        details: worse.map { .init(label: "References", text: $0) })
    }
  }
}

extension TableProgram {
  /// The tables whose references are looked at: all, when a table is written anew or goes.
  fileprivate var checkedTables: [String] {
    let isMoved = parts.contains { part in
      switch part {
      case .rebuild: true
      case .statements(let operation): operation.kind == .drop || operation.kind == .fill
      }
    }
    return isMoved ? migration.after.map(\.name) : []
  }
}
