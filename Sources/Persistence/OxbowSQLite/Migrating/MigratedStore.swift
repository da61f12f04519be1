internal import OxbowModel
internal import OxbowRelational

/// The tables of a store inside a transaction, with foreign keys off where it may write.
struct MigratedStore: MigratedTables {
  let connection: Connection
  let schema: SchemaCache

  /// The references that led nowhere when the transaction began, if they had to be looked for.
  let known: ForeignKeyCheck?

  let names = NamesAtStart()

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

  var session: Connection { connection }
  func tableNames() throws -> [String] { try schema.tableNames() }

  func foreignSchema() throws -> ForeignSchema? { try ForeignSchema.read(connection) }

  func count(_ condition: DataCheck.Condition) throws -> Int {
    Int(try connection.integer(condition.statement(in: connection.dialect)) ?? 0)
  }

  func takenNames(_ migration: TableMigration) throws -> [String] {
    let rows = try connection.rows("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name")
    return migration.taken(rows) { $0.lowercased() }
  }

  func differences(from tables: [TableSchema]) throws -> [String] {
    let names = try tableNames()
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
