// A store of another program is read without a trace: no file beside it is made, changed or
// removed.
//
// Without a log or a journal the file alone has everything, and is read as one that does not
// change; should it change meanwhile, it is read again. Where there is a log with an index
// (`-shm`), a program may have the store open, and SQLite's locks order the two. A log without an
// index is in no program's use: a reader would make the index and leave it behind, so file and log
// are copied. So is a file with the journal of a program that ended in the middle of a change.

internal import OxbowFoundation
internal import OxbowModel

/// Reads a database of another program.
enum UntouchedFile {
  /// Runs `body`, at most three times, with a connection in a read transaction.
  static func read<R>(_ path: String, _ body: (Connection) throws -> R) throws -> R {
    if let before = stamp(path) {
      let result = Result { try read(path, immutably: true, .reader, body) }
      if stamp(path) == before { return try result.get() }
    }
    if isLoggedWithoutIndex(path) { return try readCopy(path, body) }
    do {
      return try read(path, immutably: false, .reader, body)
    } catch let error as SQLiteError where needsCopy(error) {
      return try readCopy(path, body)
    }
  }

  /// Whether SQLite would have to write what this user may not, or what must stay as it is.
  private static func needsCopy(_ error: SQLiteError) -> Bool {
    error.code == .readOnlyRollback || [.cannotOpen, .readOnly].contains(error.code.primary)
  }

  static func read<R>(
    _ path: String, immutably isImmutable: Bool, _ role: Connection.Role,
    _ body: (Connection) throws -> R
  ) throws -> R {
    var configuration = Connection.Configuration(role: role)
    configuration.isReadOnly = role == .reader
    configuration.isImmutable = isImmutable
    let connection = try Connection(path: path, configuration: configuration)
    defer { connection.close() }
    return try connection.transaction(.read) { try body(connection) }
  }

  /// What changes when the file does; `nil` where a log or a journal beside it has something.
  private static func stamp(_ path: String) -> [System.FileStamp?]? {
    for suffix in ["-wal", "-journal"] where (System.size(path + suffix) ?? 0) > 0 { return nil }
    return [System.stamp(path), System.stamp(path + "-wal")]
  }

  private static func isLoggedWithoutIndex(_ path: String) -> Bool {
    (System.size(path + "-wal") ?? 0) > 0 && System.fileID(path + "-shm") == nil
  }
}

// MARK: - Copies

extension UntouchedFile {
  private static let suffixes = ["", "-wal", "-journal"]

  /// Reads a copy of the file and of what is beside it.
  ///
  /// No connection of this process has the file open, whose locks would go with the descriptor of
  /// the copy: it would have made an index.
  private static func readCopy<R>(
    _ path: String, _ body: (Connection) throws -> R
  ) throws -> R {
    guard let folder = System.makeTemporaryDirectory() else {
      throw PersistenceError(
        .ioFailure,
        "the store '\(path)' has to be read from a copy, for which no temporary folder can be made; "
          + "set TMPDIR to a folder that can be written")
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = folder + "/store"
    try copyAll(path, to: copy)
    try LogHeader.check(log: copy + "-wal", of: copy, named: path)
    do {
      return try read(copy, immutably: false, .sole, body)
    } catch let error as SQLiteError {
      // The folder of the copy is gone when its path is read.
      throw SQLiteError(
        code: error.code, message: error.message, sql: error.sql, path: path,
        systemError: error.systemError)
    }
  }

  /// Copies until nothing has changed meanwhile.
  private static func copyAll(_ path: String, to copy: String) throws {
    for _ in 0..<5 {
      let before = suffixes.map { System.stamp(path + $0) }
      for suffix in suffixes {
        try? FileManager.default.removeItem(atPath: copy + suffix)
        guard System.fileID(path + suffix) != nil else { continue }
        do {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        } catch {
          throw PersistenceError(
            .ioFailure,
            "the store '\(path)' has to be read from a copy, and '\(path + suffix)' cannot be copied "
              + "to '\(copy)': check permissions and the room of that disk")
        }
      }
      guard suffixes.map({ System.stamp(path + $0) }) != before else { return }
    }
    throw PersistenceError(
      .storeLocked,
      "the store '\(path)' changes while it is copied; try again, or close the program that writes "
        + "it")
  }
}
