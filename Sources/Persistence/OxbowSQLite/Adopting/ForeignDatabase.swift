package import OxbowModel
package import OxbowRelational

/// A database of another tool: what it has, and which migrations that tool has applied to it.
package struct ForeignDatabase: Sendable {
  /// The tool that keeps a history in the database; `nil` when no history is recognised.
  package var tool: String?

  /// The names of the migrations that were applied, in order.
  package var migrations: [String] = []

  /// The tables, without that of the history.
  package var tables: [(name: String, rows: Int)]

  /// What the tables are.
  package var schema: ForeignSchema

  /// Tables of histories, with the tool and the statement that reads the names.
  static let histories = [
    "grdb_migrations": (
      tool: "GRDB", names: "SELECT identifier FROM grdb_migrations ORDER BY rowid"
    )
  ]

  /// Looks at the database at a path, reading only; `nil` when it is a store, empty, or not there.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` when it is not a database…
  package static func at(_ path: String) throws(PersistenceError) -> ForeignDatabase? {
    do {
      let path = System.realPath(path)
      guard (System.size(path) ?? 0) > 0 else { return nil }
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      return try ReadOnlyProbe.read(path, busyMilliseconds: 5000) { connection in
        guard let schema = try ForeignSchema.read(connection), schema.table("Z_METADATA") == nil
        else { return nil }
        return try ForeignDatabase(schema, connection)
      }
    } catch { throw SQLiteMigrationBackend(path: path).readingFailure(error) }
  }

  private init(_ schema: ForeignSchema, _ connection: Connection) throws {
    self.schema = schema
    tables = schema.tables.map { ($0.name, $0.rows) }
    guard let history = schema.historyTable, let found = Self.histories[history] else { return }
    tool = found.tool
    migrations = try connection.texts(found.names)
  }
}
