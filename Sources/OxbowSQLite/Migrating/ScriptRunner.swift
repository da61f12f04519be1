internal import CSQLite
internal import OxbowModel
internal import OxbowSQL

/// Runs a script's statements inside a transaction that it cannot end.
///
/// A `COMMIT` in a script would end the migration's transaction without an error, and the tables
/// could change without an entry in the history. So SQLite asks `ScriptRules` about everything that
/// a statement does before it runs.
struct ScriptRunner {
  let script: MigrationScript
  let connection: Connection

  /// Runs the statements; returns the tables that they wrote.
  func run(
    _ columns: ReferencingColumns, progress: (StepProgress) -> Void
  ) throws -> TouchedTables {
    let rules = ScriptRules(columns)
    rules.replaces = try ScriptRules.canReplaceRows(script.text, connection)
    try rules.applied(to: connection) { try runStatements(rules, progress) }
    return rules.touched
  }

  private func runStatements(
    _ rules: ScriptRules, _ progress: (StepProgress) -> Void
  ) throws {
    // SQLite copies a text that does not end with a NUL, for each statement all that is left of it.
    var text = script.text + "\0"
    try text.withUTF8 { utf8 in
      try utf8.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return }
        let count = characters.count - 1
        var offset = 0
        while offset < count {
          offset += try runOne(start + offset, count - offset) { skipped in
            location(utf8, offset + skipped)
          } failing: { code, isUnderstood in
            failure(code, isUnderstood, rules)
          }
          progress(.bytes(min(offset, count), of: count))
        }
      }
    }
  }

  /// Runs the first statement of a text; returns the number of bytes that it takes.
  private func runOne(
    _ start: UnsafePointer<CChar>, _ count: Int, location: (Int) -> (line: Int, column: Int),
    failing: (Int32, Bool) -> (String, PersistenceError.Code)
  ) throws -> Int {
    var handle: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    var code = sqlite3_prepare_v3(
      connection.handle, start, Int32(clamping: count + 1), 0, &handle, &tail)
    let length = tail.map { $0 - start } ?? count
    let isUnderstood = code == SQLITE_OK
    if code == SQLITE_OK, let handle {
      repeat { code = sqlite3_step(handle) } while code == SQLITE_ROW
      if code == SQLITE_DONE { code = SQLITE_OK }
    }
    guard code == SQLITE_OK else {
      let error = connection.error(code)
      let (message, kind) = failing(code, isUnderstood)
      sqlite3_finalize(handle)
      // Not the statement's fault.
      if error.isOfTheSystem { throw error }
      let location = location(blanks(start, count))
      throw PersistenceError(
        kind, message, file: script.file, line: location.line, column: location.column)
    }
    sqlite3_finalize(handle)
    return max(1, length)
  }

  /// The bytes before a statement's first word: white space and comments.
  private func blanks(_ start: UnsafePointer<CChar>, _ count: Int) -> Int {
    var index = 0
    var isComment = false
    while index < count {
      let byte = UInt8(bitPattern: start[index])
      if isComment {
        isComment = byte != UInt8(ascii: "\n")
      } else if byte == UInt8(ascii: "-"), index + 1 < count, start[index + 1] == start[index] {
        isComment = true
      } else if byte > UInt8(ascii: " ") {
        return index
      }
      index += 1
    }
    return 0
  }

  private func location(
    _ utf8: UnsafeBufferPointer<UInt8>, _ offset: Int
  ) -> (line: Int, column: Int) {
    let before = utf8[..<min(offset, utf8.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let column = before.count - ((before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1) + 1
    return (script.firstLine + line, column)
  }

  private func failure(
    _ code: Int32, _ isUnderstood: Bool, _ rules: ScriptRules
  ) -> (String, PersistenceError.Code) {
    if let refusal = rules.refusal {
      return ("\(refusal); the script was rolled back", .migrationFile)
    }
    let message = String(cString: sqlite3_errmsg(connection.handle))
    if message == "cannot VACUUM from within a transaction" {
      return ("\(ScriptRules.vacuum); the script was rolled back", .migrationFile)
    }
    // What SQLite does not understand is the file's fault; the rest can be that of the rows.
    return (
      "the statement failed and the script was rolled back: \(message) "
        + "(\(ResultCode(code).name))",
      isUnderstood ? .migration : .migrationFile
    )
  }
}
