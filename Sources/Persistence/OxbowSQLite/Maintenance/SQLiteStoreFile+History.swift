package import OxbowModel
internal import OxbowRelational

extension SQLiteStoreFile {
  /// Removes the history of the store's saves, with the tables that it was in; programs that have
  /// the store open with a history save nothing until they open it again.
  ///
  /// - Parameters:
  ///   - allowsLoss: Whether saves may go that the history has.
  ///   - force: Whether consumers may go.
  /// - Returns: How many saves were removed.
  /// - Throws: ``PersistenceError``: `historyOff`; `historyNeeded` where one of them is not
  ///   allowed.
  package func removeHistory(
    allowsLoss: Bool, force: Bool
  ) throws(PersistenceError) -> Int {
    try perform("removing the history of") {
      try withDatabase(isReadOnly: false) { database in
        try database.write { connection in
          try connection.transaction(.write) {
            guard try connection.hasHistory() else { throw PersistenceError.noHistory(path) }
            let consumers = try connection.rows(HistoryTables.readConsumers)
              .compactMap { $0[0].textValue }
            let count = Int(try connection.integer(HistoryTables.count) ?? 0)
            if !force, !consumers.isEmpty { throw PersistenceError.read(path, consumers) }
            if !allowsLoss, count > 0 { throw PersistenceError.kept(path, count) }
            try connection.dropHistory()
            return count
          }
        }
      }
    }
  }
}

extension Connection {
  fileprivate func dropHistory() throws {
    try run(HistoryTables.keepCount)
    for table in HistoryTables.all { try execute("DROP TABLE IF EXISTS \(quoted(table.name))") }
    try run(HistoryTables.removeFacts)
    let version =
      if try hasSearchTables() {
        PlainLayout.versionWithSearch
      } else if try integer(FilesTable.exists) == 1 {
        PlainLayout.versionWithFiles
      } else {
        PlainLayout.version
      }
    try run(HistoryTables.lowerLayout, [.integer(Int64(version))])
  }
}

extension PersistenceError {
  fileprivate static func read(_ path: String, _ consumers: [String]) -> PersistenceError {
    PersistenceError(
      .historyNeeded,
      "the store '\(path)' keeps its history: \(listed(consumers)) are registered to read it; forget "
        + "these consumers with 'store history forget', or all of them with --force")
  }

  fileprivate static func kept(_ path: String, _ count: Int) -> PersistenceError {
    PersistenceError(
      .historyNeeded,
      "the store '\(path)' keeps its history, of \(count) saves; with --allow-loss they are removed"
    )
  }
}
