package import OxbowModel
package import OxbowStore

extension SQLiteStore {
  package var statistics: StoreStatistics {
    let counts = database.counters.counts
    var statistics = StoreStatistics()
    statistics.statements = counts.statements
    statistics.rowsRead = counts.rows
    statistics.rowsScanned = counts.scannedRows
    statistics.saves = counts.saves
    statistics.commits = counts.commits
    statistics.databaseBytes = System.size(path) ?? 0
    statistics.logBytes = System.size(path + "-wal") ?? 0
    return statistics
  }

  package func conditions() throws(PersistenceError) -> [StoreCondition] {
    try read { connection, _ in
      _ = try self.bookkeeping.keys(connection)
      try self.database.checkFile()
    }
    return [
      StoreCondition(
        path, isReadOnly: isReadOnly,
        isWritable: !database.isInFile || System.isWritable(database.path), statistics)
    ]
  }
}
