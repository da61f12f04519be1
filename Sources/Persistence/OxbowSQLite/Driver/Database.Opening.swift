extension Database {
  /// What opening decides: which connection is the first, and whether there may be others.
  struct Opening {
    var primary: Connection
    var journalMode: String
    var lockFile: LockFile?

    /// How readers are opened; `nil` where one connection does everything.
    var readerConfiguration: Connection.Configuration?

    /// The readers of another program's database.
    var untouched: (any Readers)?

    init(path: String, configuration: Configuration) throws {
      guard !configuration.leavesNoTrace else {
        let lockFile = try Self.lockFile(path, configuration)
        self = try Self(untouched: path, configuration)
        self.lockFile = lockFile
        return
      }
      try Self.look(path, configuration)
      lockFile = try Self.lockFile(path, configuration)
      if configuration.isReadOnly {
        (primary, journalMode) = try Self.openForReading(path, configuration, lockFile)
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

    /// No connection has such a file open between reads, so the first one is of nothing.
    private init(untouched path: String, _ configuration: Configuration) throws {
      let readers = try UntouchedReaders(
        path: path, configuration: Self.connection(.reader, configuration),
        limit: configuration.maximumReaders)
      untouched = readers
      journalMode = try readers.withReader { try $0.journalModeOfHeader() }
      primary = try Connection(path: ":memory:", configuration: .init(role: .sole))
    }

    /// Closes what was opened.
    func end() {
      (untouched as (any Readers)?)?.close()
      primary.leaveLogOnClose()
      primary.close()
      lockFile?.close()
    }

    // What is not a store stays as it is: the lock file and the log come after the look.
    private static func look(_ path: String, _ configuration: Configuration) throws {
      guard let examine = configuration.examine else { return }
      do {
        try ReadOnlyProbe.read(
          path, busyMilliseconds: configuration.busyMilliseconds, examine)
      } catch let error as SQLiteError
        where error.code.primary == .busy && System.fileID(path + "-lock") != nil
      {
        // A store whose lock file says who holds it, which is more than SQLite knows.
      }
    }

    // On read-only media there may be no lock file, and no other process to agree with.
    private static func lockFile(_ path: String, _ configuration: Configuration) throws -> LockFile?
    {
      guard configuration.usesLockFile else { return nil }
      do {
        return try LockFile.current(
          besideStore: path, usage: .shared, milliseconds: configuration.busyMilliseconds,
          isRemoved: configuration.removesLockFile)
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
      connection.mapsFiles = configuration.mapsFiles
      connection.showsValues = configuration.showsValues
      connection.logger = configuration.logger
      connection.slowStatementMilliseconds = configuration.slowStatementMilliseconds
      connection.counters = configuration.counters
      connection.logPagesAhead = role == .writer ? configuration.checkpointPages : 0
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
      _ path: String, _ configuration: Configuration, _ lockFile: LockFile?
    ) throws -> (Connection, String) {
      do {
        return try openAndProbe(path, connection(.reader, configuration))
      } catch let error as SQLiteError where error.code == .readOnlyRollback {
        try rollBack(path, configuration, lockFile)
        return try openAndProbe(path, connection(.reader, configuration))
      } catch let error as SQLiteError {
        guard error.isOfPermissions else { throw error }
        return try openUnchanging(path, configuration)
      }
    }

    private static func openAndProbe(
      _ path: String, _ configuration: Connection.Configuration
    ) throws -> (Connection, String) {
      let connection = try Connection(path: path, configuration: configuration)
      do { return (connection, try probe(connection)) } catch {
        connection.close()
        throw error
      }
    }

    /// Undoes the transaction that a program left in the rollback journal when it ended.
    ///
    /// Until that is done, the database file has pages that were never committed. SQLite does it
    /// for a connection that may write, and refuses to read for all others.
    static func rollBack(
      _ path: String, _ configuration: Configuration, _ lockFile: LockFile?
    ) throws {
      var writing = connection(.sole, configuration)
      writing.isReadOnly = false
      do {
        guard let lockFile else { return try openAndProbe(path, writing).0.close() }
        try lockFile.withWriteLock(milliseconds: configuration.busyMilliseconds) {
          try openAndProbe(path, writing).0.close()
        }
      } catch let error as SQLiteError {
        guard error.isOfPermissions else { throw error }
        throw RecoveryRefused(path: path)
      }
    }

    /// Opens a file that cannot change, because its file system cannot be written.
    ///
    /// A log needs its two side files, and there they cannot be made. Where somebody else could
    /// write, a reader that takes no locks would read half of what is being changed.
    private static func openUnchanging(
      _ path: String, _ configuration: Configuration
    ) throws -> (Connection, String) {
      guard System.isOnReadOnlyMedium(path) else { throw ReadingRefused(path: path) }
      guard ["-wal", "-journal"].allSatisfy({ (System.size(path + $0) ?? 0) == 0 }) else {
        throw RecoveryRefused(path: path)
      }
      var unchanging = connection(.reader, configuration)
      unchanging.isImmutable = true
      return try openAndProbe(path, unchanging)
    }

    /// Makes SQLite read the file once, so that a file that cannot be read is found at open.
    private static func probe(_ connection: Connection) throws -> String {
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return try connection.text("PRAGMA journal_mode") ?? "unknown"
    }
  }
}
