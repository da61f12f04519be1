public import OxbowModel
public import OxbowStore

extension PersistentStoreCoordinator {
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
  ///   SQLite's check; `unsupported` for a coordinator with several stores and for a store of the
  ///   program's own. The store is where it was then, and a copy of it may be at the path.
  public func moveStore(
    to path: String, overwriting: Bool = false, progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    guard let store = store as? SQLiteStore else {
      throw PersistenceError(
        .unsupported,
        "the coordinator has several stores, which are not moved as one; close it, copy the file of "
          + "each with 'SQLiteStoreFile', and open the copies")
    }
    do { try store.move(to: path, overwriting: overwriting, progress) } catch {
      throw PersistenceError(error, "moving")
    }
  }
}
