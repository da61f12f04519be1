public import OxbowModel
public import OxbowStore

extension PersistentStoreCoordinator {
  /// Opens a SQLite store, creating it when there is none and the options allow it.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable`, `notAStore`, `modelMismatch`,
  ///   `storeLocked`, `storeReadOnly`, `storeFull`…
  public convenience init(
    _ model: CompiledModel, at location: StoreLocation, options: SQLiteStoreOptions = .init()
  ) throws(PersistenceError) {
    self.init(
      store: try SQLiteStore(model, at: location, options: options), logger: options.logger,
      threads: options.sharedThreads)
  }
}
