public import OxbowModel
internal import OxbowRelational

/// The file of a SQLite store, for what is done to it as a whole: backup, restoring, compaction and
/// a check.
///
/// ```swift
/// let file = SQLiteStoreFile("shop.sqlite")
/// try file.backUp(to: "backups/2026-11-22.sqlite")
/// ```
///
/// A store with large values in files has them in the folder `shop.sqlite-files`, and each of these
/// is about both. Stores of Core Data, with their hidden folder, are copied, restored, moved and
/// checked too.
///
/// All but ``restore(from:replacing:progress:)`` and ``move(to:progress:)`` may be done while the
/// store is open, in this process and in others. Never copy the file of an open store with other
/// tools: what was saved last is in the write-ahead log beside it, and opening and closing the file
/// drops the locks that this process has on it.
public struct SQLiteStoreFile: Sendable, Hashable {
  /// The path of the file.
  public let path: String

  /// Creates the description of a store's file; nothing is opened.
  public init(_ path: String) { self.path = path }
}

// MARK: - Backup

extension SQLiteStoreFile {
  /// Copies the store as it is at one moment into a file.
  ///
  /// With a write-ahead log, saves go on meanwhile. With a rollback journal, they wait until the
  /// copy is made, up to their busy time. The copy is checked, written to the medium, and only then
  /// gets its name: there is never half a backup. It is a whole store in one file, and
  /// a folder beside it where the store has large values in files. It may be read by those who may
  /// read the store, or the older copy at that path.
  ///
  /// - Parameters:
  ///   - destination: The path of the copy, in a folder that exists.
  ///   - overwriting: Whether an older copy at that path may be replaced.
  ///   - progress: Called after each piece of about one megabyte, on the calling thread.
  /// - Throws: ``PersistenceError``: `notAStore`, `storeUnreachable` for a path that cannot be
  ///   read or may not be written, `storeLocked` for an older copy that a program has open,
  ///   `storeCorrupt` when the copy does not pass SQLite's check, `storeFull`…
  public func backUp(
    to destination: String, overwriting: Bool = false,
    progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    try backUp(to: destination, overwriting: overwriting, permissions: nil, progress: progress)
  }

  /// Likewise, with what others may do with the copy.
  func backUp(
    to destination: String, overwriting: Bool, permissions: UInt32?,
    progress: ((StoreProgress) -> Void)?
  ) throws(PersistenceError) {
    try perform("backing up") {
      let target = try BackupTarget(
        destination, of: path, overwriting, permissions: permissions)
      try copy(into: target, progress)
    }
  }

  /// Copies the store; one of Core Data is read without a trace.
  func copy(
    into target: BackupTarget, usesLockFile: Bool = true, _ progress: ((StoreProgress) -> Void)?
  ) throws {
    try requireFile()
    guard !isOfCoreData else {
      return try target.receive(progress) { try UntouchedFile.read(System.realPath(path), $0) }
    }
    try withDatabase(isReadOnly: true, usesLockFile: usesLockFile) {
      try target.receive($0, progress)
    }
  }

  /// Copies the store, or a database that another tool made, as
  /// ``backUp(to:overwriting:progress:)`` does, while this process has its lock.
  package func backUpLocked(to destination: String) throws(PersistenceError) {
    try perform("backing up") {
      let target = try BackupTarget(destination, of: path, false)
      try withDatabase(isReadOnly: true, requiresStore: false, usesLockFile: false) {
        try target.receive($0, nil)
      }
    }
  }

  /// Makes the file as small as it can be, and closes the gaps of deleted rows (`VACUUM`).
  ///
  /// Files of large values that no row refers to are removed from beside the store, except for
  /// those that a reader may need. Search indexes catch up, forget what texts were, and are made
  /// anew where another program wrote texts; so are fetch indexes of type `RTree` that are missing
  /// or wrong.
  ///
  /// Readers go on meanwhile where there is a write-ahead log; other writers wait. It needs free
  /// space for two more copies of the store.
  ///
  /// - Returns: The bytes of the database before and after.
  /// - Throws: ``PersistenceError``: `notAStore`, `storeLocked`, `storeFull`…
  @discardableResult
  public func compact() throws(PersistenceError) -> (before: Int, after: Int) {
    try perform("compacting") {
      try withDatabase(isReadOnly: false) { database in
        try database.write { connection in
          let before = try connection.databaseBytes()
          try connection.sweepFiles()
          try connection.compactSearchIndexes()
          try connection.compactBoxes()
          try connection.execute("VACUUM")
          if database.journalMode == "wal" { try connection.checkpoint(.truncate) }
          return (before, try connection.databaseBytes())
        }
      }
    }
  }
}

