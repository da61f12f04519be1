internal import OxbowModel
internal import OxbowRelational

/// The tables of a store inside a transaction, with foreign keys off where it may write.
struct MigratedStore: MigrationTransaction {
  let connection: Connection
  let schema: SchemaCache

  /// The references that led nowhere when the transaction began, if they had to be looked for.
  let known: ForeignKeyCheck?

  init(
    _ connection: Connection, _ schema: SchemaCache? = nil, known: ForeignKeyCheck? = nil
  ) {
    self.connection = connection
    self.schema = schema ?? SchemaCache(connection)
    self.known = known
  }

  func state() throws -> MigrationState? {
    switch try StoreMetadata.read(connection) {
    case .empty: return nil
    case .coreData: throw PersistenceError.coreDataFile(connection.path)
    case .foreign(let tables): throw PersistenceError.foreignDatabase(tables, connection.path)
    case .store(let metadata): return metadata.state(history: try history())
    }
  }

  func mark() throws -> MigrationMark? {
    let tables = try schema.tableNames()
    guard tables.contains(MetadataTables.metadata.name),
      let hash = try connection.text(MetadataTables.readModelHash)
    else { return nil }
    let last =
      tables.contains(HistoryTable.table.name)
      ? try connection.integer(HistoryTable.last) : nil
    return MigrationMark(modelHash: hash, lastEvent: last ?? 0)
  }

  func foreignSchema() throws -> ForeignSchema? { try ForeignSchema.read(connection) }

  private func history() throws -> [HistoryEntry] {
    guard try schema.tableNames().contains(HistoryTable.table.name) else { return [] }
    return try connection.rows(HistoryTable.read).compactMap(HistoryEntry.init(row:))
  }

  func count(_ condition: DataCheck.Condition) throws -> Int {
    Int(try connection.integer(condition.statement(in: connection.dialect)) ?? 0)
  }

  func integers(_ statement: String) throws -> [Int64] {
    try connection.integers(statement)
  }

  func rowCount(of table: String) throws -> Int? {
    guard try schema.tableNames().contains(table) else { return nil }
    return Int(try connection.integer("SELECT count(*) FROM \(quoted(table))") ?? 0)
  }

  func takenNames(_ migration: TableMigration) throws -> [String] {
    let rows = try connection.rows("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name")
    let taken = rows.compactMap { row -> TableMigration.TakenName? in
      guard case .text(let kind) = row[0], case .text(let name) = row[1],
        case .text(let table) = row[2], kind != "trigger"
      else { return nil }
      return .init(kind: kind, name: name, table: table)
    }
    return migration.taken(taken) { $0.lowercased() }
  }

  func differences(from tables: [TableSchema]) throws -> [String] {
    let names = try schema.tableNames()
    return try tables.flatMap { table -> [String] in
      guard names.contains(table.name) else { return ["table '\(table.name)' is missing"] }
      var live = try schema.table(table.name)
      if !table.boxes.isEmpty {
        live.indexes += try connection.boxIndexes().filter { $0.table == table.name }.map(\.schema)
      }
      return table.differences(from: live)
    }
  }
}
