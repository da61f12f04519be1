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
  func run() throws -> TouchedTables {
    let rules = ScriptRules(try ReferencingColumns(connection))
    rules.replaces = try canReplaceRows()
    try withExtendedLifetime(rules) {
      sqlite3_set_authorizer(
        connection.handle,
        { context, action, first, second, _, _ in
          guard let context else { return SQLITE_DENY }
          let rules = Unmanaged<ScriptRules>.fromOpaque(context).takeUnretainedValue()
          return rules.allows(
            action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            ? SQLITE_OK : SQLITE_DENY
        }, Unmanaged.passUnretained(rules).toOpaque())
      defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
      try runStatements(rules)
    }
    return rules.touched
  }

  /// Whether inserting or updating a row may remove another one: SQLite does not ask about that.
  private func canReplaceRows() throws -> Bool {
    let triggers = try LiveTables.texts(
      "SELECT sql FROM sqlite_schema WHERE sql LIKE '%replace%'", [], connection)
    let phrases: Set<String> = ["or replace", "replace into", "conflict replace"]
    return (triggers + [script.text]).contains { text in
      let words = text.lowercased().split { !$0.isLetter }.map(String.init)
      return zip(words, words.dropFirst()).contains { phrases.contains("\($0) \($1)") }
    }
  }

  private func runStatements(_ rules: ScriptRules) throws {
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
          } failing: { code in
            failure(code, rules)
          }
        }
      }
    }
  }

  /// Runs the first statement of a text; returns the number of bytes that it takes.
  private func runOne(
    _ start: UnsafePointer<CChar>, _ count: Int, location: (Int) -> (line: Int, column: Int),
    failing: (Int32) -> (String, PersistenceError.Code)
  ) throws -> Int {
    var handle: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    var code = sqlite3_prepare_v3(
      connection.handle, start, Int32(clamping: count + 1), 0, &handle, &tail)
    let length = tail.map { $0 - start } ?? count
    if code == SQLITE_OK, let handle {
      repeat { code = sqlite3_step(handle) } while code == SQLITE_ROW
      if code == SQLITE_DONE { code = SQLITE_OK }
    }
    guard code == SQLITE_OK else {
      let (message, kind) = failing(code)
      sqlite3_finalize(handle)
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

  private func failure(_ code: Int32, _ rules: ScriptRules) -> (String, PersistenceError.Code) {
    if let refusal = rules.refusal {
      return ("\(refusal); the script was rolled back", .migrationFile)
    }
    let message = String(cString: sqlite3_errmsg(connection.handle))
    return (
      "the statement failed and the script was rolled back: \(message) "
        + "(\(ResultCode(code).name))", .migration
    )
  }
}

/// The columns of each table that refer to another table, or that others refer to.
private struct ReferencingColumns {
  private var own: [String: Set<String>] = [:]
  private var referred: [String: Set<String>] = [:]

  init(_ connection: Connection) throws {
    for row in try connection.rows(
      "SELECT lower(t.name), lower(f.\"table\"), lower(f.\"from\"), lower(f.\"to\") "
        + "FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'")
    {
      guard case .text(let table) = row[0], case .text(let parent) = row[1],
        case .text(let column) = row[2]
      else { continue }
      own[table, default: []].insert(column)
      guard case .text(let key) = row[3] else {
        // The reference names no column: it is the primary key, whichever that is.
        referred[parent, default: []].insert("")
        continue
      }
      referred[parent, default: []].insert(key)
    }
  }

  func refers(_ table: String, _ column: String) -> Bool {
    own[table.lowercased()]?.contains(column.lowercased()) == true
  }

  func isReferred(_ table: String, _ column: String) -> Bool {
    guard let columns = referred[table.lowercased()] else { return false }
    // A key can be written by its other name.
    return columns.contains("") || columns.contains(column.lowercased())
      || column.lowercased() == "rowid"
  }
}

/// What a script may do, and which tables it writes.
private final class ScriptRules {
  /// Why something was not allowed.
  private(set) var refusal: String?

  private(set) var touched = TouchedTables()

  /// Whether a row that is written may replace another one.
  var replaces = false

  private let columns: ReferencingColumns

  init(_ columns: ReferencingColumns) { self.columns = columns }

  /// Pragmas that read, or that act inside the transaction as anywhere else.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "user_version",
    "application_id", "compile_options", "function_list", "collation_list", "data_version",
  ]

  func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    refusal = nil
    switch action {
    case SQLITE_TRANSACTION:
      return refuse(
        "\(first ?? "a transaction statement") is not allowed: each script runs in one "
          + "transaction together with its entry in the history")
    case SQLITE_SAVEPOINT: return refuse("SAVEPOINT, RELEASE and ROLLBACK TO are not allowed")
    case SQLITE_ATTACH, SQLITE_DETACH:
      return refuse("ATTACH and DETACH are not allowed: a step changes one store")
    case SQLITE_PRAGMA:
      let name = (first ?? "").lowercased()
      return Self.pragmas.contains(name)
        || refuse(
          "PRAGMA \(name) is not allowed: inside a transaction it does nothing, or it would "
            + "change what the migration relies on")
    case SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
      return refuse(
        "temporary views and triggers are not allowed: they could make the next "
          + "steps fail")
    case SQLITE_FUNCTION where second?.lowercased() == "load_extension":
      return refuse("load_extension() is not allowed")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE, SQLITE_CREATE_TABLE:
      note(action, first ?? "", second ?? "")
      return allowsTable(first)
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_DROP_INDEX,
      SQLITE_DROP_TRIGGER:
      if action == SQLITE_ALTER_TABLE { touched.areUnknown = true }
      return allowsTable(second)
    default: return true
    }
  }

  private func note(_ action: Int32, _ table: String, _ column: String) {
    switch action {
    case SQLITE_INSERT:
      touched.written.insert(table)
      if replaces { touched.shrunk.insert(table) }
    case SQLITE_UPDATE:
      if columns.refers(table, column) { touched.written.insert(table) }
      if replaces || columns.isReferred(table, column) { touched.shrunk.insert(table) }
    case SQLITE_CREATE_TABLE: touched.written.insert(table)
    default: touched.shrunk.insert(table)
    }
  }

  private func allowsTable(_ name: String?) -> Bool {
    guard let name, name.lowercased().hasPrefix(MetadataTables.prefix) else { return true }
    return refuse("the table '\(name)' is Oxbow's own and may only be read")
  }

  private func refuse(_ text: String) -> Bool {
    refusal = text
    return false
  }
}
