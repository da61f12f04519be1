internal import CSQLite
internal import OxbowModel
package import OxbowRelational

/// An empty store in memory where the steps of a folder are tried.
///
/// One transaction that never ends is around everything, as one is around each step.
package final class SQLiteRehearsal: MigrationRehearsal {
  private let store: MigratedStore
  private var connection: Connection { store.connection }
  private var schema: SchemaCache { store.schema }

  package init() throws {
    store = MigratedStore(try Connection(path: ":memory:", configuration: .init(role: .sole)))
    try connection.execute("PRAGMA foreign_keys = OFF; BEGIN")
    try StoreMetadata.create(connection)
    try connection.create([HistoryTable.table, FilesTable.table])
  }

  package func run(_ migration: TableMigration) throws {
    do { try store.run(migration) { _ in } } catch let error as SQLiteError {
      throw PersistenceError(error, "trying")
    } catch is UnknownViolations {
      // Found at the very end, in rows of scripts: others are not here that they may lead to.
    }
  }

  package func run(_ statement: MigrationScript) throws -> RehearsalFailure? {
    do {
      try ScriptRunner(script: statement, connection: connection).runPlain()
      return nil
    } catch let failure as ScriptFailure {
      schema.clear()
      return RehearsalFailure(failure.reason, isRefused: failure.isRefused)
    }
  }

  package func endScript() throws { try connection.removeTemporaryTables() }

  package func assign(_ assignments: String, to table: String) throws -> String? {
    try takingBack {
      do {
        try connection.execute("DELETE FROM \(quoted(table))")
        let columns = try connection.rows(
          "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(table)])
        let names = columns.map { quoted($0[0].plainText) }
        let values = columns.map { Self.sample($0[1].plainText) }
        try connection.execute(
          "INSERT INTO \(quoted(table)) (\(names.joined(separator: ", "))) "
            + "VALUES (\(values.joined(separator: ", ")))")
        try connection.execute("UPDATE \(quoted(table)) SET \(assignments)")
      } catch let error as SQLiteError {
        // Whatever else it is can be because the row is made up.
        return error.code == .constraintDataType ? error.message : nil
      }
      return nil
    }
  }

  /// A value that many others can be made of: it is a number, a text and JSON.
  private static func sample(_ type: String) -> String {
    switch type.uppercased() {
    case "REAL": "7.0"
    case "TEXT": "'7'"
    case "BLOB": "x'37'"
    default: "7"
    }
  }

  package func differences(from tables: [TableSchema]) throws -> [String] {
    try store.makeBoxes(of: tables)
    return try store.differences(from: tables) + schema.schemaProbe().brokenParts
  }

  package func schemaVersion() throws -> Int64 {
    try connection.integer("PRAGMA schema_version") ?? 0
  }

  package func takingBack<R>(_ body: () throws -> R) throws -> R {
    try connection.execute("SAVEPOINT rehearsal")
    defer {
      // Nothing but memory can fail here, and then the next statement says so.
      try? connection.execute("ROLLBACK TO rehearsal; RELEASE rehearsal")
      schema.clear()
    }
    return try body()
  }
}

extension SQLValue {
  fileprivate var plainText: String { if case .text(let text) = self { text } else { "" } }
}
