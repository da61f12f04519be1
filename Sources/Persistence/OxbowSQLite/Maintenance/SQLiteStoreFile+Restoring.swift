public import OxbowModel

extension SQLiteStoreFile {
  /// Makes the store equal to a backup.
  ///
  /// The backup is checked and copied beside the store first. Then the store's files get other
  /// names, and the copy gets the store's: what was there is kept, and a restoring that is
  /// interrupted loses nothing. The store must not be open, in this process or in another one.
  ///
  /// - Parameters:
  ///   - backup: The path of a backup, which stays as it is.
  ///   - replacing: Whether a file at the store's path may be replaced.
  ///   - progress: Called after each piece of about one megabyte, on the calling thread.
  /// - Returns: The path at which the former file was kept; `nil` when there was none.
  /// - Throws: ``PersistenceError``: `notAStore` or `storeCorrupt` for a backup that is not one or
  ///   is damaged, `storeUnreachable` when there is a store and `replacing` is not set,
  ///   `storeLocked` with those who have it open. The store is as it was then.
  @discardableResult
  public func restore(
    from backup: String, replacing: Bool = false, progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) -> String? {
    try perform("restoring") {
      let exists = System.fileID(path) != nil
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      guard !exists || replacing else {
        throw PersistenceError(
          .storeUnreachable,
          "'\(path)' was not restored: it exists; allow replacing it ('replacing: true', or "
            + "--replace), which keeps it under another name, or choose another path")
      }
      guard !exists || System.fileID(path) != System.fileID(backup) else {
        throw PersistenceError(
          .storeUnreachable, "'\(path)' was not restored: the backup is that file itself")
      }
      try DatabaseRegistry.refuseLent(path, "restored")
      let store = exists ? System.realPath(path) : path
      let isOfCoreData = SQLiteStoreFile(backup).isOfCoreData
      let lock = try LockFile.current(
        besideStore: store, usage: .alone, milliseconds: 5000, isRemoved: isOfCoreData)
      defer { lock.close() }
      let movesValues = try Self.mayMoveValues(
        of: store, isOfCoreData || SQLiteStoreFile(store).isOfCoreData)
      // The folder of values is named without what follows the last point, and is not that of a
      // store which was kept.
      let copy = store + ".restoring.copy"
      // What a restoring that was killed has left.
      System.removeDatabase(copy)
      defer {
        System.removeDatabase(copy)
        ExternalFolder(ofStore: copy).removeAll()
        CoreDataFolder(ofStore: copy).removeAll()
      }
      // The rest of an interrupted restoring does not say who may read the store.
      let permissions = System.permissions(exists ? store : backup)
      try SQLiteStoreFile(backup).backUp(
        to: copy, overwriting: true, permissions: permissions, progress: progress)
      try Self.renewHistory(of: copy)
      // An app's store has the mode that it had.
      if try !isOfCoreData && (!exists || SQLiteStoreFile(store).keepsLog) {
        try Self.giveLog(to: copy)
      }
      if exists { try Self.foldLog(of: store) }
      return try Self.replace(store, by: copy, withValues: movesValues)
    }
  }

  /// Works the log of a store into it, which is about to get another name.
  ///
  /// A restoring that is killed between two names would leave the one without the other. A store
  /// that is damaged keeps what is beside it.
  private static func foldLog(of store: String) throws {
    do { try requireAlone(store) } catch let error as SQLiteError
      where ![.busy, .locked].contains(error.code.primary)
    {}
  }

  /// Whether the folder of large values of a store of Core Data goes with the store: it is not
  /// another one's, whose name differs in its extension.
  ///
  /// - Throws: `storeUnreachable` where it is, for a store that has it as well.
  private static func mayMoveValues(of store: String, _ isOfCoreData: Bool) throws -> Bool {
    let support = CoreDataFolder(ofStore: store).support
    guard let other = CoreDataFolder.otherStore(sharing: store) else { return true }
    guard isOfCoreData else { return false }
    throw PersistenceError(
      .storeUnreachable,
      "'\(store)' was not restored: '\(other)' has its large values in the same folder, '\(support)'; "
        + "move that store first, or choose a path that differs in more than its extension")
  }

