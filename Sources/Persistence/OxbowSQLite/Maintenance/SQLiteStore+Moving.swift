internal import OxbowFoundation
internal import OxbowModel

extension SQLiteStore {
  /// Copies the store to a file and goes on there.
  ///
  /// It has the writer meanwhile, so no save is only in the former file; each call that had begun
  /// to read goes on reading there.
  func move(
    to destination: String, overwriting: Bool, _ progress: ((StoreProgress) -> Void)?
  ) throws {
    try requireMovable()
    let former = try using { database in
      (
        database,
        try database.write { connection in
          try requirePlace(database)
          _ = try checkSchema(connection)
          try BackupTarget(destination, of: database.path, overwriting).receive(
            connection, progress)
          return try settle(at: destination, session: database.session)
        }
      )
    }
    // Not before the writer is free: those that wait for it find out that the store has moved.
    Self.end(former.0, former.1)
    saveWatch.begin(self, isMoved: true)
  }

  /// Opens the copy and makes it the store's place.
  private func settle(at path: String, session: UUID) throws -> Ending {
    let database = try Self.file(path, options, part, session: session)
    do {
      let (_, state) = try Self.open(database, model, part, options)
      return try settle(in: database, state)
    } catch {
      DatabaseRegistry.release(database)
      throw error
    }
  }

  private func requireMovable() throws(PersistenceError) {
    if scope != nil { throw .unsupported("moved", inScopeOf: path) }
    if keeper != nil {
      throw PersistenceError(
        .unsupported,
        "'\(path)' was not moved: a store of the program's own keeps its objects; open another store, "
          + "and write the objects there as JSON, or copy it with 'backUp(to:)'")
    }
    if isReadOnly {
      throw PersistenceError(
        .storeReadOnly,
        "the store '\(path)' was not moved: it is open for reading only; copy it with 'backUp(to:)', "
          + "and open the copy")
    }
    if let consumer = database.historyOwners.first {
      throw PersistenceError(
        .consumerInUse,
        "the store '\(path)' was not moved: the consumer '\(consumer)' of its history is at work in "
          + "this process, on this file; let it end, move the store, and begin it again")
    }
  }
}
