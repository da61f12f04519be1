#if PostgreSQL
  package import OxbowFoundation
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    package func delete(
      before token: HistoryToken, force: Bool
    ) throws(PersistenceError) -> Int {
      try purge { purging in
        let number = try purging.state.place(of: token, place).number
        guard !force, let slowest = try purging.slowest(), slowest.number < number else {
          return number
        }
        throw PersistenceError.needed(
          by: slowest.name, at: slowest.number, before: number, place)
      }
    }

    package func delete(before date: Date) throws(PersistenceError) -> Int {
      let time = Int64(clampedMilliseconds: date)
      return try purge { purging in
        min(try purging.end(before: time), try purging.slowest()?.number ?? .max)
      }
    }

    /// Removes saves in transactions of at most a thousand, so that readers do not wait long; `end`
    /// finds the last one that is to go.
    private func purge(
      _ end: (HistoryPurging) throws -> Int64
    ) throws(PersistenceError) -> Int {
      try requireWritable()
      try requirePlan()
      do { return try pool.withConnection { try purge(on: $0, end) } } catch {
        throw PersistenceError(error, "removing history from", place)
      }
    }

    private func purge(
      on connection: ServerConnection, _ end: (HistoryPurging) throws -> Int64
    ) throws -> Int {
      var removed = 0
      while true {
        let purging = try HistoryPurging(connection, self)
        let (count, isOver) = try purging.remove(through: end(purging))
        removed += count
        if isOver { return removed }
      }
    }

    /// Keeps the history within its limits, at most once a minute; a failure is left to the next
    /// time.
    func keepHistory(on connection: ServerConnection) {
      guard historyUpkeep.isDue(at: System.milliseconds) else { return }
      keepHistory(within: options.historyLimits, on: connection)
    }

    /// Removes what is beyond limits, if anything is.
    package func keepHistory(within limits: HistoryLimits) {
      _ = try? pool.withConnection { keepHistory(within: limits, on: $0) }
    }

    private func keepHistory(within limits: HistoryLimits, on connection: ServerConnection) {
      do {
        let isBeyond = try HistoryPurging.isBeyond(limits, connection, self)
        guard isBeyond else { return }
        _ = try purge(on: connection) { try $0.end(within: limits) }
      } catch {
        try? connection.rollBack()
      }
    }
  }

  /// A transaction that removes some saves; readers wait for it, who give numbers.
  private struct HistoryPurging {
    let state: HistoryState
    private let connection: ServerConnection
    private let statements: HistoryStatements

    /// So many saves are removed in one transaction.
    private static let purgedAtOnce: Int64 = 1000

    init(_ connection: ServerConnection, _ store: PostgresStore) throws {
      self.connection = connection
      statements = HistoryStatements(store.names)
      let before = statements.givingNumbers(
        true, waitMilliseconds: store.options.waitMilliseconds
      ).dropLast()
      let results = try connection.run(Array(before) + [statements.state])
      state = try HistoryState(results[results.count - 1], store.identifier, store.place)
    }

    /// Removes saves up to a number, some of them at most, and commits.
    ///
    /// - Returns: How many are gone, and whether there is nothing left to do.
    func remove(through end: Int64) throws -> (count: Int, isOver: Bool) {
      guard end >= state.first else {
        _ = try connection.run([.rollback])
        return (0, true)
      }
      let block = try connection.run([
        statements.lastOfBlock(before: end + 1, count: Self.purgedAtOnce)
      ])[0]
      let last = block.cell(0, 0) == nil ? end : block.integer(0, 0)
      let facts = FactStatements(statements.names)
      let results = try connection.run([
        facts.write(MetadataTables.Fact.saves.rawValue, .integer(state.last.number)),
        statements.remove(through: last),
        facts.write(HistoryTables.Fact.from.rawValue, .integer(last + 1)), .commit,
      ])
      return (Int(results[1].integer(0, 0)), last >= end)
    }

    /// The consumer that is behind all others.
    func slowest() throws -> (name: String, number: Int64)? {
      let found = try connection.run([statements.slowest])[0]
      guard found.count == 1 else { return nil }
      return (found.text(0, 0) ?? "", found.integer(0, 1))
    }

    /// The last save before a moment, in milliseconds.
    func end(before time: Int64) throws -> Int64 {
      let first = try connection.run([statements.first(since: time)])[0]
      return first.count == 1 ? first.integer(0, 0) - 1 : state.last.number
    }

    /// The last save that is to go for the sake of limits, whichever consumers need it.
    func end(within limits: HistoryLimits) throws -> Int64 {
      var end = state.first - 1
      if limits.days < 100_000 {
        let oldest = HistoryRecord.now - Int64(clamping: limits.days) * 86_400_000
        end = max(end, try self.end(before: oldest))
      }
      let beyond = try connection.run([
        statements.last(beyond: Int64(clamping: limits.bytes))
      ])[0]
      return max(end, beyond.integer(0, 0))
    }

    /// Whether anything is beyond limits.
    static func isBeyond(
      _ limits: HistoryLimits, _ connection: ServerConnection, _ store: PostgresStore
    ) throws -> Bool {
      let purging = try Self(connection, store)
      let isBeyond = try purging.end(within: limits) >= purging.state.first
      _ = try connection.run([.commit])
      return isBeyond
    }
  }
#endif
