internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

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
    do {
      try rules.applied(to: connection) { try runStatements(rules, progress) }
    } catch let failure as ScriptFailure { throw failure.error(in: script.file) }
    return rules.touched
  }

  /// Runs the statements without recording what they write.
  ///
  /// - Throws: ``ScriptFailure`` for the first that fails.
  func runPlain() throws {
    let rules = ScriptRules(ReferencingColumns())
    try rules.applied(to: connection) { try runStatements(rules) { _ in } }
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
          } failing: { code, isUnderstood, place in
            failure(code, isUnderstood, rules, place)
          }
          progress(.bytes(min(offset, count), of: count))
        }
      }
    }
  }

  /// Runs the first statement of a text; returns the number of bytes that it takes.
  private func runOne(
    _ start: UnsafePointer<CChar>, _ count: Int, location: (Int) -> (line: Int, column: Int),
    failing: (Int32, Bool, (line: Int, column: Int)) -> ScriptFailure
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
      let failure = failing(code, isUnderstood, location(blanks(start, count)))
      sqlite3_finalize(handle)
      // Not the statement's fault.
      throw error.isOfTheSystem ? error : failure
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
    _ code: Int32, _ isUnderstood: Bool, _ rules: ScriptRules, _ place: (line: Int, column: Int)
  ) -> ScriptFailure {
    let message = String(cString: sqlite3_errmsg(connection.handle))
    let isVacuum = message == "cannot VACUUM from within a transaction"
    let refusal = rules.refusal ?? (isVacuum ? ScriptRules.vacuum : nil)
    return ScriptFailure(
      reason: refusal ?? "\(message) (\(ResultCode(code).name))", isRefused: refusal != nil,
      isUnderstood: isUnderstood, line: place.line, column: place.column)
  }
}

extension Connection {
  /// Removes what a script has made for itself: the next one, which may be run by another program,
  /// does not find it.
  func removeTemporaryTables() throws {
    // Tables behind a virtual one come after it, and go with it.
    let names = try texts("SELECT name FROM temp.sqlite_schema WHERE type = 'table' ORDER BY rowid")
    for name in names { try execute("DROP TABLE IF EXISTS temp.\(quoted(name))") }
  }
}
