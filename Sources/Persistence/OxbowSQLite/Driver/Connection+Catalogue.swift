internal import OxbowModel
package import OxbowRelational

extension Connection: Session, Catalogue {
  package var dialect: any Dialect { SQLiteDialect() }

  package func tableNames() throws -> [String] {
    try texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' ORDER BY name")
  }

  package func tableColumns() throws -> [TableSchema] {
    let list = try rows(
      "SELECT t.name, c.name, c.type, c.pk FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c "
        + "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid"
    )
    var tables: [TableSchema] = []
    for row in list {
      guard case .text(let name) = row[0], case .text(let column) = row[1],
        case .text(let type) = row[2]
      else { continue }
      if tables.last?.name != name { tables.append(TableSchema(name: name, isStrict: false)) }
      let last = tables.count - 1
      tables[last].columns.append(
        ColumnSchema(column, ColumnType(rawValue: type.uppercased()) ?? .any))
      if row[3] != .integer(0) { tables[last].primaryKey.append(column) }
    }
    return tables
  }

  package func table(_ name: String) throws -> TableSchema {
    var table = TableSchema(name: name)
    let list = try rows(
      "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(name)])
    table.isWithoutRowID = list.first?[0] == .integer(1)
    table.isStrict = list.first?[1] == .integer(1)
    var keys: [(Int64, String)] = []
    for row in try rows(
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
    table.foreignKeys = try foreignKeys(of: name)
    table.indexes = try indexes(of: name)
    return table
  }

  /// Whether a table is there with these columns: another program may have changed it.
  func hasColumns(_ columns: [String], in name: String) throws -> Bool {
    guard try tableNames().contains(name) else { return false }
    let live = try table(name)
    return columns.allSatisfy { live.column(named: $0) != nil }
  }

  package func requireUTF8() throws {
    let encoding = try text("PRAGMA encoding") ?? "unknown"
    guard encoding != "UTF-8" else { return }
    throw PersistenceError(
      .notAStore,
      "the database '\(path)' keeps its text in \(encoding), and Oxbow needs UTF-8; the encoding "
        + "of a database cannot be changed: remove the file, or choose another path")
  }

  private func foreignKeys(of name: String) throws -> [ForeignKeySchema] {
    try rows(
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

  private func indexes(of table: String) throws -> [IndexSchema] {
    try rows(
      "SELECT l.name, l.\"unique\", l.partial, s.sql FROM pragma_index_list(?) AS l "
        + "JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name "
        + "WHERE l.origin = 'c' ORDER BY l.name", [.text(table)]
    ).compactMap { row in
      guard case .text(let name) = row[0], case .text(let sql) = row[3] else { return nil }
      return IndexSchema(
        name: name, columns: try columns(ofIndex: name),
        isUnique: row[1] == .integer(1),
        condition: row[2] == .integer(1) ? IndexSchema.Condition(parsing: sql) : nil)
    }
  }

  private func columns(ofIndex name: String) throws -> [IndexSchema.Column] {
    try rows(
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

extension PersistenceError {
  /// A store of Core Data, of which a store of Oxbow's own was wanted.
  static func coreDataFile(_ path: String) -> PersistenceError {
    PersistenceError(
      .notAStore,
      "'\(path)' is a store of Core Data, and this is for stores of Oxbow; 'oxbowctl store info' "
        + "describes it, and 'oxbowctl store convert' makes a store of Oxbow of it")
  }

  /// A database that has tables, and none of Oxbow's.
  static func foreignDatabase(_ tables: [String], _ path: String) -> PersistenceError {
    PersistenceError(
      .notAStore,
      "'\(path)' is an SQLite database, but not an Oxbow store: it has the tables "
        + "\(listed(tables)); check the path"
        + (tables.contains("grdb_migrations")
          ? ". It has a history of GRDB: 'oxbowctl migrate baseline' shows it, and takes the database "
            + "over, with --convert also where its tables are not those of a model" : ""))
  }
}
