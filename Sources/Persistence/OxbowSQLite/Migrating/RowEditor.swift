internal import OxbowModel
internal import OxbowRelational

/// Reads and writes rows for a step in Swift, under the rules of scripts.
final class RowEditor: RowEditing {
  private let connection: Connection
  private let rules: ScriptRules
  private var known: Set<String> = []

  /// Where values of the store are that are not in their cells; `nil` where all are.
  private let folder: ExternalFolder?

  /// The files of values that only look like references.
  private var files: [FileReference] = []

  /// Runs `body`; returns the tables whose references it may have changed.
  static func run(
    on connection: Connection, _ columns: ReferencingColumns,
    _ body: (any RowEditing) throws -> Void
  ) throws -> TouchedTables {
    let rules = ScriptRules(columns)
    let folder = try connection.hasFiles() ? connection.externalFolder : nil
    let editor = RowEditor(connection, rules, folder)
    try rules.applied(to: connection) { try body(editor) }
    try editor.requireTransaction()
    // The rules leave the table of files alone.
    for file in editor.files { try connection.list(file) }
    return rules.touched
  }

  private init(_ connection: Connection, _ rules: ScriptRules, _ folder: ExternalFolder?) {
    (self.folder, self.connection, self.rules) = (folder, connection, rules)
  }

  func rows(_ statement: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
    let rows = try asking(statement) { try connection.rows(statement, values) }
    guard let folder else { return rows }
    return try rows.map { row in try row.map { try delivered($0, from: folder) } }
  }

  /// A cell with the bytes that it refers to.
  private func delivered(_ cell: SQLValue, from folder: ExternalFolder) throws -> SQLValue {
    guard case .blob(let bytes) = cell, let reference = FileReference(bytes) else { return cell }
    return .blob(try folder.bytes(of: reference, "a row that the step in Swift reads"))
  }

  func run(_ statement: String, _ values: [SQLValue]) throws -> Int {
    try asking(statement) {
      try connection.run(statement, try values.map(kept))
      return connection.changes
    }
  }

  var changes: Int { connection.totalChanges }

  /// What a cell has for a value: what only looks like a reference is in a file.
  private func kept(_ value: SQLValue) throws -> SQLValue {
    guard folder != nil, case .blob(let bytes) = value, FileReference(bytes) != nil else {
      return value
    }
    do {
      let file = try bytes.withUnsafeBytes { try connection.writeUnlistedFile($0) }
      files.append(file)
      return .blob(file.bytes)
    } catch let error as ExternalFileError {
      throw PersistenceError.unwritable("a value that the step in Swift writes", error)
    }
  }

  /// A full disk or a conflict that rolls back ends the transaction: what a step that goes on all
  /// the same would write is durable alone.
  private func requireTransaction() throws {
    guard !connection.isInTransaction else { return }
    throw PersistenceError(
      .migration,
      "a statement of the step in Swift has failed and taken everything back, and the step went on; "
        + "nothing of it was done: let the error of the statement end the step")
  }

  private func asking<R>(_ statement: String, _ body: () throws -> R) throws -> R {
    try requireTransaction()
    if known.insert(statement).inserted, try ScriptRules.canReplaceRows(statement, connection) {
      rules.replaces = true
    }
    do {
      return try body()
    } catch let error as SQLiteError {
      if let refusal = rules.refusal {
        throw PersistenceError(
          .migrationRefused, "\(refusal); the step in Swift was rolled back",
          details: [.init(label: "statement", text: statement)])
      }
      guard !error.isOutcomeUnknown else { throw error }
      if error.isOfTheSystem { throw PersistenceError(error, "migrating") }
      throw PersistenceError(
        .migration,
        "a statement of the step in Swift failed and the step was rolled back: \(error.message)",
        details: [.init(label: "statement", text: statement)])
    }
  }
}
