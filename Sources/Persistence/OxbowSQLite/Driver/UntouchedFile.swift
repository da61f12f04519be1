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
  /// As often as this a file is looked at anew because it has changed.
  static let attempts = 8

  /// Runs `body` with a connection in a read transaction; again if the file changed meanwhile.
  static func read<R>(_ path: String, _ body: (Connection) throws -> R) throws -> R {
    for _ in 0..<attempts {
      do { return try readNow(path, body) } catch is Connection.LogIsGone {}
    }
    throw PersistenceError.changesAlways(path)
  }

  private static func readNow<R>(_ path: String, _ body: (Connection) throws -> R) throws -> R {
    if !hasLog(path) {
      let before = sights(path)
      let result = Result { try read(path, immutably: true, .reader, body) }
      if sights(path) == before { return try result.get() }
    }
    if isLoggedWithoutIndex(path) { return try readCopy(path, body) }
    do {
      try LogHeader.checkShared(path)
      return try read(path, immutably: false, .reader, body)
    } catch let error as SQLiteError where needsCopy(error) {
      return try readCopy(path, body)
    }
  }

  /// Whether SQLite would have to write what this user may not, or what must stay as it is.
  static func needsCopy(_ error: SQLiteError) -> Bool {
    error.code == .readOnlyRollback || error.isOfPermissions
  }

  static func read<R>(
    _ path: String, immutably isImmutable: Bool, _ role: Connection.Role,
    _ body: (Connection) throws -> R
  ) throws -> R {
    var configuration = Connection.Configuration(role: role)
    configuration.isReadOnly = role == .reader
    configuration.isImmutable = isImmutable
    configuration.leavesNoTrace = role == .reader && !isImmutable
    let connection = try Connection(path: path, configuration: configuration)
    defer { connection.close() }
    return try connection.transaction(.read) { try body(connection) }
  }

  private static func readCopy<R>(
    _ path: String, _ body: (Connection) throws -> R
  ) throws -> R {
    let copy = try Copy(of: path)
    defer { copy.remove() }
    // The folder of the copy is gone when its path is read.
    do { return try read(copy.path, immutably: false, .sole, body) } catch let error as SQLiteError
    {
      throw error.at(path)
    }
  }

  /// Whether a file is a store of Core Data beside which opening it with SQLite would leave
  /// something.
  static func wouldBeTouched(_ path: String) -> Bool { hasLog(path) && isOfCoreData(path) }

  /// Whether a file is a store of Core Data; what it has without its log is enough, unless it has
  /// nothing.
  static func isOfCoreData(_ path: String) -> Bool {
    let names = try? read(path, immutably: true, .reader) { try $0.tableNames() }
    if let names, !names.isEmpty || !hasLog(path) { return names.contains("Z_METADATA") }
    return (try? read(path) { try $0.tableNames().contains("Z_METADATA") }) ?? false
  }
}

// MARK: - Ways

extension UntouchedFile {
  /// How a database is read.
  enum Way: Sendable {
    /// As a file that does not change, because it does not have a log.
    case unchanging
    /// Under SQLite's locks: a program may have it open, or a rollback journal needs nothing else.
    case shared
    /// From a copy.
    case copied

    /// What has to stay the same as long as a database that was opened so can be read.
    func sees(_ path: String) -> [System.Sight?] {
      guard self == .shared else { return UntouchedFile.sights(path) }
      return ["", "-wal", "-shm"].map { suffix in
        System.fileID(path + suffix).map { System.Sight(file: $0, stamp: nil) }
      }
    }
  }

  private static let suffixes = ["", "-wal", "-journal"]

  static func sights(_ path: String) -> [System.Sight?] {
    suffixes.map { System.sight(path + $0) }
  }

  /// How a database that stays open is read.
  static func way(to path: String) throws -> Way {
    if isLoggedWithoutIndex(path) { return .copied }
    guard !hasLog(path) else { return .shared }
    let mode = try read(path, immutably: true, .reader) { try $0.journalModeOfHeader() }
    return mode == "wal" ? .unchanging : .shared
  }

  private static func hasContent(_ path: String) -> Bool { (System.size(path) ?? 0) > 0 }

  /// SQLite removes the log of a file without content.
  private static func hasLog(_ path: String) -> Bool {
    hasContent(path) && (hasContent(path + "-wal") || hasContent(path + "-journal"))
  }

  private static func isLoggedWithoutIndex(_ path: String) -> Bool {
    hasContent(path) && hasContent(path + "-wal") && System.fileID(path + "-shm") == nil
  }

  static func hasSharedLog(_ path: String) -> Bool {
    hasContent(path + "-wal") && !isLoggedWithoutIndex(path)
  }
}

// MARK: - Copies

extension UntouchedFile {
  /// A copy of a database and of what is beside it, in a temporary folder.
  ///
  /// No connection of this process has the file open, whose locks would go with the descriptor of
  /// the copy: it would have made an index.
  struct Copy: Sendable {
    private let folder: String
    let path: String

    init(of path: String) throws {
      guard let folder = System.makeTemporaryDirectory() else {
        throw PersistenceError(
          .ioFailure,
          "the store '\(path)' has to be read from a copy, for which no temporary folder can be made; "
            + "set TMPDIR to a folder that can be written")
      }
      self.folder = folder
      self.path = folder + "/store"
      do {
        try copyAll(path, to: self.path)
        try LogHeader.check(log: self.path + "-wal", of: self.path, named: path)
        linkValues(of: path)
      } catch {
        remove()
        throw error
      }
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Large values stay where they are.
    private func linkValues(of path: String) {
      link(CoreDataFolder(ofStore: path).path, at: CoreDataFolder(ofStore: self.path).path)
      link(ExternalFolder(ofStore: path).path, at: ExternalFolder(ofStore: self.path).path)
    }

    private func link(_ values: String, at link: String) {
      guard System.isDirectory(values), let end = link.lastIndex(of: "/") else { return }
      let manager = FileManager.default
      try? manager.createDirectory(
        atPath: String(link[..<end]), withIntermediateDirectories: false)
      try? manager.createSymbolicLink(atPath: link, withDestinationPath: values)
    }
  }

  /// Copies until nothing has changed meanwhile.
  private static func copyAll(_ path: String, to copy: String) throws {
    for _ in 0..<5 {
      let before = sights(path)
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
      guard sights(path) != before else { return }
    }
    throw PersistenceError(
      .storeLocked,
      "the store '\(path)' changes while it is copied; try again, or close the program that writes "
        + "it")
  }
}

extension PersistenceError {
  static func changesAlways(_ path: String) -> PersistenceError {
    PersistenceError(
      .storeLocked,
      "the store '\(path)' changes whenever it is read; try again, or close the program that writes "
        + "it")
  }
}

extension SQLiteError {
  /// The error of a copy as one of the file.
  func at(_ path: String) -> SQLiteError {
    SQLiteError(code: code, message: message, sql: sql, path: path, systemError: systemError)
  }
}
