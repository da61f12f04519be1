// A connection that reads a store with a write-ahead log makes the log's side files when they are
// missing, and leaves them behind. Where there is no log, the file alone has all of the store and
// can be read as one that does not change. Should it change meanwhile, it is read again the other
// way.

/// Reads a store that others may have open, without leaving files beside it where possible.
enum ReadOnlyProbe {
  /// Runs `body`, at most twice, with a connection in a read transaction.
  static func read<R>(
    _ path: String, busyMilliseconds: Int, _ body: (Connection) throws -> R
  ) throws -> R {
    if UntouchedFile.wouldBeTouched(path) { return try UntouchedFile.read(path, body) }
    if let before = stamp(path) {
      let result = Result { try readImmutable(path, body) }
      if stamp(path) == before { return try result.get() }
    }
    var configuration = Database.Configuration()
    configuration.isReadOnly = true
    configuration.usesLockFile = false
    configuration.busyMilliseconds = busyMilliseconds
    let database = try Database(path: path, configuration: configuration)
    defer { database.close() }
    return try database.read { connection in
      try connection.transaction(.read) { try body(connection) }
    }
  }

  private static func readImmutable<R>(
    _ path: String, _ body: (Connection) throws -> R
  ) throws -> R {
    var configuration = Connection.Configuration(role: .reader)
    configuration.isReadOnly = true
    configuration.isImmutable = true
    let connection = try Connection(path: path, configuration: configuration)
    defer { connection.close() }
    return try connection.transaction(.read) { try body(connection) }
  }

  /// What changes when the file does; `nil` where there is a log or a journal beside it.
  private static func stamp(_ path: String) -> System.FileStamp? {
    for suffix in ["-wal", "-journal"] where System.fileID(path + suffix) != nil { return nil }
    return System.stamp(path)
  }
}