// MARK: - One moment

extension SQLiteStoreFile {
  /// Whether a program of Oxbow's may have the store open with a log: then a reader that keeps one
  /// moment leaves nothing beside it that is not there.
  package var isShared: Bool {
    let path = System.realPath(path)
    return System.fileID(path + "-lock") != nil && UntouchedFile.hasSharedLog(path)
  }

  /// Runs `body`, which reads the store in several transactions, and refuses what it has read when
  /// the store was changed meanwhile.
  package func unchanged<R>(_ body: () throws -> R) throws -> R {
    let path = System.realPath(path)
    let before = UntouchedFile.sights(path)
    let result = try body()
    guard UntouchedFile.sights(path) == before else {
      throw PersistenceError(
        .storeLocked,
        "the store '\(path)' was changed while it was read, so that what was read is not of one moment; "
          + "try again, or read a copy that 'store backup' makes")
    }
    return result
  }
}

// MARK: - Opening

extension SQLiteStoreFile {
  func perform<R>(_ action: String, _ body: () throws -> R) throws(PersistenceError) -> R {
    do { return try body() } catch { throw PersistenceError(error, action) }
  }

  /// Lends the database of a store that exists, in the journal mode that it has.
  func withDatabase<R>(
    isReadOnly: Bool, requiresStore: Bool = true, usesLockFile: Bool = true,
    _ body: (Database) throws -> R
  ) throws -> R {
    try requireFile()
    try DatabaseRegistry.refuseLent(path, "opened as a file")
    var configuration = SQLiteStoreOptions(isReadOnly: isReadOnly).configuration
    configuration.usesWriteAheadLog = try ReadOnlyProbe.read(
      System.realPath(path), busyMilliseconds: configuration.busyMilliseconds
    ) { connection in
      if requiresStore { try requireStore(connection) }
      return try connection.journalModeOfHeader() == "wal"
    }
    // Without a lock file no process of Oxbow has it open, and a reader leaves none behind.
    configuration.usesLockFile =
      !isReadOnly || usesLockFile && System.fileID(System.realPath(path) + "-lock") != nil
    let database = try DatabaseRegistry.acquire(path, configuration)
    defer { DatabaseRegistry.release(database) }
    return try body(database)
  }

  /// Throws unless there is a file that may be a database.
  private func requireFile() throws(DatabaseRegistry.Unreachable) {
    guard System.fileID(path) != nil else { throw DatabaseRegistry.Unreachable.missing(path) }
    if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
  }

  /// Whether there is a store of Core Data; looking leaves no trace.
  var isOfCoreData: Bool { Connection.isOfCoreData(path) }

  /// Whether there is a database without tables.
  ///
  /// A creation leaves it that has failed or was killed, and one that is under way begins with it.
  /// Looking leaves no trace.
  package var isWithoutTables: Bool {
    let store = System.realPath(path)
    // It has one page at most.
    guard let size = System.size(store), size <= 65_536 else { return false }
    let found = try? ReadOnlyProbe.read(store, busyMilliseconds: 5000) {
      try $0.tableNames().isEmpty
    }
    return found == true
  }

  /// Throws unless the database is a store.
  @discardableResult
  func requireStore(_ connection: Connection) throws -> StoreMetadata {
    switch try StoreMetadata.read(connection) {
    case .store(let metadata): return metadata
    case .coreData: throw PersistenceError.coreDataFile(path)
    case .foreign(let tables): throw PersistenceError.foreignDatabase(tables, path)
    case .empty:
      throw PersistenceError(
        .notAStore, "'\(path)' is an empty database and no store yet; check the path")
    }
  }
}

extension Connection {
  func databaseBytes() throws -> Int {
    Int(try integer("PRAGMA page_count") ?? 0) * Int(try integer("PRAGMA page_size") ?? 0)
  }
}
