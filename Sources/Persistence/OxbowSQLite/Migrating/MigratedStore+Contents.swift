internal import OxbowModel
internal import OxbowRelational

extension MigratedStore {
  func contents(leavingOut columns: [String: Set<String>]) throws -> [String: TableContents] {
    var result = try views()
    for name in try connection.tableNames() where !name.hasPrefix(MetadataTables.prefix) {
      var structure = try connection.table(name)
      structure.columns.sort { $0.name < $1.name }
      structure.foreignKeys.sort { ($0.column, $0.table) < ($1.column, $1.table) }
      result[name] = try contents(of: structure, without: columns[name] ?? [])
    }
    for (table, names) in try triggers() { result[table]?.triggers = names.sorted() }
    return result
  }

  /// The views, by name; what they show follows from tables.
  private func views() throws -> [String: TableContents] {
    let names = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'view'")
    return Dictionary(
      names.map { name in
        var view = TableContents(structure: TableSchema(name: name), rows: 0, hash: "")
        view.kind = .view
        return (name, view)
      }
    ) { first, _ in first }
  }

  /// The names of the triggers of others, by table or view.
  ///
  /// Their texts do not count: SQLite changes the names in them.
  private func triggers() throws -> [String: [String]] {
    let rows = try connection.rows(
      "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'trigger'")
    var result: [String: [String]] = [:]
    for row in rows {
      guard case .text(let table) = row[0], case .text(let name) = row[1],
        !name.hasPrefix(MetadataTables.prefix)
      else { continue }
      result[table, default: []].append(name)
    }
    return result
  }

  /// The sum of the rows' hashes, so that their order does not count.
  private func contents(
    of table: TableSchema, without others: Set<String>
  ) throws -> TableContents {
    let columns = table.columns.map(\.name).filter {
      $0 != PlainLayout.versionColumn && !others.contains($0)
    }
    let list = columns.map { quoted($0) }.joined(separator: ", ")
    var sum = [UInt64](repeating: 0, count: 4)
    var count = 0
    let sql = "SELECT \(list.isEmpty ? "1" : list) FROM \(quoted(table.name))"
    try connection.withStatement(sql) { statement in
      while try statement.step() {
        var hash = SHA256()
        for column in 0..<statement.columnCount {
          hash.update(try statement.deliveredValue(at: column))
        }
        let digits = hash.hexadecimalDigits
        for part in 0..<4 {
          let start = digits.index(digits.startIndex, offsetBy: 16 * part)
          sum[part] &+= UInt64(digits[start...].prefix(16), radix: 16) ?? 0
        }
        count += 1
      }
    }
    return TableContents(
      structure: table, rows: count,
      hash: sum.map { String($0, radix: 16) }.joined(separator: "-"))
  }
}

extension SHA256 {
  /// Adds a value, so that two values never look like another one.
  fileprivate mutating func update(_ value: SQLValue) {
    let bytes: [UInt8]
    switch value {
    case .null: bytes = []
    case .integer(let number): bytes = Array(String(number).utf8)
    case .real(let number): bytes = Array(String(number.bitPattern).utf8)
    case .text(let text): bytes = Array(text.utf8)
    case .blob(let blob): bytes = blob
    }
    update(Array("\(value.typeName) \(bytes.count) ".utf8)[...])
    update(bytes[...])
  }
}
