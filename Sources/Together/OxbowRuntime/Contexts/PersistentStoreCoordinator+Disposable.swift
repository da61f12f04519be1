public import OxbowContainer
public import OxbowStore

extension PersistentStoreCoordinator: Disposable {
  /// Closes the store, when the container that keeps the coordinator is shut down.
  public func dispose() { close() }
}
