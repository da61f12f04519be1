internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension Connection {
  /// Moves a consumer, inside a transaction.
  ///
  /// - Throws: ``PersistenceError``: `historyOff`, `historyForeign`, `consumerUnknown`, and
  ///   `conflict` where the consumer is not where it was.
  func acknowledge(_ acknowledgment: HistoryAcknowledgment) throws {
    let new = try number(of: acknowledgment.new)
    try run(
      HistoryTables.acknowledge,
      [
        .integer(new), .integer(HistoryRecord.now),
        .text(acknowledgment.consumer), .integer(acknowledgment.old.number),
      ])
    guard changes == 0 else { return }
    let name = acknowledgment.consumer
    guard let number = try integer(HistoryTables.readConsumer, [.text(name)]) else {
      throw PersistenceError.unknownConsumer(name, path)
    }
    throw PersistenceError(
      .conflict,
      "nothing was saved: the consumer '\(name)' of the store '\(path)' has seen the saves up to "
        + "\(number), and was to go on from \(acknowledgment.old.number); another worker "
        + "has acknowledged it meanwhile: read the next batch")
  }

  /// Refuses a place in another history.
  func requireOwn(_ token: HistoryToken) throws {
    let own = try historyToken(at: 0)
    guard token.store != own.store || token.instance != own.instance else { return }
    let reason =
      token.store == own.store
      ? "the store was restored from a backup since, and may have other saves under the same numbers"
      : "the token belongs to the store \(token.store)"
    throw PersistenceError(
      .historyForeign,
      "the place '\(token)' is not in the history of the store '\(path)': \(reason); read the store "
        + "as a whole, and begin at its current token")
  }

  /// The number of a place in this history.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a place in another history, and for one
  ///   after the last save.
  func number(of token: HistoryToken) throws -> Int64 {
    try requireOwn(token)
    let last = try lastSave()
    guard token.number <= last else { throw PersistenceError.beyond(token, last, path) }
    return token.number
  }

  /// A place in the history of this store.
  ///
  /// - Throws: ``PersistenceError``: `historyOff`; `notAStore` where its facts are damaged.
  func historyToken(at number: Int64) throws -> HistoryToken {
    guard try hasHistory() else { throw PersistenceError.noHistory(path) }
    let store = try text(
      MetadataTables.readFact, [.text(MetadataTables.Fact.identifier.rawValue)])
    let instance = try text(
      MetadataTables.readFact, [.text(HistoryTables.Fact.instance.rawValue)])
    guard let store = store.flatMap(UUID.init(uuidString:)),
      let instance = instance.flatMap(UUID.init(uuidString:))
    else {
      throw PersistenceError(
        .notAStore,
        "'\(MetadataTables.metadata.name)' of the store '\(path)' has no usable "
          + "'\(HistoryTables.Fact.instance.rawValue)', which every store with a history has; restore "
          + "a backup")
    }
    return HistoryToken(store: store, instance: instance, number: number)
  }
}

extension PersistenceError {
  static func noHistory(_ path: String) -> PersistenceError {
    PersistenceError(
      .historyOff,
      "the store '\(path)' has no history: it was never opened with one; open it with 'history: .keys' "
        + "or 'history: .values', and its saves are noted from then on")
  }

  static func unknownConsumer(_ name: String, _ path: String) -> PersistenceError {
    PersistenceError(
      .consumerUnknown,
      "the store '\(path)' has no consumer '\(name)' of its history; register it with "
        + "'historyConsumer(named:from:)'")
  }
}
