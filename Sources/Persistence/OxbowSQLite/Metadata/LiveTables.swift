internal import OxbowSQL

/// Reads what a database says of its tables.
enum LiveTables {
  /// The names of all tables but SQLite's own.
  static func names(_ connection: Connection) throws -> [String] {
    try connection.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' ORDER BY name")
  }

  /// Returns a table as the mapping would describe it.
  static func table(_ name: String, _ connection: Connection) throws -> TableSchema {
    var table = TableSchema(name: name)
    let list = try connection.rows(
      "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(name)])
    table.isWithoutRowID = list.first?[0] == .integer(1)
    table.isStrict = list.first?[1] == .integer(1)
    var keys: [(Int64, String)] = []
    for row in try connection.rows(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) ORDER BY cid", [.text(name)])
    {
      guard case .text(let column) = row[0], case .text(let type) = row[1],
        case .integer(let key) = row[3]
      else { continue }
      if key > 0 { keys.append((key, column)) }
      // A primary key's column is required, whether it says so or not.
      table.columns.append(
        ColumnSchema(
          column, ColumnType(rawValue: type.uppercased()) ?? .any,
          isRequired: row[2] == .integer(1) || key > 0))
    }
    table.primaryKey = keys.sorted { $0.0 < $1.0 }.map(\.1)
    table.foreignKeys = try foreignKeys(name, connection)
    table.indexes = try indexes(name, connection)
    return table
  }

  private static func foreignKeys(
    _ name: String, _ connection: Connection
  ) throws -> [ForeignKeySchema] {
    try connection.rows(
      "SELECT \"from\", \"table\", coalesce(\"to\", ''), on_delete, on_update "
        + "FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.text(name)]
    ).compactMap { row in
      guard case .text(let column) = row[0], case .text(let table) = row[1],
        case .text(let key) = row[2], case .text(let delete) = row[3],
        case .text(let update) = row[4]
      else { return nil }
      // The context applies the delete rules; an action of the database is another foreign key.
      let action = delete == "NO ACTION" && update == "NO ACTION" ? "" : " \(delete) \(update)"
      return ForeignKeySchema(column: column, table: table, key: key + action)
    }
  }

  private static func indexes(_ table: String, _ connection: Connection) throws -> [IndexSchema] {
    try connection.rows(
      "SELECT l.name, l.\"unique\", l.partial, s.sql FROM pragma_index_list(?) AS l "
        + "JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name "
        + "WHERE l.origin = 'c' ORDER BY l.name", [.text(table)]
    ).compactMap { row in
      guard case .text(let name) = row[0], case .text(let sql) = row[3] else { return nil }
      return IndexSchema(
        name: name, columns: try columns(ofIndex: name, connection),
        isUnique: row[1] == .integer(1),
        condition: row[2] == .integer(1) ? IndexSchema.Condition(parsing: sql) : nil)
    }
  }

  private static func columns(
    ofIndex name: String, _ connection: Connection
  ) throws -> [IndexSchema.Column] {
    try connection.rows(
      "SELECT coalesce(name, ''), \"desc\", coll FROM pragma_index_xinfo(?) WHERE \"key\" = 1 "
        + "ORDER BY seqno", [.text(name)]
    ).compactMap { row in
      guard case .text(let column) = row[0] else { return nil }
      let collation = row[2] == .text("BINARY") ? "" : " COLLATE"
      return IndexSchema.Column(column + collation, isAscending: row[1] == .integer(0))
    }
  }
}

extension IndexSchema.Condition {
  /// The condition of a partial index as the mapping writes it; another one has no values.
  fileprivate init(parsing sql: String) {
    self.init(column: "", values: [])
    let words = sql.split(separator: " WHERE ", omittingEmptySubsequences: false)
    guard words.count > 1, let text = words.last else { return }
    let parts = text.split(separator: " IN (", maxSplits: 1)
    guard parts.count == 2, parts[0].first == "\"", parts[1].last == ")" else { return }
    let numbers = parts[1].dropLast().split(separator: ", ").map(String.init)
    let values = numbers.compactMap { Int64($0) }
    guard values.count == numbers.count else { return }
    self.init(column: String(parts[0].dropFirst().dropLast()), values: values)
  }
}
