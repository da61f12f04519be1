import CSQLite

/// A SQLite file, read with the library alone.
final class PlainFile {
  private var handle: OpaquePointer?

  struct Failure: Error {
    let message: String
  }

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Failure(message: "cannot open \(path)")
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// The rows of a statement; each cell as SQLite's `quote` writes it, so that 1, '1' and 1.0
  /// differ.
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))) in \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
    return rows
  }

  /// The names of a table's columns; none when there is no such table.
  func columns(_ table: String) throws -> Set<String> {
    Set(try rows("SELECT name FROM pragma_table_info('\(table)')").map { $0[0] })
  }
}
