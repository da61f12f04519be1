package import OxbowModel

/// What a store in a file, or in memory, is like at one moment.
package struct StoreCondition: Sendable, Hashable {
  /// The path of the file; a name for what is not in one.
  package let path: String
  package let isReadOnly: Bool
  /// Whether the user of this process may write the file.
  package let isWritable: Bool
  package let databaseBytes: Int
  package let logBytes: Int

  package init(_ path: String, isReadOnly: Bool, isWritable: Bool, _ statistics: StoreStatistics) {
    (self.path, self.isReadOnly, self.isWritable) = (path, isReadOnly, isWritable)
    (databaseBytes, logBytes) = (statistics.databaseBytes, statistics.logBytes)
  }
}

extension PersistentStoreCoordinator {
  /// The condition of each store; reads them, so asynchronous callers ask in a
  /// unit of work.
  ///
  /// - Throws: ``PersistenceError``: `storeClosed`, `storeWasMigrated`, `storeUnreachable` and all
  ///   else that keeps a store from answering.
  package func conditions() throws(PersistenceError) -> [StoreCondition] {
    try store.conditions()
  }
}
