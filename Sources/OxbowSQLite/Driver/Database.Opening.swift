extension Database {
  /// What opening decides: which connection is the first, and whether others may stand beside it.
  struct Opening {
    var primary: Connection
    var journalMode: String
    var lockFile: LockFile?

    /// How readers are opened; `nil` where one connection does everything.
    var readerConfiguration: Connection.Configuration?

    init(path: String, configuration: Configuration) throws {
      lockFile = try Self.lockFile(path, configuration)
      if configuration.isReadOnly {
        (primary, journalMode) = try Self.openForReading(path, configuration)
      } else if let lockFile {
        // Switching the journal mode and recovering a log are writes.
        (primary, journalMode) = try lockFile.withWriteLock(
          milliseconds: configuration.busyMilliseconds
        ) { try Self.openForWriting(path, configuration) }
      } else {
        (primary, journalMode) = try Self.openForWriting(path, configuration)
      }
      if journalMode == "wal", !primary.configuration.isImmutable {
        readerConfiguration = Self.connection(.reader, configuration)
      }
    }

    // On read-only media there may be no lock file, and nobody to agree with.
    private static func lockFile(_ path: String, _ configuration: Configuration) throws -> LockFile?
    {
      guard configuration.usesLockFile else { return nil }
      do {
        return try LockFile(
          besideStore: path, usage: .shared, milliseconds: configuration.busyMilliseconds)
      } catch let error as LockFile.Unusable {
        guard configuration.isReadOnly else { throw error }
        return nil
      }
    }

    private static func connection(
      _ role: Connection.Role, _ configuration: Configuration
    ) -> Connection.Configuration {
      var connection = Connection.Configuration(role: role)
      connection.isReadOnly = configuration.isReadOnly
      connection.synchronous = configuration.synchronous
      connection.busyMilliseconds = configuration.busyMilliseconds
      connection.maximumBytes = role == .reader ? nil : configuration.maximumBytes
      connection.showsValues = configuration.showsValues
      connection.logger = configuration.logger
      return connection
    }

    private static func openForWriting(
      _ path: String, _ configuration: Configuration
    ) throws -> (Connection, String) {
      let role: Connection.Role = configuration.usesWriteAheadLog ? .writer : .sole
      let connection = try Connection(path: path, configuration: connection(role, configuration))
      guard !connection.isReadOnly else {
        connection.close()
        throw WriteRefused(path: path)
      }
      // Where a log is impossible (some network file systems), SQLite answers with what it uses.
      let change =
        configuration.usesWriteAheadLog ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode"
      let mode = try connection.text(change) ?? "unknown"
      return (connection, mode)
    }

    private static func openForReading(
      _ path: String, _ configuration: Configuration
    ) throws -> (Connection, String) {
      do {
        let connection = try Connection(
          path: path, configuration: connection(.reader, configuration))
        return (connection, try probe(connection))
      } catch let error as SQLiteError {
        // A log needs its two side files; on read-only media they cannot be made. When there is no
        // log to read, the database file alone is the whole truth.
        guard error.code.primary == .cannotOpen || error.code.primary == .readOnly,
          (System.size(path + "-wal") ?? 0) == 0
        else { throw error }
        var immutable = connection(.reader, configuration)
        immutable.isImmutable = true
        let connection = try Connection(path: path, configuration: immutable)
        return (connection, try probe(connection))
      }
    }

    /// Makes SQLite read the file once, so that a file that cannot be read is found at open.
    private static func probe(_ connection: Connection) throws -> String {
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return try connection.text("PRAGMA journal_mode") ?? "unknown"
    }
  }
}
