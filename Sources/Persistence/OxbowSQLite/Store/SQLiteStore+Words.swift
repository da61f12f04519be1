internal import Logging
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational

extension SQLiteStore {
  /// Lets the search indexes catch up in the background, if many rows are waiting; after a save,
  /// whose success does not depend on it.
  func catchUpInBackground(_ count: Int) {
    // What a test saves is rolled back.
    guard count > 0, options.catchesUpSearch, scope == nil else { return }
    let upkeep = database.searchUpkeep
    guard upkeep.add(count) else { return }
    let isRunning = runInBackground { [weak self] in
      var outcome = SearchUpkeep.Outcome.gaveWay
      // The store may be closed or released between two blocks.
      while outcome == .gaveWay, let store = self, store.database.waitingCommits == 0 {
        do throws(PersistenceError) {
          if try store.catchUpSearch() { outcome = .done }
        } catch {
          outcome = .failed
          guard error.code != .storeClosed else { break }
          store.options.logger?.warning(
            "a search index of '\(store.path)' fell behind, so searches read more texts: \(error)"
          )
        }
      }
      upkeep.end(outcome)
    }
    if !isRunning { upkeep.end(.failed) }
  }

  /// Gives the search indexes a block of what they lack, in a transaction of its own.
  ///
  /// - Returns: Whether nothing is left to do.
  package func catchUpSearch() throws(PersistenceError) -> Bool {
    do {
      return try using { database in
        try database.write { connection in
          try connection.transaction(.write) {
            try requirePlace(database)
            let indexes = try checkSchema(connection).searchPlan?.readable ?? []
            return try indexes.allSatisfy {
              try connection.catchUp($0, SearchUpkeep.block) < SearchUpkeep.block
            }
          }
        }
      }
    } catch { throw PersistenceError(error, "indexing texts in") }
  }
}
