package import OxbowModel
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func pinned(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore {
    try view(limits) { database, limits in
      if let reader = try database.pin(limits) { return reader }
      throw PersistenceError(
        .unsupported,
        "the store '\(self.path)' has no write-ahead log, so its readers and writers take turns, and "
          + "one moment cannot be read while others write; open it in a file with a log")
    }
  }

  package func snapshot(
    _ limits: PinnedViewLimits
  ) throws(PersistenceError) -> any PersistentStore {
    try view(limits) { try $0.pin($1) ?? $0.pinAlone($1) }
  }

  private func view(
    _ limits: PinnedViewLimits,
    _ pin: (Database, PinnedViewLimits) throws -> PinnedReader<Connection>
  ) throws(PersistenceError) -> any PersistentStore {
    if scope != nil { throw .unsupported("read as it is at one moment", inScopeOf: path) }
    if database.configuration.leavesNoTrace {
      throw PersistenceError(
        .unsupported,
        "one moment of the store '\(path)' cannot be kept for a reader: it is Core Data's, and no file "
          + "beside it may be held; read a copy of the store, which does not change")
    }
    do {
      return try using { database in
        let state = try current()
        return SQLiteStore(self, database, state, through: try pin(database, limits))
      }
    } catch { throw PersistenceError(error, "pinning a view of") }
  }
}
