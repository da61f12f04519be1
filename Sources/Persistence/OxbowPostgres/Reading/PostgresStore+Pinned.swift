#if PostgreSQL
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  /// A connection in a transaction that reads one moment.
  final class MomentConnection: PinnableConnection {
    let server: ServerConnection

    /// What a read that fails goes back to: without it, the moment would be over.
    private static let start = "oxbow_moment"
    static let mark = ServerStatement("SAVEPOINT \(start)", isKept: false)
    private static let goBack = ServerStatement("ROLLBACK TO SAVEPOINT \(start)", isKept: false)

    init(_ server: ServerConnection) { self.server = server }

    func recover() -> Bool {
      guard server.isUsable else { return false }
      return (try? server.run([Self.goBack])) != nil
    }

    // The server ends the transaction with the connection, which nothing else has.
    func close() {}
  }

  extension PostgresStore {
    package func pinned(_ limits: PinnedViewLimits) throws(PersistenceError) -> any PersistentStore
    {
      try pinned(limits, isSnapshot: false)
    }

    /// The same, at a moment that is a place in the history: all saves of it have their numbers.
    package func snapshot(
      _ limits: PinnedViewLimits
    ) throws(PersistenceError) -> any PersistentStore {
      try requirePlan()
      return try pinned(limits, isSnapshot: true)
    }

    /// How long a store that is only read waits for others before it looks again.
    private static let numberingPause = 20

    private func pinned(
      _ limits: PinnedViewLimits, isSnapshot: Bool
    ) throws(PersistenceError) -> any PersistentStore {
      if view != nil { throw .viewOfView(place) }
      do {
        let reader = try views.pin(limits) {
          let connection = try pool.connectBeside()
          try begin(connection, limits, isSnapshot: isSnapshot)
          return MomentConnection(connection)
        }
        guard let reader else { throw ConnectionPool.Refusal.closed }
        return PostgresStore(self, through: reader)
      } catch { throw PersistenceError(error, "pinning a view of", place) }
    }

    /// Begins to read, after the lock of the facts: a migration waits until the view ends.
    ///
    /// The server ends a view whose program does nothing with it for as long as it may be old.
    private func begin(
      _ connection: ServerConnection, _ limits: PinnedViewLimits, isSnapshot: Bool
    ) throws {
      let history = HistoryStatements(names)
      let idle = min(max(1, limits.age / .milliseconds(1)), Double(Int32.max))
      let beginning =
        [.beginReading] + lockedFacts(in: "ACCESS SHARE") + [
          modelGuard,
          ServerStatement(
            "SET LOCAL idle_in_transaction_session_timeout = \(Int(idle))", isKept: false),
          MomentConnection.mark,
        ]
      guard isSnapshot else { return _ = try connection.run(beginning) }
      // What only reads waits for others who read the history of the primary server.
      let numbering =
        isReadOnly
        ? [] : history.givingNumbers(true, waitMilliseconds: options.waitMilliseconds)
      let deadline = System.deadline(in: options.waitMilliseconds)
      repeat {
        let results = try connection.run(numbering + beginning + [history.unnumbered])
        if results[results.count - 1].integer(0, 0) == 0 { return }
        // A save came between the two transactions.
        _ = try connection.run([.rollback])
        if isReadOnly { System.sleep(milliseconds: Self.numberingPause) }
      } while System.milliseconds < deadline
      if isReadOnly { throw PersistenceError.savesWithoutNumbers(place, options.waitMilliseconds) }
      throw PersistenceError(
        .storeLocked,
        "others save to the store '\(place)' all the time, so that no moment between two saves was found "
          + "in \(options.waitMilliseconds) ms; try again, or raise 'waitMilliseconds'")
    }
  }

  extension PersistenceError {
    fileprivate static func savesWithoutNumbers(
      _ place: String, _ milliseconds: Int
    ) -> PersistenceError {
      PersistenceError(
        .storeLocked,
        "the last saves of the store '\(place)' had no place in its history for \(milliseconds) ms, which a "
          + "store that is only read cannot give them; take the snapshot in a program that may write, "
          + "or let one read the history meanwhile")
    }

    fileprivate static func viewOfView(_ place: String) -> PersistenceError {
      PersistenceError(
        .unsupported,
        "the store '\(place)' is read as it was at one moment already; pin a view of its coordinator"
      )
    }
  }
#endif
