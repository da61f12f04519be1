import CSQLite
import Foundation

/// Reads a store with SQLite alone, as any tool can.
struct StoreReader {
  let path: String

  /// The rows of a query, their columns joined by tabs.
  func rows(_ sql: String) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database)))
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database)))
    }
    var rows: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(row(of: statement))
      case SQLITE_DONE: return rows
      default: throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database)))
      }
    }
  }

  private func row(of statement: OpaquePointer?) -> String {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
    }.joined(separator: "\t")
  }

  func count(_ table: String) throws -> Int {
    try Int(rows("SELECT count(*) FROM \"\(table)\"")[0]) ?? -1
  }

  /// The paths of all files, sorted.
  func paths() throws -> [String] {
    try rows(
      "SELECT d.path || '/' || f.name FROM File f JOIN Folder d ON d._id = f.folder"
    ).sorted()
  }

  /// Every file with what the catalog keeps of it.
  func contents(date: String = "modified") throws -> [String] {
    try rows(
      "SELECT d.path, f.name, hex(f.rawName), f.kind, f.size, f.\(date) FROM File f "
        + "JOIN Folder d ON d._id = f.folder ORDER BY 1, 2")
  }

  /// The version of each file's row.
  func versions() throws -> [String] {
    try rows(
      "SELECT d.path || '/' || f.name, f._version FROM File f JOIN Folder d ON d._id = f.folder "
        + "ORDER BY 1")
  }

  /// What must hold in every store of the catalog: no row comes up.
  func contradictions() throws -> [String] {
    let integrity = try rows("PRAGMA integrity_check").filter { $0 != "ok" }
    let links = try rows("PRAGMA foreign_key_check")
    let twice = try rows(
      "SELECT 'twice', folder, name, count(*) FROM File GROUP BY folder, rawName "
        + "HAVING count(*) > 1")
    let foldersTwice = try rows(
      "SELECT 'twice', path FROM Folder GROUP BY path HAVING count(*) > 1")
    let kinds = try rows(
      """
      SELECT 'kind', name, fileCount, byteCount FROM Kind k
      WHERE fileCount <> (SELECT count(*) FROM File f WHERE f.kind = k.name)
      OR byteCount <> (SELECT coalesce(sum(size), 0) FROM File f WHERE f.kind = k.name)
      """)
    let missing = try rows(
      "SELECT DISTINCT 'no kind', kind FROM File WHERE kind NOT IN (SELECT name FROM Kind)")
    let folders = try rows(
      """
      SELECT 'folder', path, byteCount FROM Folder d
      WHERE byteCount <> (SELECT coalesce(sum(size), 0) FROM File f WHERE f.folder = d._id)
      """)
    return integrity + links + twice + foldersTwice + kinds + missing + folders
  }
}

struct SQLiteFailure: Error {
  let message: String
}

/// A transaction of another program that has begun to write.
final class OpenTransaction {
  private var database: OpaquePointer?

  init(path: String) throws {
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
    else { throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database))) }
  }

  func end() {
    sqlite3_close_v2(database)
    database = nil
  }

  deinit { end() }
}
