package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

/// A temporary store that is lent again and again, and found each time as it was when it was given
/// away.
///
/// Its database is opened anew with one connection. All that happens between ``begin()`` and
/// ``end()`` is one transaction on it, which is rolled back: saves are savepoints, and reads see
/// them, in each context and thread.
package final class PreparedStore: Sendable {
  /// What the stores of a scope are like; closed.
  private let template: SQLiteStore
  private let database: Database
  private let state: StoreState
  private let directory: String

  /// The path by which stores of the process join what has been lent.
  package var path: String { database.path }

  /// Takes the store of a coordinator, which is closed.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for a store that is not temporary, which stays
  ///   open.
  package init(_ coordinator: PersistentStoreCoordinator) throws(PersistenceError) {
    let refusal = PersistenceError(
      .unsupported,
      "a store that is prepared for tests has to be temporary, since all that they save is rolled "
        + "back; open one store with '.temporary', and not '.inMemory', a file or several stores")
    guard let store = coordinator.store as? SQLiteStore else { throw refusal }
    do {
      let mapping = try store.current().mapping
      guard let directory = store.takeDirectory() else { throw refusal }
      (template, self.directory) = (store, directory)
      coordinator.close()
      do { (database, state) = try Self.reopen(store, mapping) } catch {
        SQLiteStore.end(store.database, .remove(directory))
        throw error
      }
    } catch { throw PersistenceError(error, "preparing") }
    database.beginLending()
  }

  /// Opens the database of a store with one connection, whose changes never reach the file.
  private static func reopen(
    _ store: SQLiteStore, _ mapping: StoreMapping
  ) throws -> (Database, StoreState) {
    let path = store.database.path
    store.database.close()
    try removeLog(path)
    var configuration = store.options.configuration
    configuration.synchronous = .off
    (configuration.usesLockFile, configuration.usesWriteAheadLog) = (false, false)
    let database = try DatabaseRegistry.acquire(path, configuration)
    do {
      let state = try database.write { connection in
        try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA cache_spill = OFF")
        let state = try SQLiteStore.prove(mapping, store.options, connection)
        // What a scope indexed would be gone with it, as triggers would.
        for index in state.searchPlan?.readable ?? [] {
          try connection.transaction(.write) { try connection.catchUp(index) }
        }
        if let columns = state.externalColumns {
          try connection.watch(columns, schemaVersion: state.schemaVersion)
        }
        return state
      }
      return (database, state)
    } catch {
      DatabaseRegistry.release(database)
      throw error
    }
  }

  private static func removeLog(_ path: String) throws {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = DELETE")
  }

  /// Lends the store; ``end()`` takes it back.
  ///
  /// - Returns: A coordinator of its own, which may be closed before.
  package func begin() throws(PersistenceError) -> PersistentStoreCoordinator {
    do {
      let scope = try database.beginScope()
      let joined = try DatabaseRegistry.acquire(path, database.configuration)
      return PersistentStoreCoordinator(
        store: SQLiteStore(template, joined, state, in: scope), logger: template.options.logger)
    } catch { throw PersistenceError(error, "lending") }
  }

  /// Rolls back all that was saved since ``begin()``; what has not been closed throws `storeClosed`
  /// from now on.
  ///
  /// - Throws: ``PersistenceError``: `transactionFailed` with the error that has ended the
  ///   transaction before. The store is as it was all the same.
  package func end() throws(PersistenceError) {
    do { try database.endScope() } catch { throw PersistenceError(error, "rolling back") }
  }

  /// Closes the store and removes its files.
  package func close() {
    // A store of a scope that was never closed still has the database.
    DatabaseRegistry.release(database)
    SQLiteStore.remove(path, directory)
  }
}
