internal import Logging
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational

extension SQLiteStore {
  /// Lets the indexes of words catch up in the background, if many rows are waiting; after a save,
  /// whose success does not depend on it.
  func keepWords(_ count: Int) {
    let upkeep = database.words
    guard count > 0, options.catchesUpWords, upkeep.add(count) else { return }
    let isRunning = runInBackground { [weak self] in
      var isOver = false
      // The store may be closed or released between two blocks.
      while !isOver, let store = self, store.database.waitingCommits == 0 {
        do throws(PersistenceError) { isOver = try store.catchUpWords() } catch {
          if error.code != .storeClosed {
            store.options.logger?.warning(
              "searches of '\(store.path)' read more texts: its index of words stays behind: \(error)"
            )
          }
          break
        }
      }
      upkeep.end(isOver: isOver)
    }
    if !isRunning { upkeep.end(isOver: false) }
  }

  /// Gives the indexes of words a block of what they lack, in a transaction of its own.
  ///
  /// - Returns: Whether nothing is left to do.
  package func catchUpWords() throws(PersistenceError) -> Bool {
    do {
      return try using { database in
        try database.write { connection in
          try connection.transaction(.write) {
            try requirePlace(database)
            let indexes = try checkSchema(connection).words?.readable ?? []
            return try indexes.allSatisfy {
              try connection.catchUp($0, WordUpkeep.block) < WordUpkeep.block
            }
          }
        }
      }
    } catch { throw PersistenceError(error, "indexing words in") }
  }
}
