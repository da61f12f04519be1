package import OxbowFoundation
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func delete(
    before token: HistoryToken, force: Bool
  ) throws(PersistenceError) -> Int {
    try purge { connection in
      let number = try connection.place(of: token).number
      if !force { try connection.requireUnneeded(before: number) }
      return number
    }
  }

  package func delete(before date: Date) throws(PersistenceError) -> Int {
    let time = Int64(clampedMilliseconds: date)
    return try purge { connection in
      guard try connection.hasHistory() else { throw PersistenceError.noHistory(connection.path) }
      let end =
        try connection.integer(HistoryTables.firstSince, [.integer(time)]).map { $0 - 1 }
        ?? connection.lastSave()
      guard let slowest = try connection.rows(HistoryTables.slowest).first?[1].integerValue else {
        return end
      }
      return min(end, slowest)
    }
  }

  /// Removes saves in transactions of at most a thousand, so that writers do not wait long.
  ///
  /// - Parameter end: Finds the last save that is to go.
  /// - Returns: How many are gone.
  /// - Throws: ``PersistenceError``: what `end` throws, `storeReadOnly`.
  private func purge(_ end: (Connection) throws -> Int64) throws(PersistenceError) -> Int {
    do {
      if view != nil || database.configuration.isReadOnly { throw PersistenceError.readOnly(path) }
      return try using { database in
        var removed = 0
        while true {
          let (count, isOver) = try database.write { connection in
            try connection.transaction(.write) {
              try requirePlace(database)
              return try connection.removeHistory(through: try end(connection))
            }
          }
          removed += count
          if isOver { return removed }
        }
      }
    } catch { throw PersistenceError(error, "removing history from") }
  }

  /// Keeps the history within its limits, at most once a minute; after a save, whose success does
  /// not depend on it.
  ///
  /// A long history takes long to look at: no save waits for that, and it is a fiftieth of the time
  /// at most.
  func keepHistoryLimits() {
    let (start, limits) = (System.milliseconds, options.historyLimits)
    let upkeep = database.historyUpkeep
    guard upkeep.isDue(at: start) else { return }
    let isLong = try? database.read { try $0.hasLongHistory }
    // What a test saves is rolled back.
    guard isLong == true, scope == nil else { return keepHistory(within: limits) }
    // Without a thread, the next minute tries again.
    _ = runInBackground { [weak self] in
      self?.keepHistory(within: limits)
      upkeep.postpone(until: start + 50 * (System.milliseconds - start))
    }
  }

  /// Removes what is beyond limits, if anything is; a failure is left to the next time.
  package func keepHistory(within limits: HistoryLimits) {
    let end = try? database.readLong { connection in
      try connection.transaction(.read) {
        let end = try connection.historyEnd(within: limits)
        return try end >= connection.firstOfHistory() ? end : nil
      }
    }
    guard let end else { return }
    _ = try? purge { _ in end }
  }
}

extension Connection {
  /// So many saves are removed in one transaction.
  private static let purgedAtOnce: Int64 = 1000

  /// Removes saves up to a number, some of them at most.
  ///
  /// - Returns: How many are gone, and whether there is nothing left to do.
  fileprivate func removeHistory(through end: Int64) throws -> (count: Int, isOver: Bool) {
    guard try hasHistory() else { throw PersistenceError.noHistory(path) }
    let first = try firstOfHistory()
    guard end >= first else { return (0, true) }
    let block = try integer(
      HistoryTables.lastOfBlock, [.integer(end + 1), .integer(Self.purgedAtOnce)])
    let last = block ?? end
    try run(HistoryTables.keepCount)
    try run(HistoryTables.removeSaves, [.integer(last)])
    let count = changes
    try run(HistoryTables.removeParts, [.integer(HistoryTables.partKey(last + 1, 0))])
    try run(
      MetadataTables.writeFact,
      [.text(HistoryTables.Fact.from.rawValue), .integer(last + 1)])
    return (count, last >= end || block == nil)
  }

  /// Whether looking at the sizes of all saves takes longer than a save.
  fileprivate var hasLongHistory: Bool {
    get throws { try lastSave() - firstOfHistory() > Self.purgedAtOnce }
  }

  /// Refuses to remove what a consumer has not seen.
  fileprivate func requireUnneeded(before number: Int64) throws {
    guard let row = try rows(HistoryTables.slowest).first, let seen = row[1].integerValue,
      seen < number
    else { return }
    throw PersistenceError.needed(
      by: row[0].textValue ?? "", at: seen, before: number, path)
  }

  /// The last save that is to go for the sake of limits, whichever consumers need it.
  fileprivate func historyEnd(within limits: HistoryLimits) throws -> Int64 {
    var end = try firstOfHistory() - 1
    if limits.days < 100_000 {
      let oldest = HistoryRecord.now - Int64(max(0, limits.days)) * 86_400_000
      end = max(
        end, try integer(HistoryTables.firstSince, [.integer(oldest)]).map { $0 - 1 } ?? lastSave())
    }
    if let last = try integer(HistoryTables.lastBeyond, [.integer(Int64(clamping: limits.bytes))]) {
      end = max(end, last)
    }
    return end
  }
}
