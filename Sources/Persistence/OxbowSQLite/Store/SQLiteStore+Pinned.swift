package import OxbowModel
package import OxbowStore

extension SQLiteStore {
  package func pinned(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore {
    if scope != nil { throw .unsupported("read as it is at one moment", inScopeOf: path) }
    do {
      let limits = PinnedReader.Limits(age: limits.age, logBytes: limits.logBytes)
      return try using { database in
        let state = try current()
        guard let reader = try database.pin(limits) else {
          throw PersistenceError(
            .unsupported,
            "the store '\(path)' has no write-ahead log, so its readers and writers take turns, and "
              + "one moment cannot be read while others write; open it in a file with a log")
        }
        return SQLiteStore(self, database, state, through: reader)
      }
    } catch { throw PersistenceError(error, "pinning a view of") }
  }
}
