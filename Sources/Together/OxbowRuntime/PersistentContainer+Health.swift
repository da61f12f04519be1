public import OxbowContainer

extension PersistentContainer: BuiltInTurn {}

extension PersistentContainer: Disposable {
  /// Closes the store, where a container made it and ends; see ``close()``.
  public func dispose() { close() }
}

extension PersistentContainer: Readiness, HealthReporting {
  /// Returns when the store answers; it was migrated, or refused, when it was opened.
  ///
  /// - Throws: ``PersistenceError`` with what keeps the store from answering.
  public func ready() async throws { try await coordinator.ready() }

  /// Whether the store answers and can be saved; see ``PersistentStoreCoordinator/health()``.
  public func health() async -> Health { await coordinator.health() }
}
