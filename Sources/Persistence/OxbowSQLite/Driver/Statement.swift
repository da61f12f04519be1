internal import CSQLite
package import OxbowRelational

/// A prepared statement of one connection.
///
/// Guarded by what guards its connection. A statement is borrowed from the connection's cache by
/// ``Connection/withStatement(_:_:)``, which resets it and clears its values afterwards.
package final class Statement {
  /// SQLite's handle, for the loops that read rows.
  package let handle: OpaquePointer

  /// The text that was prepared.
  package let sql: String

  /// Whether a caller is stepping through it now.
  var isBorrowed = false

  private unowned let connection: Connection

  init(_ sql: String, of connection: Connection) throws {
    self.sql = sql
    self.connection = connection
    var handle: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    var rest = 0
    var text = sql
    let code = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        let code = sqlite3_prepare_v3(
          connection.handle, characters.baseAddress, Int32(characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        if let start = characters.baseAddress, let tail { rest = characters.count - (tail - start) }
        return code
      }
    }
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    guard let handle, rest == 0 else {
      sqlite3_finalize(handle)
      throw SQLiteError(
        code: .error, message: "one statement was expected", sql: sql, path: connection.path)
    }
    self.handle = handle
  }

  func finalize() { sqlite3_finalize(handle) }

  // MARK: Values in

  /// Binds a value to the parameter at `index`, counted from 1; the value is copied.
  package func bind(_ value: SQLValue, at index: Int32) throws {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
    case .real(let real): code = sqlite3_bind_double(handle, index, real)
    case .text(var text):
      code = text.withUTF8 { utf8 in bindText(utf8, at: index) }
    case .blob(let bytes):
      code = bytes.withUnsafeBytes { bytes in bindBlob(bytes, at: index) }
    }
    guard code == SQLITE_OK else { throw connection.error(code, statement: self) }
  }

  /// Binds all values in order, from parameter 1 on.
  package func bind(_ values: [SQLValue]) throws {
    var index: Int32 = 1
    for value in values {
      try bind(value, at: index)
      index += 1
    }
  }

  private func bindText(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
    // A nil pointer would bind NULL, and an empty buffer may have one.
    guard let start = utf8.baseAddress, utf8.count > 0 else {
      return oxbow_sqlite3_bind_text_static(handle, index, "", 0)
    }
    guard let length = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
    return UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: utf8.count) {
      oxbow_sqlite3_bind_text_transient(handle, index, $0, length)
    }
  }

  private func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      return sqlite3_bind_zeroblob(handle, index, 0)
    }
    guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    return oxbow_sqlite3_bind_blob_transient(handle, index, start, length)
  }

  /// Binds bytes without a copy: they must be there until it has run and is cleaned.
  func bindInPlace(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    guard let length = Int32(exactly: bytes.count),
      oxbow_sqlite3_bind_blob_static(handle, index, bytes.baseAddress, length) == SQLITE_OK
    else { throw connection.error(SQLITE_TOOBIG, statement: self) }
  }

  // MARK: Running

  /// Goes to the next row; `false` when there is none.
  package func step() throws -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW:
      connection.countRows(1)
      return true
    case SQLITE_DONE: return false
    default: throw connection.error(code, statement: self)
    }
  }

  /// Runs it with values, and stays borrowed for the next ones.
  func run(_ values: [SQLValue]) throws {
    try bind(values)
    _ = try step()
    reset()
  }

  /// Makes it ready to run again; the values stay bound.
  package func reset() { sqlite3_reset(handle) }

  /// Makes it ready for another borrower.
  func clean() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Tells whether SQLite prepared it anew since the last call, because the schema had changed.
  package func takeRepreparation() -> Bool {
    sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1) != 0
  }

  // MARK: Values out

  /// The number of columns of a row.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The value of a column of the current row, counted from 0.
  package func value(at column: Int) -> SQLValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: return .text(text(at: column))
    case SQLITE_BLOB: return .blob(bytes(at: column))
    default: return .null
    }
  }

  /// The integer in a column of the current row, converted as SQLite does.
  package func integer(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  private func text(at column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func bytes(at column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
