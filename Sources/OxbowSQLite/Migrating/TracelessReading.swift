internal import CSQLite

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// A connection that reads a store with a write-ahead log makes the log's side files when they are
// missing, and leaves them behind. Where there is no log, the file alone is the whole truth and can
// be read as one that does not change. Should it change meanwhile, it is read again the other way.

/// Reads a store that others may have open, without leaving files beside it where possible.
enum TracelessReading {
  /// Runs `body`, at most twice, with a connection in a read transaction.
  static func read<R>(
    _ path: String, busyMilliseconds: Int, _ body: (Connection) throws -> R
  ) throws -> R {
    if let before = Stamp(path), let result = try readImmutable(path, body), Stamp(path) == before {
      return try result.get()
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

  /// What `body` gave or threw; an error counts only when the file did not change meanwhile.
  private static func readImmutable<R>(
    _ path: String, _ body: (Connection) throws -> R
  ) throws -> Result<R, any Error>? {
    var configuration = Connection.Configuration(role: .reader)
    configuration.isReadOnly = true
    configuration.isImmutable = true
    return Result {
      let connection = try Connection(path: path, configuration: configuration)
      defer { connection.close() }
      return try connection.transaction(.read) { try body(connection) }
    }
  }

  /// What changes when a file does; `nil` where there is a log or a journal beside it.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      for suffix in ["-wal", "-journal"] where System.fileID(path + suffix) != nil { return nil }
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      size = Int(status.st_size)
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }
}

extension Connection {
  /// The journal mode that the database's header asks for, read through SQLite's own descriptor.
  ///
  /// A connection to a file that does not change says `delete` whatever the header says.
  func journalModeOfHeader() throws -> String {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var versions: [UInt8] = [0, 0]
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead,
      read(file, &versions, 2, 18) == SQLITE_OK
    else { return try text("PRAGMA journal_mode") ?? "unknown" }
    return versions == [2, 2] ? "wal" : try text("PRAGMA journal_mode") ?? "unknown"
  }
}
