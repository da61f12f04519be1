public import OxbowModel
public import OxbowStore

extension PersistentStoreCoordinator {
  /// Copies the store as it is at one moment into a file; see
  /// ``SQLiteStoreFile/backUp(to:overwriting:progress:)``.
  ///
  /// It works for any open store, including one in memory. Unsaved changes of contexts are left
  /// out.
  ///
  /// - Throws: ``PersistenceError`` as there, and `unsupported` for a coordinator with several
  ///   stores, each of which is backed up by its file.
  public func backUp(
    to destination: String, overwriting: Bool = false,
    progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    let store = try onlyStore(
      "copied as one; back up the file of each with 'SQLiteStoreFile'")
    if store.scope != nil { throw .unsupported("backed up", inScopeOf: store.path) }
    do {
      let target = try BackupTarget(destination, of: store.path, overwriting)
      try store.using { try target.receive($0, progress) }
    } catch { throw PersistenceError(error, "backing up") }
  }

  /// Moves the store to another file while it is open; it may be in memory or in a temporary file.
  ///
  /// Contexts, their objects and unsaved changes stay as they are, and so do IDs: the store keeps
  /// its identifier, and what is saved or read from now on is saved and read at the new place,
  /// with large values in files. Saves of other threads and processes wait meanwhile, so none of
  /// them is in the former file alone.
  ///
  /// The former file stays as it was, for other coordinators and processes may have it open: remove
  /// it when they have closed it. Both files have the same identifier, as a backup has. Pinned
  /// views end, unless another coordinator of this process has the former file open, and
  /// ``statistics`` begins anew.
  ///
  /// - Parameters:
  ///   - path: The path of the new file, in a folder that exists.
  ///   - overwriting: Whether an older file at that path may be replaced, which must not be open.
  ///   - progress: Called after each piece of about one megabyte, on the calling thread; it must
  ///     not save.
  /// - Throws: ``PersistenceError``: `storeUnreachable` for a path that may not be written,
  ///   `storeLocked`, `storeFull`, `storeReadOnly`, `storeCorrupt` for a store that does not pass
  ///   SQLite's check; `consumerInUse` while a consumer of its history works in this process;
  ///   `unsupported` for a coordinator with several stores and for a store of the program's own.
  ///   The store is where it was then, and a copy of it may be at the path.
  public func moveStore(
    to path: String, overwriting: Bool = false, progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    let store = try onlyStore(
      "moved as one; close it, copy the file of each with 'SQLiteStoreFile', and open the copies")
    do { try store.move(to: path, overwriting: overwriting, progress) } catch {
      throw PersistenceError(error, "moving")
    }
  }

  private func onlyStore(_ advice: String) throws(PersistenceError) -> SQLiteStore {
    if let store = store as? SQLiteStore { return store }
    throw PersistenceError(
      .unsupported, "the coordinator has several stores, which are not \(advice)")
  }
}
