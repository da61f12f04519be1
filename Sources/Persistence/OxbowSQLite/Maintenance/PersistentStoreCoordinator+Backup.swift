public import OxbowModel
public import OxbowStore

extension PersistentStoreCoordinator {
  /// Copies the store as it is at one moment into a file; see
  /// ``SQLiteStoreFile/backUp(to:overwriting:progress:)``.
  ///
  /// It is for any open store, in memory as well. Unsaved changes of contexts are not part of it.
  ///
  /// - Throws: ``PersistenceError`` as there, and `unsupported` for a coordinator with several
  ///   stores, each of which is backed up by its file.
  public func backUp(
    to destination: String, overwriting: Bool = false,
    progress: ((StoreProgress) -> Void)? = nil
  ) throws(PersistenceError) {
    guard let store = store as? SQLiteStore else {
      throw PersistenceError(
        .unsupported,
        "the coordinator has several stores, which are not copied as one; back up the file of each "
          + "with 'SQLiteStoreFile'")
    }
    do {
      let target = try BackupTarget(destination, of: store.path, overwriting)
      try target.receive(store.database, progress)
    } catch { throw PersistenceError(error, "backing up") }
  }
}
