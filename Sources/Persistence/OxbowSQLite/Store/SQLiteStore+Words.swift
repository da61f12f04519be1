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
      var outcome = SearchUpkeep.Outcome.pause(milliseconds: 0)
      while case .pause(let milliseconds) = outcome {
        if milliseconds > 0 { System.sleep(microseconds: UInt32(milliseconds) * 1000) }
        outcome = self?.catchUpSearch(upkeep) ?? .failed
      }
      upkeep.end(outcome)
    }
    if !isRunning { upkeep.end(.failed) }
  }

  /// Gives the search indexes a block, and logs its failure.
  private func catchUpSearch(_ upkeep: SearchUpkeep) -> SearchUpkeep.Outcome {
    let start = System.milliseconds
    do throws(PersistenceError) {
      return try catchUpSearch() ? .done : upkeep.pause(afterBlockOf: System.milliseconds - start)
    } catch {
      // The store may be closed between two blocks.
      guard error.code != .storeClosed else { return .failed }
      options.logger?.warning(
        "a search index of '\(path)' fell behind, so searches read more texts: \(error)")
      return .failed
    }
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
              try connection.catchUp($0, SearchUpkeep.block)
            }
          }
        }
      }
    } catch { throw PersistenceError(error, "indexing texts in") }
  }
}
