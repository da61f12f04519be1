internal import OxbowModel
internal import OxbowRelational

extension ForeignSchema {
  /// Reads the tables of a database; `nil` for a store and for an empty file.
  static func read(_ connection: Connection) throws -> ForeignSchema? {
    let names: [String]
    switch try StoreMetadata.read(connection) {
    case .foreign(let tables): names = tables
    case .coreData(let tables): names = tables.names
    case .store, .empty: return nil
    }
    let kinds = try kinds(connection)
    let history = names.first { ForeignDatabase.histories[$0] != nil }
    let lastKeys = try lastKeys(connection)
    return ForeignSchema(
      tables: try names.filter { $0 != history }.map { name in
        try table(name, kinds[name] ?? .ordinary, lastKeys[name], connection)
      },
      parts: try connection.rows(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY 1, 2"
      ).compactMap { row in
        guard case .text(let type) = row[0], case .text(let name) = row[1] else { return nil }
        return Part(type: type, name: name)
      }, historyTable: history,
      isUTF8: try connection.text("PRAGMA encoding") == "UTF-8")
  }

  private static func kinds(_ connection: Connection) throws -> [String: Table.Kind] {
    var kinds: [String: Table.Kind] = [:]
    for row in try connection.rows("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
    {
      guard case .text(let name) = row[0] else { continue }
      if row[1] == .text("virtual") { kinds[name] = .virtual }
      if row[1] == .text("shadow") { kinds[name] = .shadow }
    }
    return kinds
  }

  /// The keys that `AUTOINCREMENT` remembers.
  private static func lastKeys(_ connection: Connection) throws -> [String: Int64] {
    let exists = try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    guard exists == 1 else { return [:] }
    var keys: [String: Int64] = [:]
    for row in try connection.rows("SELECT name, seq FROM sqlite_sequence") {
      if case .text(let name) = row[0], case .integer(let key) = row[1] { keys[name] = key }
    }
    return keys
  }

  private static func table(
    _ name: String, _ kind: Table.Kind, _ lastKey: Int64?, _ connection: Connection
  ) throws -> Table {
    // A module's tables belong to it, and their rows cannot always be read.
    guard kind == .ordinary else {
      let rows = try? connection.integer("SELECT count(*) FROM \(quoted(name))")
      return Table(name: name, kind: kind, columns: [], rows: Int(rows.flatMap { $0 } ?? 0))
    }
    let plain = try connection.table(name)
    var table = Table(
      name: name, columns: try columns(name, connection), primaryKey: plain.primaryKey,
      references: try references(name, connection), indexes: try indexes(name, connection),
      isWithoutRowID: plain.isWithoutRowID,
      rows: Int(try connection.integer("SELECT count(*) FROM \(quoted(name))") ?? 0),
      lastKey: lastKey)
    table.definition = try connection.text(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)])
    return table
  }

  private static func columns(_ table: String, _ connection: Connection) throws -> [Column] {
    // Hidden columns are those of modules; generated ones have values.
    try connection.rows(
      "SELECT name, type, \"notnull\", dflt_value, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 "
        + "ORDER BY cid", [.text(table)]
    ).compactMap { row throws -> Column? in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      var column = Column(name, type, isRequired: row[2] == .integer(1))
      if case .text(let text) = row[3] { column.defaultText = text }
      column.isGenerated = row[4] == .integer(2) || row[4] == .integer(3)
      if column.attributeType == nil {
        column.found = try Self.type(ofValues: name, table, connection)
      }
      return column
    }
  }

  /// The type that all values of a column have; `nil` when there are none, or of several types.
  private static func type(
    ofValues column: String, _ table: String, _ connection: Connection
  ) throws -> AttributeType? {
    let rows = try connection.rows(
      "SELECT DISTINCT typeof(\(quoted(column))) FROM \(quoted(table)) WHERE \(quoted(column)) "
        + "IS NOT NULL LIMIT 2")
    guard rows.count == 1, case .text(let name) = rows[0][0] else { return nil }
    return ["integer": .integer64, "real": .double, "text": .string, "blob": .binaryData][name]
  }

  private static func references(_ table: String, _ connection: Connection) throws -> [Reference] {
    var references: [Int64: Reference] = [:]
    for row in try connection.rows(
      "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) "
        + "ORDER BY id, seq", [.text(table)])
    {
      guard case .integer(let id) = row[0], case .text(let parent) = row[1],
        case .text(let column) = row[2], case .text(let action) = row[4]
      else { continue }
      var reference =
        references[id] ?? Reference(columns: [], table: parent, keys: [], onDelete: action)
      reference.columns.append(column)
      if case .text(let key) = row[3] { reference.keys.append(key) }
      references[id] = reference
    }
    // SQLite numbers them from the last to the first.
    return references.sorted { $0.key > $1.key }.map(\.value)
  }

  private static func indexes(_ table: String, _ connection: Connection) throws -> [Index] {
    try connection.rows(
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) WHERE origin <> 'pk' "
        + "ORDER BY name", [.text(table)]
    ).compactMap { row in
      guard case .text(let name) = row[0] else { return nil }
      let columns = try connection.rows(
        "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno", [.text(name)])
      let names = columns.compactMap { row -> String? in
        if case .text(let name) = row[0] { name } else { nil }
      }
      var index = Index(
        name: row[2] == .text("c") ? name : nil, columns: names, isUnique: row[1] == .integer(1),
        isPlain: row[3] == .integer(0) && names.count == columns.count)
      index.collations = columns.compactMap { row in
        if case .text(let name) = row[1], name != "BINARY" { name } else { nil }
      }
      return index
    }
  }
}
