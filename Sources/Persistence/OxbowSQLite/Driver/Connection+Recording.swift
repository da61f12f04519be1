internal import CSQLite
internal import OxbowRelational
internal import OxbowStore

// Statements are noted for the task that causes them when they are given back. Nothing here runs
// unless a task records (`StatementRecord`).

extension Connection {
  /// Notes what a statement has done since it was lent, if a caller asked for it.
  func note(_ statement: Statement, rows: Int, loggedScans: Int) {
    guard let record = StatementRecord.current else { return }
    let runs = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_RUN, 0)
    let purpose = StatementPurpose(statement.sql)
    guard runs > 0, purpose != .upkeep else { return }
    let scanned = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)
    let indexed = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_AUTOINDEX, 1)
    let work = StatementRecord.Work(
      runs: Int(runs), rows: rows, scannedRows: Int(scanned) + loggedScans,
      indexedRows: Int(indexed))
    record.note(statement.sql, isReading: purpose == .reading, work) { limit in
      // What cannot be explained, because its task was cancelled, is not judged.
      try? scannedTables(of: statement.sql, above: limit)
    }
  }

  /// The tables of more rows than `limit` that a statement reads from the beginning to the end.
  ///
  /// `EXPLAIN QUERY PLAN` names a table by its alias. The program of the statement says which
  /// cursor counts its steps, and which table or index the cursor opens; cursors of virtual tables,
  /// `json_each` among them, are opened otherwise.
  private func scannedTables(of sql: String, above limit: Int) throws -> [String] {
    var roots: [SQLValue: SQLValue] = [:]
    var tables: [String] = []
    for row in try rowsAside("EXPLAIN " + sql) {
      let cursor = row[2]
      switch row[1] {
      case .text("OpenRead"), .text("OpenWrite"), .text("ReopenIdx"):
        roots[cursor] = row[4] == .integer(0) ? row[3] : nil
      case .text("Next"), .text("Prev"):
        guard Self.countsSteps(row[6]) else { continue }
        guard let root = roots[cursor], let table = try table(at: root) else { continue }
        if !tables.contains(table), try has(moreThan: limit, table) { tables.append(table) }
      default: break
      }
    }
    return tables
  }

  private static func countsSteps(_ counter: SQLValue) -> Bool {
    counter == .integer(Int64(SQLITE_STMTSTATUS_FULLSCAN_STEP))
      || counter == .integer(Int64(SQLITE_STMTSTATUS_AUTOINDEX))
  }

  private func table(at root: SQLValue) throws -> String? {
    let sql = "SELECT tbl_name FROM main.sqlite_schema WHERE rootpage = ?"
    guard case .text(let name)? = try rowsAside(sql, [root]).first?.first else { return nil }
    return name
  }

  private func has(moreThan limit: Int, _ table: String) throws -> Bool {
    try !rowsAside("SELECT 1 FROM \(quoted(table)) LIMIT 1 OFFSET ?", [.integer(Int64(limit))])
      .isEmpty
  }

  /// The rows of a statement that is not kept and not counted.
  func rowsAside(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
    let statement = try Statement(sql, of: self)
    defer { statement.finalize() }
    try statement.bind(values)
    var rows: [[SQLValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map(statement.value(at:)))
    }
    return rows
  }
}