  /// Whether the file is a database with a write-ahead log; one that cannot be read counts as such.
  var keepsLog: Bool {
    get throws {
      do {
        return try ReadOnlyProbe.read(path, busyMilliseconds: 5000) {
          try $0.journalModeOfHeader() == "wal"
        }
      } catch is SQLiteError { return true }
    }
  }

  /// Gives the copy another history: it may write other saves under the numbers that the store has
  /// given since the backup.
  ///
  /// A note tells its consumers, which are where they were in the backup.
  private static func renewHistory(of copy: String) throws {
    let connection = try Connection(path: copy, configuration: .init(role: .sole))
    defer { connection.close() }
    guard try connection.hasHistory() else { return }
    try connection.transaction(.write) {
      try connection.renewHistory()
      try connection.noteRestoring()
    }
  }

  /// Makes a backup, which is one file, a store as a coordinator makes one.
  static func giveLog(to copy: String) throws {
    let connection = try Connection(path: copy, configuration: .init(role: .sole))
    defer { connection.close() }
    // Where a log is impossible, the store is whole without.
    _ = try connection.text("PRAGMA journal_mode = WAL")
  }

  /// Gives a copy the name of a store, and the files of the store other names.
  private static func replace(
    _ store: String, by copy: String, withValues movesValues: Bool
  ) throws -> String? {
    func files(of store: String) -> [String] {
      Self.files(of: store).filter { movesValues || $0 != CoreDataFolder(ofStore: store).support }
    }
    let kept = keptName(of: store)
    System.remove(store + "-shm")
    var moved: [(from: String, to: String)] = []
    do {
      // The database has both names until the copy takes one: at no moment is nothing there, which
      // an opening would take for a new store.
      let hasTwoNames = System.addName(kept, to: store)
      let isKept = { (path: String) in path == store && hasTwoNames }
      // The log first: beside another database it would be worked into that one.
      for (from, to) in zip(files(of: store), files(of: kept)) where System.fileID(from) != nil {
        if !isKept(from) { try move(from, to: to) }
        moved.append((from, to))
      }
      let isReplaced = !moved.isEmpty
      // Folders of large values first, because a store must not be there without them.
      for (from, to) in zip(files(of: copy), files(of: store)) where System.fileID(from) != nil {
        try move(from, to: to)
        moved.append((from, to))
      }
      System.synchronizeFolder(of: store)
      return isReplaced ? kept : nil
    } catch {
      for (from, to) in moved.reversed() { _ = System.rename(to, from) }
      // Renaming one of two names of a file does nothing.
      if System.fileID(kept) != nil, System.fileID(kept) == System.fileID(store) {
        System.remove(kept)
      }
      throw error
    }
  }

  /// All that a store may be, the database last; the folder of large values of a store of Core Data
  /// may be another's, unless the name says that it is this one's.
  private static func files(of store: String) -> [String] {
    let support = CoreDataFolder(ofStore: store).support
    return ["-wal", "-journal", ExternalFolder.suffix].map { store + $0 } + [support, store]
  }

  private static func move(_ from: String, to: String) throws {
    let failure = System.rename(from, to)
    guard failure == 0 else {
      throw PersistenceError(
        .ioFailure,
        "'\(from)' could not be renamed to '\(to)': \(System.message(failure)); nothing was "
          + "restored")
    }
  }

  /// A free name for the file that was at the store's path.
  private static func keptName(of store: String) -> String {
    var (name, number) = ("\(store).replaced", 1)
    while files(of: name).contains(where: { System.fileID($0) != nil }) {
      number += 1
      name = "\(store).replaced-\(number)"
      // The folder of values is named without what follows the last point.
      let folder = CoreDataFolder(ofStore: name).support
      if System.isDirectory(folder) { name = "\(store)-\(number).replaced" }
    }
    return name
  }
}
