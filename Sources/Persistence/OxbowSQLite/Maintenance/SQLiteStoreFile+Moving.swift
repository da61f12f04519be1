public import OxbowModel

extension SQLiteStoreFile {
  /// Moves the store, with its large values, to another path, which may be on another disk.
  ///
  /// It is copied and checked first, as by ``backUp(to:overwriting:progress:)``, and removed at its
  /// former path when the copy is on the medium. It must not be open, in this process or in another
  /// one; `PersistentStoreCoordinator.moveStore(to:overwriting:progress:)` moves an open one.
  ///
  /// - Parameters:
  ///   - destination: The new path, where there is nothing, in a folder that exists.
  ///   - progress: Called after each piece of about one megabyte, on the calling thread.
  /// - Throws: ``PersistenceError``: `storeLocked` with those who have it open, `notAStore`,
  ///   `storeUnreachable`, `storeCorrupt`, `storeFull`… The store is as it was then.
  public func move(
    to destination: String, progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    try perform("moving") {
      try alone("moved") { store in
        try Self.requireAlone(store)
        let (isOfCoreData, keepsLog) = (self.isOfCoreData, try self.keepsLog)
        let target = try BackupTarget(destination, of: store, false)
        try copy(into: target, usesLockFile: false, progress)
        var values: Set<String>?
        do {
          values = try Self.valuesOfCoreData(destination)
          if !isOfCoreData, keepsLog { try Self.giveLog(to: destination) }
          // A program that does not know the lock file may have come, and would go on in a file
          // that has lost its name.
          try Self.requireAlone(store)
        } catch {
          System.remove(destination)
          Self.removeWhatIsBeside(destination, values)
          throw error
        }
        // The database first: what is beside it is nothing without it.
        System.remove(store)
        Self.removeWhatIsBeside(store, values)
      }
    }
  }

  /// Runs `body` with the path of the file itself, while no program of Oxbow's has it open.
  func alone(_ action: String, _ body: (_ store: String) throws -> Void) throws {
    guard System.fileID(path) != nil else { throw DatabaseRegistry.Unreachable.missing(path) }
    try DatabaseRegistry.refuseLent(path, action)
    let store = System.realPath(path)
    let lock = try LockFile.current(
      besideStore: store, usage: .alone, milliseconds: 5000, isRemoved: true)
    defer { lock.close() }
    try body(store)
  }

  /// The names of the large values of a store of Core Data; `nil` for another file.
  static func valuesOfCoreData(_ store: String) throws -> Set<String>? {
    guard SQLiteStoreFile(store).isOfCoreData else { return nil }
    return try UntouchedFile.read(store) { try $0.coreDataFileNames }
  }

  /// Removes the logs and large values of a store that is gone; of a store of Core Data these ones.
  static func removeWhatIsBeside(_ store: String, _ values: Set<String>?) {
    for suffix in ["-wal", "-shm", "-journal"] { System.remove(store + suffix) }
    guard let values else { return ExternalFolder(ofStore: store).removeAll() }
    guard CoreDataFolder.otherStore(sharing: store) == nil else { return }
    CoreDataFolder(ofStore: store).remove(values)
  }

  /// Refuses a store that a program has open which does not know the lock file: one that has a
  /// write-ahead log open keeps others from having the database alone.
  static func requireAlone(_ store: String) throws {
    let connection = try Connection(path: store, configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK")
  }
}
