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

  /// The references that led nowhere when the transaction began, where somebody had to look.
  private let known: ForeignKeyCheck?

  init(_ connection: Connection, known: ForeignKeyCheck? = nil) {
    self.connection = connection
    self.known = known
    reading = StoreReading(connection)
  }

  func state() throws -> MigrationState? { try reading.state() }
  func mark() throws -> MigrationMark? { try reading.mark() }
  func count(_ condition: DataCheck.Condition) throws -> Int { try reading.count(condition) }
  func rowCount(of table: String) throws -> Int? { try reading.rowCount(of: table) }
  func takenNames(_ migration: TableMigration) throws -> [String] {
    try reading.takenNames(migration)
  }
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
    try guarded {
      for part in program.parts {
        switch part {
        case .statements(let operation):
          for statement in operation.statements { try connection.execute(statement) }
        case .rebuild(let rebuild): try rebuild.run(on: connection)
        }
      }
      let touched = program.touched
      try renameStatistics(touched.namesBefore)
      return touched
    }
  }

  /// What `ANALYZE` found out about a table stays with it: SQLite leaves the rows under the old name.
  private func renameStatistics(_ namesBefore: [String: String]) throws {
    guard !namesBefore.isEmpty,
      try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") == 1
    else { return }
    let cases = namesBefore.map { _ in "WHEN ? THEN ?" }.joined(separator: " ")
    try connection.run(
      "UPDATE sqlite_stat1 SET tbl = CASE tbl \(cases) ELSE tbl END",
      namesBefore.flatMap { [.text($0.value), .text($0.key)] })
  }

  func run(_ script: MigrationScript) throws {
    try guarded { try ScriptRunner(script: script, connection: connection).run() }
  }

  /// Runs a change, and looks whether views, triggers and references are no worse afterwards.
  private func guarded(_ body: () throws -> TouchedTables) throws {
    let probe = try SchemaProbe(connection)
    let references = try TableReferences(connection)
    let touched = try body()
    let broken = try SchemaProbe(connection).newlyBroken(since: probe)
    guard broken.isEmpty else {
      throw PersistenceError(
        .migrationRefused,
        "views or triggers of the store would not work any more; drop them with a script before "
          + "this step, and make them again after it",
        details: broken.map { .init(label: "Broken", text: $0) })
    }
    let after = try TableReferences(connection)
    let orphans = after.orphans(since: references)
    guard orphans.isEmpty else {
      throw PersistenceError(
        .migrationRefused,
        "tables would refer to a table that the step removes, and could not be written any more; "
          + "change or drop them with a script before this step",
        details: orphans.map { .init(label: "References", text: $0) })
    }
    try checkReferences(touched, references, after)
  }

  private func checkReferences(
    _ touched: TouchedTables, _ before: TableReferences, _ after: TableReferences
  ) throws {
    let tables = try touched.referring(before, after, connection)
    let check = try ForeignKeyCheck(tables, connection, names: touched.namesBefore)
    let worse = check.worse(than: known)
    guard !worse.isEmpty else { return }
    guard known != nil else {
      throw UnknownViolations(tables: Set(tables.map { touched.namesBefore[$0] ?? $0 }))
    }
    throw PersistenceError(
      .migrationRefused, "the step would leave references that lead nowhere, and was rolled back",
      details: worse.map { .init(label: "References", text: $0) })
  }
}

/// The tables whose references a step may have changed.
struct TouchedTables {
  /// Tables whose own rows may refer to something else now.
  var written: Set<String> = []

  /// Tables that lost rows, or their keys: those that refer to them are looked at.
  var shrunk: Set<String> = []

  /// Whether it cannot be told which.
  var areUnknown = false

  /// The names that tables had before the step, where it renamed them.
  var namesBefore: [String: String] = [:]

  fileprivate func referring(
    _ before: TableReferences, _ after: TableReferences, _ connection: Connection
  ) throws -> Set<String> {
    if areUnknown { return Set(try LiveTables.names(connection)) }
    let live = try LiveTables.names(connection)
    let lower = Set(written.map { $0.lowercased() })
    return Set(live.filter { lower.contains($0.lowercased()) })
      .union(before.referrers(to: shrunk)).union(after.referrers(to: shrunk))
  }
}

extension TableProgram {
  /// A table that is written anew keeps its keys, so only its own references are looked at.
  fileprivate var touched: TouchedTables {
    var touched = TouchedTables(
      shrunk: Set(migration.removedTables + migration.removals.map(\.table)))
    for part in parts {
      switch part {
      case .rebuild(let rebuild): touched.written.insert(rebuild.target.table.name)
      case .statements(let operation) where operation.kind == .fill:
        touched.written.insert(operation.table)
      case .statements: break
      }
    }
    for target in migration.targets {
      if case .table(let name) = target.origin, name != target.table.name {
        touched.namesBefore[target.table.name] = name
      }
    }
    return touched
  }
}
