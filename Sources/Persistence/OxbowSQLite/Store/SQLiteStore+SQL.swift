internal import CSQLite
internal import OxbowFoundation
package import OxbowModel
internal import OxbowRelational
package import OxbowStore

// Statements that a program writes itself. They only read: a text is looked at before SQLite sees
// it, because SQLite runs some statements while it prepares them, and SQLite is asked afterwards.

extension SQLiteStore {
  package func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] {
    try read(sql) { connection, state in
      try self.withStatement(sql, connection, state) { statement in
        let columns = SQLRow.Columns(statement.columnNames)
        var rows: [SQLRow] = []
        while try statement.step() {
          rows.append(
            SQLRow(columns, try columns.indices.map { try statement.attributeValue(at: $0) }))
        }
        return rows
      }
    }
  }

  package func rows(
    of entity: Int, keysFrom sql: SQLText
  ) throws(PersistenceError) -> KeyedRows {
    try read(sql) { connection, state in
      try connection.transaction(.read) {
        let keys = try self.keys(of: entity, from: sql, connection, state)
        let slabs = try self.rows(of: entity, keys: keys, connection, state)
        try self.model.requireAll(keys, in: slabs, of: entity, sql)
        return KeyedRows(slabs: slabs, keys: keys)
      }
    }
  }

  /// The keys that a statement gives.
  private func keys(
    of entity: Int, from sql: SQLText, _ connection: Connection, _ state: StoreState
  ) throws -> [Int64] {
    try withStatement(sql, connection, state) { statement in
      let column = try state.mapping.entities[entity].keyPlace(among: statement.columnNames, sql)
      var keys: [Int64] = []
      while try statement.step() { keys.append(try statement.value(at: column).key(in: sql)) }
      return keys
    }
  }

  /// Lends the prepared statement of a text, its values bound.
  private func withStatement<R>(
    _ sql: SQLText, _ connection: Connection, _ state: StoreState,
    _ body: (Statement) throws -> R
  ) throws -> R {
    let fragment = try state.mapping.reading(sql, store: identifier)
    return try connection.withStatement(fragment.text) { statement in
      guard statement.isReading else { throw PersistenceError.sqlWrites(nil, sql) }
      try statement.bind(fragment.values)
      return try body(statement)
    }
  }

  /// Reads, and says of an error of SQLite what it means for a text of a program.
  private func read<R>(
    _ sql: SQLText, _ body: (Connection, StoreState) throws -> R
  ) throws(PersistenceError) -> R {
    do { return try read(body) } catch {
      guard error.code == .statementFailed,
        let reason = error.details.first(where: { $0.label == "SQLite" })?.text
      else { throw error }
      throw try current(or: error).mapping.invalidSQL(reason, sql)
    }
  }

  private func current(or error: PersistenceError) throws(PersistenceError) -> StoreState {
    guard let state = try? current() else { throw error }
    return state
  }
}

extension StoreMapping {
  /// What SQLite does not know in a text, with near names.
  fileprivate func invalidSQL(_ reason: String, _ sql: SQLText) -> PersistenceError {
    let message = reason.drop { $0 != ":" }.dropFirst(2)
    let name = message.split(separator: " ").last.map { $0.split(separator: ".").last ?? $0 }
    var names: [String] = []
    if message.hasPrefix("no such table") { names = tables.map(\.name) }
    if message.hasPrefix("no such column") {
      names = Array(Set(tables.flatMap { $0.columns.map(\.name) }))
    }
    return .invalidSQL(
      String(message),
      sql, nearNames: PersistenceError.nearNames(to: String(name ?? ""), among: names))
  }
}

extension SQLRow.Columns {
  fileprivate var indices: Range<Int> { 0..<count }
}

extension Statement {
  /// Whether it changes nothing and gives rows.
  fileprivate var isReading: Bool {
    sqlite3_stmt_readonly(handle) != 0 && sqlite3_column_count(handle) > 0
  }

  fileprivate var columnNames: [String] {
    (0..<columnCount).map { column in
      sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
    }
  }

  /// The value of a column of the current row as an attribute's.
  fileprivate func attributeValue(
    at column: Int
  ) throws(PersistenceError) -> AttributeValue? {
    switch value(at: column) {
    case .null: nil
    case .integer(let number): .integer(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes):
      .data(
        Data(
          try ExternalFolder.bytes(bytes, "the column '\(columnNames[column])'", handle) ?? bytes))
    }
  }
}
