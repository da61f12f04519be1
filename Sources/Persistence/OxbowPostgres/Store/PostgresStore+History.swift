#if PostgreSQL
  package import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore: StoreHistory {
    package func requireHistory() throws(PersistenceError) -> any StoreHistory { self }

    package func history(of store: UUID) throws(PersistenceError) -> any StoreHistory {
      guard store == identifier else { throw .notHere(store, place, identifier) }
      return self
    }

    package var historySessions: Set<UUID> { [historySession] }

    package var announcedSession: UUID? { historySession }

    package var followedHistories: [any StoreHistory] {
      options.followsOtherProcesses ? [self] : []
    }

    package func currentToken() throws(PersistenceError) -> HistoryToken {
      HistoryToken([try readHistory([]) { state, _ in state.last }])
    }

    package func firstToken() throws(PersistenceError) -> HistoryToken {
      HistoryToken([try readHistory([]) { state, _ in state.last.at(state.first - 1) }])
    }

    package func elements(
      after token: HistoryToken, _ limits: HistoryBatchLimits
    ) throws(PersistenceError) -> [HistoryElement] {
      let statements = HistoryStatements(names)
      let start = token.place(in: identifier)?.number ?? 0
      return try readHistory([statements.readNames] + statements.read(after: start, limits)) {
        state, results in
        let place = try state.place(of: token, self.place)
        guard place.number < state.last.number else { return [] }
        let names = HistoryNames(HistoryNames.names(of: results[0].rows), model)
        let reading = HistoryReading(
          after: place, through: state.last.number, limits,
          HistoryDecoder(names, mapping, self.place))
        return try elements(reading, results[1], results[2])
      }
    }

    private func elements(
      _ begun: HistoryReading, _ rows: ServerResult, _ parts: ServerResult
    ) throws -> [HistoryElement] {
      var reading = begun
      var later: [Int64: [[UInt8]]] = [:]
      for row in 0..<parts.count {
        later[parts.integer(row, 0), default: []].append(parts.cell(row, 1).map { Array($0) } ?? [])
      }
      for row in 0..<rows.count where reading.hasRoom {
        let values = HistoryStatements.columnTypes.enumerated().map { rows.value(row, $0, $1) }
        guard try reading.add(values, laterParts: { later[$0] ?? [] }) else { break }
      }
      return reading.finish()
    }

    package func watch(
      _ body: @escaping @Sendable (_ isForeign: Bool) -> Bool
    ) -> any Sendable & AnyObject { listener.watch(body) }
  }

  // MARK: - Reading

  /// What a history says of itself at a moment.
  struct HistoryState {
    /// The place after the last save that has a number.
    let last: HistoryPlace

    /// The number of the first save that is kept.
    let first: Int64

    init(_ result: ServerResult, _ store: UUID, _ path: String) throws(PersistenceError) {
      guard let instance = result.text(0, 2).flatMap(UUID.init(uuidString:)) else {
        throw .historyWithoutInstance(path)
      }
      last = HistoryPlace(store: store, instance: instance, number: result.integer(0, 0))
      first = max(1, result.integer(0, 1))
    }

    /// The place of a token in this history.
    ///
    /// - Throws: ``PersistenceError``: `historyForeign` for a token of other histories, and for a
    ///   place after the last save.
    func place(of token: HistoryToken, _ path: String) throws(PersistenceError) -> HistoryPlace {
      let place = try token.place(inHistoryOf: last, path)
      guard place.number > last.number else { return place }
      throw PersistenceError(
        .historyForeign,
        "the place '\(place)' is after save \(place.number) of the store '\(path)', which has "
          + "\(last.number): an older copy of it was put in its place, or its server is a replica that "
          + "is behind; read the store as a whole, and begin at its current token")
    }
  }

  extension PostgresStore {
    /// Gives saves their numbers, and reads one moment afterwards, in one round trip.
    ///
    /// A store that is only read has the saves that were given numbers by others.
    func readHistory<R>(
      _ questions: [ServerStatement], _ body: (HistoryState, [ServerResult]) throws -> R
    ) throws(PersistenceError) -> R {
      try requirePlan()
      let statements = HistoryStatements(names)
      let before =
        statements.givingNumbers(!isReadOnly, waitMilliseconds: options.waitMilliseconds)
        + beginning + [modelGuard, statements.state]
      let end = view == nil ? [ServerStatement.commit] : []
      return try read(nil) { session in
        let results = try session.connection.run(before + questions + end)
        return try body(
          HistoryState(results[before.count - 1], identifier, place),
          Array(results.dropFirst(before.count)))
      }
    }

    /// Refuses where the store has no history.
    ///
    /// - Throws: ``PersistenceError``: `historyOff`.
    func requirePlan() throws(PersistenceError) {
      guard history.withLock({ $0 == nil }) else { return }
      guard view == nil, try read(nil, { try findHistory($0.connection) }) else {
        throw .noHistory(place)
      }
    }

    /// Looks whether the store has a history, for one that knew of none; another thread may have
    /// found it since.
    func findHistory(_ connection: ServerConnection) throws -> Bool {
      guard history.withLock({ $0 == nil }) else { return true }
      let session = StoreSession(connection: connection, names: names, path: place)
      _ = try session.send(
        [.beginReading] + lockedFacts(in: "ACCESS SHARE")
          + [ServerStatement(names.search, isKept: false)])
      guard try session.text(MetadataTables.readModelHash, []) == modelHash else {
        throw migrated
      }
      let plan = try HistoryOpening(
        session: session, mapping: mapping, identifier: identifier, recording: options.history
      ).plan()
      _ = try session.send([.commit])
      guard let plan else { return false }
      history.withLock { $0 = plan }
      return true
    }

    /// Lets others hear of a save, some milliseconds later, and keeps the history within its
    /// limits.
    func announceToOthers() {
      guard history.withLock({ $0 != nil }) else { return }
      notifier.wake { [weak self] in self?.keepHistory(on: $0) }
    }
  }
#endif
