internal import Logging
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
internal import OxbowStore

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

  /// Lets the search indexes catch up with what a migration or another process has left, if that is
  /// much; when the store has been opened.
  func catchUpWithOthers() {
    guard options.catchesUpSearch, !options.isReadOnly, isBehind else { return }
    catchUpInBackground(SearchUpkeep.enough)
  }

  private var isBehind: Bool {
    let isBehind = try? using { database in
      try database.readFirst { connection in
        try connection.transaction(.read) {
          let indexes = try checkSchema(connection).searchPlan?.readable ?? []
          // The caller, who opens the store, has not asked for it.
          return try StatementRecord.noting(for: nil) {
            try connection.lacks(SearchUpkeep.enough, indexes)
          }
        }
      }
    }
    return isBehind == true
  }

  /// Gives the search indexes a block, and logs its failure.
  private func catchUpSearch(_ upkeep: SearchUpkeep) -> SearchUpkeep.Outcome {
    let start = System.milliseconds
    do throws(PersistenceError) {
      let rest = try writeBlock()
      if rest == .nothing { return .done }
      let milliseconds = System.milliseconds - start
      return upkeep.pause(afterBlockOf: milliseconds, isFarBehind: rest == .much)
    } catch {
      // The store may be closed between two blocks, or migrated by another process.
      guard ![.storeClosed, .storeWasMigrated].contains(error.code) else { return .failed }
      options.logger?.warning(
        "a search index of '\(path)' fell behind, so searches read more texts: \(error)")
      return .failed
    }
  }

  /// Gives the search indexes a block of what they lack, in a transaction of its own.
  ///
  /// - Returns: Whether nothing is left to do.
  package func catchUpSearch() throws(PersistenceError) -> Bool { try writeBlock() == .nothing }

  /// What the search indexes lack after a block.
  private enum Rest { case nothing, some, much }

  // What is left is looked at on the writer: closing the store waits for it, and would leave a
  // reader of ours behind that keeps the file from being moved or prepared.
  private func writeBlock() throws(PersistenceError) -> Rest {
    do {
      return try using { database in
        try database.write { connection in
          try connection.transaction(.write) {
            try requirePlace(database)
            let indexes = try checkSchema(connection).searchPlan?.readable ?? []
            if try indexes.allSatisfy({ try connection.catchUp($0, SearchUpkeep.block) }) {
              return .nothing
            }
            return try connection.lacks(SearchUpkeep.tooMany, indexes) ? .much : .some
          }
        }
      }
    } catch { throw PersistenceError(error, "indexing texts in") }
  }
}
