internal import CSQLite
internal import OxbowRelational

/// The columns of each table that refer to another table, or that others refer to.
struct ReferencingColumns {
  private var own: [String: Set<String>] = [:]
  private var referred: [String: Set<String>] = [:]

  /// None: what the script writes is not needed.
  init() {}

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
final class ScriptRules {
  /// Why something was not allowed.
  private(set) var refusal: String?

  private(set) var touched = TouchedTables()

  /// Whether a row that is written may replace another one.
  var replaces = false

  private let columns: ReferencingColumns

  init(_ columns: ReferencingColumns) { self.columns = columns }

  /// Runs `body` while SQLite asks these rules about each statement.
  func applied<R>(to connection: Connection, _ body: () throws -> R) throws -> R {
    try withExtendedLifetime(self) {
      sqlite3_set_authorizer(
        connection.handle,
        { context, action, first, second, _, trigger in
          guard let context else { return SQLITE_DENY }
          let rules = Unmanaged<ScriptRules>.fromOpaque(context).takeUnretainedValue()
          return rules.allows(
            action, first.map { String(cString: $0) }, second.map { String(cString: $0) },
            trigger: trigger.map { String(cString: $0) })
            ? SQLITE_OK : SQLITE_DENY
        }, Unmanaged.passUnretained(self).toOpaque())
      defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
      return try body()
    }
  }

  /// Whether the word is in a text at all: cutting ten megabytes into words takes longer than
  /// running them.
  private static func mentionsReplace(_ text: String) -> Bool {
    let word = Array("replace".utf8)
    var matched = 0
    for byte in text.utf8 {
      let lower = byte | 0x20
      matched = lower == word[matched] ? matched + 1 : lower == word[0] ? 1 : 0
      if matched == word.count { return true }
    }
    return false
  }

  /// Whether inserting or updating a row may remove another one: SQLite does not ask about that.
  static func canReplaceRows(_ text: String, _ connection: Connection) throws -> Bool {
    let triggers = try connection.texts(
      "SELECT sql FROM sqlite_schema WHERE sql LIKE '%replace%'")
    return (triggers + [text].filter(mentionsReplace)).contains(where: hasReplaceClause)
  }

  /// Whether the word is there and does not call a function; there may be comments around it.
  private static func hasReplaceClause(_ text: String) -> Bool {
    let text = text.lowercased()
    func isOfName(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    return text.ranges(of: "replace").contains { word in
      let rest = text[word.upperBound...]
      return !isOfName(text[..<word.lowerBound].last) && !isOfName(rest.first)
        && rest.first { !$0.isWhitespace } != "("
    }
  }

  /// SQLite does not ask about it.
  static let vacuum =
    "VACUUM is not allowed: each script runs in one transaction together with its entry in the "
    + "history"

  /// Pragmas that read, or that act inside the transaction as anywhere else.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "user_version",
    "application_id", "compile_options", "function_list", "collation_list", "data_version",
  ]

  func allows(
    _ action: Int32, _ first: String?, _ second: String?, trigger: String? = nil
  ) -> Bool {
    refusal = nil
    if keepsBoxes(first, trigger) { return true }
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
      if action == SQLITE_ALTER_TABLE {
        touched.areUnknown = true
        touched.columns.insert(into: second ?? "")
      }
      return allowsTable(second)
    default: return true
    }
  }

  /// Whether a trigger of ours keeps an index of boxes, or R*Tree the tables behind it; statements
  /// cannot write these, because connections are in defensive mode.
  private func keepsBoxes(_ table: String?, _ trigger: String?) -> Bool {
    guard let table, table.hasPrefix(BoxIndex.prefix) else { return false }
    return trigger?.hasPrefix(BoxIndex.prefix) == true
      || BoxIndex.innerSuffixes.contains(where: table.hasSuffix)
  }

  private func note(_ action: Int32, _ table: String, _ column: String) {
    switch action {
    case SQLITE_INSERT:
      touched.written.insert(table)
      touched.columns.insert(into: table)
      if replaces { touched.shrunk.insert(table) }
    case SQLITE_UPDATE:
      touched.columns.update(column, of: table)
      if columns.refers(table, column) { touched.written.insert(table) }
      if replaces || columns.isReferred(table, column) { touched.shrunk.insert(table) }
    case SQLITE_CREATE_TABLE: touched.written.insert(table)
    case SQLITE_DROP_TABLE:
      touched.shrunk.insert(table)
      // Another one may get its name.
      touched.columns.insert(into: table)
    default:
      touched.shrunk.insert(table)
      touched.columns.delete(from: table)
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
