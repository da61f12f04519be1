#if PostgreSQL
  package import OxbowFoundation
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    package func delete(
      before token: HistoryToken, force: Bool
    ) throws(PersistenceError) -> Int {
      try requireWritable()
      let end = try readHistory([HistoryStatements(names).slowest]) { state, results in
        let number = try state.place(of: token, place).number
        guard !force, let slowest = Self.slowest(results[0]), slowest.number < number else {
          return number
        }
        throw PersistenceError.needed(
          by: slowest.name, at: slowest.number, before: number, place)
      }
      return try purge(through: end)
    }

    package func delete(before date: Date) throws(PersistenceError) -> Int {
      try requireWritable()
      let statements = HistoryStatements(names)
      let time = Int64(clampedMilliseconds: date)
      let end = try readHistory([statements.slowest, statements.first(since: time)]) {
        state, results in
        min(state.end(before: results[1]), Self.slowest(results[0])?.number ?? .max)
      }
      return try purge(through: end)
    }

    /// The consumer that is behind all others.
    private static func slowest(_ found: ServerResult) -> (name: String, number: Int64)? {
      guard found.count == 1 else { return nil }
      return (found.text(0, 0) ?? "", found.integer(0, 1))
    }

    private func purge(through end: Int64) throws(PersistenceError) -> Int {
      do { return try pool.withConnection { try purge(through: end, on: $0) } } catch {
        throw PersistenceError(error, "removing history from", place)
      }
    }

    /// So many saves are removed in one transaction.
    private static let purgedAtOnce: Int64 = 1000

    /// Removes saves up to a number, in transactions of one round trip each: readers wait for them,
    /// who give numbers, but not for this program.
    private func purge(through end: Int64, on connection: ServerConnection) throws -> Int {
      let removal = HistoryStatements(names).remove(through: end, atMost: Self.purgedAtOnce)
      let before = [.begin, lockLimit, LockName.numbers(names).inTransaction]
      var removed = 0
      while !pool.isClosed {
        let results = try connection.run(before + removal + [.commit])
        let count = results[before.count + 1].integer(0, 0)
        removed += Int(count)
        if count < Self.purgedAtOnce { break }
      }
      return removed
    }
  }

  // MARK: - Limits

  extension PostgresStore {
    /// Keeps the history within its limits, at most once a minute; a failure is left to the next
    /// time.
    ///
    /// A large history takes long to look at, which is a fiftieth of the time at most.
    func keepHistory(on connection: ServerConnection) {
      let start = System.milliseconds
      guard historyUpkeep.isDue(at: start) else { return }
      do { try keepHistory(within: options.historyLimits, on: connection) } catch {
        try? connection.rollBack()
      }
      historyUpkeep.postpone(until: start + 50 * (System.milliseconds - start))
    }

    /// Removes what is beyond limits, if anything is.
    package func keepHistory(within limits: HistoryLimits) {
      _ = try? pool.withConnection { try keepHistory(within: limits, on: $0) }
    }

    /// Looks at what has a number, which does not change, so that readers do not wait for it.
    private func keepHistory(
      within limits: HistoryLimits, on connection: ServerConnection
    ) throws {
      let statements = HistoryStatements(names)
      let (days, bytes) = (Int64(clamping: limits.days), Int64(clamping: limits.bytes))
      let isOfDays = limits.days < 100_000
      let results = try connection.run(
        [statements.state, statements.last(beyond: bytes)]
          + (isOfDays ? [statements.first(ofDays: days)] : []),
        stoppingWhen: { [pool] in pool.isClosed })
      let state = try HistoryState(results[0], identifier, place)
      let end = max(
        results[1].integer(0, 0), isOfDays ? state.end(before: results[2]) : state.first - 1)
      guard end >= state.first else { return }
      _ = try purge(through: end, on: connection)
    }
  }

  extension HistoryState {
    /// The last save before one that was looked for: the last of all where there is none.
    fileprivate func end(before first: ServerResult) -> Int64 {
      first.count == 1 ? first.integer(0, 0) - 1 : last.number
    }
  }
#endif
