package import OxbowModel
internal import OxbowSQL

/// A database of another tool: what it has, and which migrations that tool has applied to it.
package struct ForeignDatabase: Sendable {
  /// The tool that keeps a history in the database; `nil` when no history is recognised.
  package var tool: String?

  /// The names of the migrations that were applied, in order.
  package var migrations: [String] = []

  /// The tables, without that of the history.
  package var tables: [(name: String, rows: Int)]

  /// Tables of histories, with the tool and the statement that reads the names.
  private static let histories = [
    "grdb_migrations": (
      tool: "GRDB", names: "SELECT identifier FROM grdb_migrations ORDER BY rowid"
    )
  ]

  /// Looks at the database at a path, reading only; `nil` when it is a store, empty, or not there.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` when it is no database…
  package static func at(_ path: String) throws(PersistenceError) -> ForeignDatabase? {
    do {
      let path = System.realPath(path)
      guard (System.size(path) ?? 0) > 0 else { return nil }
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      return try ReadOnlyProbe.read(path, busyMilliseconds: 5000) { connection in
        guard case .foreign(let tables) = try StoreMetadata.read(connection),
          !tables.contains("Z_METADATA")
        else { return nil }
        return try ForeignDatabase(tables, connection)
      }
    } catch { throw PersistenceError(error, "reading") }
  }

  private init(_ names: [String], _ connection: Connection) throws {
    let reading = StoreReading(connection)
    let found = Self.histories.first { names.contains($0.key) }
    if let found {
      tool = found.value.tool
      migrations = try connection.rows(found.value.names).compactMap { row in
        if case .text(let name) = row[0] { name } else { nil }
      }
    }
    tables = try names.filter { $0 != found?.key }.map { ($0, try reading.rowCount(of: $0) ?? 0) }
  }
}
