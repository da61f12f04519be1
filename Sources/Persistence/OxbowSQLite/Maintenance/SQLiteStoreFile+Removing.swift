public import OxbowModel

extension SQLiteStoreFile {
  /// Removes the store: its file, and the large values and logs beside it.
  ///
  /// The store must not be open, in this process or in another one. Its file gets another name
  /// first: a removal that is interrupted leaves no store at the path, and a new one there does not
  /// meet what the old one has left.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable` where there is no file, `storeLocked` with
  ///   the programs that have it open, `ioFailure`. The store is as it was then.
  public func remove() throws(PersistenceError) {
    try perform("removing") {
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      try alone("removed") { store in
        // A damaged store can be removed, too; then values that it may have had stay.
        let values = try? Self.valuesOfCoreData(store)
        let removed = store + ".removed"
        let failure = System.rename(store, removed)
        guard failure == 0 else {
          throw PersistenceError(
            .ioFailure,
            "the store could not be removed: '\(store)' could not be renamed: "
              + "\(System.message(failure)); check that this user may write its folder")
        }
        System.synchronizeFolder(of: store)
        Self.removeWhatIsBeside(store, values)
        System.remove(removed)
        if System.danglingLink(path) != nil { System.remove(path) }
      }
    }
  }
}
