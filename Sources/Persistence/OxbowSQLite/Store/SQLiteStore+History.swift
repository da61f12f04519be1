package import OxbowFoundation
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore: StoreHistory {
  package func requireHistory() throws(PersistenceError) -> any StoreHistory {
    guard keeper == nil else { throw .noHistoryOfAtomicStores(path) }
    try bookkeeping.requireHistory(path)
    return self
  }

  package func history(of store: UUID) throws(PersistenceError) -> any StoreHistory {
    if store == identifier { return try requireHistory() }
    throw PersistenceError.notHere(store, path, identifier)
  }

  package var historySessions: Set<UUID> { [database.session] }

  package var followedHistories: [any StoreHistory] {
    options.followsOtherProcesses && view == nil ? [self] : []
  }

  package func currentToken() throws(PersistenceError) -> HistoryToken {
    try readHistory { HistoryToken([try $0.historyPlace(at: try $0.lastSave())]) }
  }

  package func firstToken() throws(PersistenceError) -> HistoryToken {
    try readHistory { HistoryToken([try $0.historyPlace(at: try $0.firstOfHistory() - 1)]) }
  }

  package func check(_ acknowledgments: [HistoryAcknowledgment]) throws(PersistenceError) {
    try readHistory { connection in
      for acknowledgment in acknowledgments { try connection.check(acknowledgment) }
    }
  }

  package func elements(
    after token: HistoryToken, _ limits: HistoryBatchLimits
  ) throws(PersistenceError) -> [HistoryElement] {
    try readHistory { connection in
      let place = try connection.ownPlace(of: token)
      return try connection.elements(after: place, limits) {
        HistoryDecoder(
          try HistoryNames(connection, self.model), try self.historyMapping(), connection.path)
      }
    }
  }

  /// Reads one moment.
  private func readHistory<R>(_ body: (Connection) throws -> R) throws(PersistenceError) -> R {
    try read { connection, _ in try connection.transaction(.read) { try body(connection) } }
  }
}

extension Connection {
  /// The number of the last save.
  func lastSave() throws -> Int64 {
    guard let number = try saves(hasHistory: hasHistory()) else {
      throw PersistenceError.uncounted(path)
    }
    return number
  }
}

extension Connection {
  /// What comes after a place, inside of a read transaction.
  fileprivate func elements(
    after place: HistoryPlace, _ limits: HistoryBatchLimits, _ decoder: () throws -> HistoryDecoder
  ) throws -> [HistoryElement] {
    let last = try lastSave()
    guard place.number <= last else { throw PersistenceError.beyond(place, last, path) }
    guard place.number < last else { return [] }
    var reading = HistoryReading(after: place, through: last, limits, try decoder())
    try withStatement(HistoryTables.read) { statement in
      try statement.bind([.integer(place.number), .integer(Int64(limits.saves))])
      while reading.hasRoom, try statement.step() {
        let row = (0..<statement.columnCount).map { statement.value(at: $0) }
        guard try reading.add(row, laterParts: laterParts) else { break }
      }
    }
    return reading.finish()
  }

  private func laterParts(of number: Int64) throws -> [[UInt8]] {
    try rows(
      HistoryTables.readParts,
      [
        .integer(HistoryTables.partKey(number, 0)),
        .integer(HistoryTables.partKey(number, HistoryTables.largestPart)),
      ]
    ).map { row in
      guard case .blob(let bytes) = row[0] else { return [] }
      return bytes
    }
  }
}

extension PersistenceError {
  /// A place after saves that the store does not have.
  static func beyond(_ place: HistoryPlace, _ last: Int64, _ path: String) -> PersistenceError {
    PersistenceError(
      .historyForeign,
      "the place '\(place)' is after save \(place.number) of the store '\(path)', which has \(last): an "
        + "older copy of the file was put in its place; read the store as a whole, and begin at its "
        + "current token")
  }

  static func noHistoryOfAtomicStores(_ path: String) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "the store '\(path)' keeps no history of its saves: it is a store of the program's own, which "
        + "has the objects only; open it without 'history'")
  }
}

extension SQLiteStore {
  /// What the tables keep of the model.
  func historyMapping() throws -> StoreMapping { try current().mapping }
}

extension SQLiteStore {
  /// Reads the values that a batch update is going to change, where they are kept.
  func noteValues(
    before update: StoreUpdate, _ reader: RowReader, _ writer: inout ChangeWriter,
    _ state: StoreState
  ) throws {
    let entities = model.entities[update.fetch.entity].subtree
    guard let plan = writer.history?.plan,
      entities.contains(where: { plan.recording(of: $0) == .values })
    else { return }
    let sql = try generator(state).keys(update.fetch, reader.shape)
    let slabs = try writer.connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      return try reader.references(statement, of: writer.connection, expecting: 64)
    }
    let objects = slabs.flatMap { slab in (0..<slab.count).map { slab.reference(at: $0) } }
    let cells = try writer.cells(
      objects, update.fetch.entity, update.assignments.map(\.property))
    writer.history?.batch = cells
  }

  /// What the store notes of saves.
  ///
  /// - Throws: ``PersistenceError``: `historyOff` where another program has removed the tables.
  func requireHistoryPlan(_ state: StoreState) throws -> HistoryPlan {
    if let plan = state.history { return plan }
    throw PersistenceError(
      .historyOff,
      "nothing was saved: the store '\(path)' was opened with a history, and another program has "
        + "removed its tables since; close the store and open it again")
  }
}
