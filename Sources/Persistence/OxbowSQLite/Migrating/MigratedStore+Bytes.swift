internal import OxbowRelational

extension MigratedStore {
  func bytesByTable() throws -> [String: Int] {
    // Not every SQLite has `dbstat`, and a damaged page must not make a plan fail.
    if let bytes = try? bytesOfPages() { return bytes }
    return try bytesOfRows()
  }

  /// By the pages of each table and index: exact, after reading all of them.
  private func bytesOfPages() throws -> [String: Int] {
    let rows = try connection.rows(
      "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name "
        + "WHERE d.aggregate = TRUE GROUP BY s.tbl_name")
    return Self.numbers(rows)
  }

  /// By the number of rows, as if all rows of the store were equally long.
  private func bytesOfRows() throws -> [String: Int] {
    let size = try connection.integer("PRAGMA page_size") ?? 0
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let rows = try connection.tableNames().map { ($0, try rowCount(of: $0) ?? 0) }
    let all = max(1, rows.reduce(0) { $0 + $1.1 })
    return Dictionary(rows.map { ($0, Int(size * pages) / all * $1) }) { first, _ in first }
  }

  private static func numbers(_ rows: [[SQLValue]]) -> [String: Int] {
    var result: [String: Int] = [:]
    for row in rows {
      guard case .text(let table) = row[0], case .integer(let bytes) = row[1] else { continue }
      result[table] = Int(bytes)
    }
    return result
  }
}
