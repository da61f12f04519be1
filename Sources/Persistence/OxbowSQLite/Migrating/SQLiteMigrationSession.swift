internal import OxbowModel
internal import OxbowRelational

/// A connection for a migration, with the store locked.
final class SQLiteMigrationSession: MigrationSession {
  private let path: String
  private let busyMilliseconds: Int
  private let writeLock: LockFile?
  private let interruption: (@Sendable () -> Bool)?
  private var connection: Connection?
  private var schema: SchemaCache?

  /// Whether there is no store yet; the first transaction that makes one ends that.
  private var isEmpty: Bool

  init(
    path: String, busyMilliseconds: Int, writeLock: LockFile?,
    interruption: (@Sendable () -> Bool)? = nil
  ) throws {
    (self.interruption, self.path, self.busyMilliseconds, self.writeLock) = (
      interruption, path, busyMilliseconds, writeLock
    )
    isEmpty = (System.size(path) ?? 0) == 0
    connection = try Self.open(path, busyMilliseconds)
  }

  func close() {
    // The last connection checkpoints when it closes: that is a write.
    guard let connection else { return }
    guard let writeLock else { return connection.close() }
    do {
      try writeLock.withWriteLock(milliseconds: busyMilliseconds) { connection.close() }
    } catch {
      connection.leaveLogOnClose()
      connection.close()
    }
  }

  private static func open(_ path: String, _ busyMilliseconds: Int) throws -> Connection {
    var configuration = Connection.Configuration(role: .writer)
    configuration.busyMilliseconds = busyMilliseconds
    let connection = try Connection(path: path, configuration: configuration)
    do {
      guard !connection.isReadOnly else { throw Database.WriteRefused(path: path) }
      try prepare(connection)
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  /// Gives a store that was just made the write-ahead log that a coordinator would give it.
  ///
  /// Before the first transaction the switch would make a database of a file that may stay empty.
  private func keepLog(_ connection: Connection) {
    guard isEmpty, (System.size(path) ?? 0) > 0 else { return }
    isEmpty = false
    // Where a log is impossible, or others hold the file, the store is whole without.
    _ = try? connection.text("PRAGMA journal_mode = WAL")
  }

  private static func prepare(_ connection: Connection) throws {
    // Double-quoted string literals stay disabled, as on every connection: with them, another
    // tool's view or index on a column that goes would silently become one on a text.
    //
    // A DROP of a parent table deletes its rows when foreign keys are on, and the switch works
    // outside of transactions only.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.requireUTF8()
    guard try connection.integer("PRAGMA foreign_keys") == 0 else {
      throw PersistenceError(.migration, "foreign keys cannot be switched off for the migration")
    }
  }

  func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
    guard let writeLock else { return try transact(body) }
    return try writeLock.withWriteLock(milliseconds: busyMilliseconds) { try transact(body) }
  }

  private func transact<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
    // After a commit that failed, what the store says is what is on the medium: it is opened anew.
    let connection = try connection ?? Self.open(path, busyMilliseconds)
    self.connection = connection
    let schema = schema ?? SchemaCache(connection)
    self.schema = schema
    do {
      defer { connection.settleFiles() }
      // A transaction of several steps may find out about other tables behind each of them.
      var looked: Set<String> = []
      while true {
        do {
          return try attempt(connection, schema, looked, body)
        } catch let found as UnknownViolations {
          looked.formUnion(found.tables)
          schema.clear()
        }
      }
    } catch {
      schema.clear()
      guard let error = error as? SQLiteError, error.isOutcomeUnknown else { throw error }
      connection.close()
      self.connection = nil
      self.schema = nil
      let advice = error.isDiskFull ? "the disk is full: free space" : "check the disk"
      throw PersistenceError(
        .commitUnknown,
        "the system failed while a step of the migration was being committed: it may be in the "
          + "store '\(path)' or not; \(advice), then run the migration again: it continues from "
          + "what is there",
        details: [.init(label: "SQLite", text: "\(error.code): \(error.message)")])
    }
  }

  private func attempt<R>(
    _ connection: Connection, _ schema: SchemaCache, _ looked: Set<String>,
    _ body: (any MigrationTransaction) throws -> R
  ) throws -> R {
    let result = try connection.transaction(.write) {
      let known = looked.isEmpty ? nil : try ForeignKeyCheck(looked, connection)
      return try connection.interrupting(when: interruption) {
        try body(MigratedStore(connection, schema, known: known))
      }
    }
    keepLog(connection)
    return result
  }
}
