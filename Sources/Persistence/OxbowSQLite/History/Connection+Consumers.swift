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
    let new = try place(of: acknowledgment.new)
    let old = acknowledgment.old.place(in: new.store)?.number ?? 0
    try run(
      HistoryTables.acknowledge,
      [
        .integer(new.number), .integer(HistoryRecord.now),
        .text(acknowledgment.consumer), .integer(old),
      ])
    if changes == 0 { try check(acknowledgment) }
  }

  /// Checks that a consumer is where an acknowledgment begins.
  ///
  /// - Throws: ``PersistenceError`` as ``acknowledge(_:)``.
  func check(_ acknowledgment: HistoryAcknowledgment) throws {
    let store = try place(of: acknowledgment.new).store
    let old = acknowledgment.old.place(in: store)?.number ?? 0
    let name = acknowledgment.consumer
    guard let number = try integer(HistoryTables.readConsumer, [.text(name)]) else {
      throw PersistenceError.unknownConsumer(name, path)
    }
    guard number != old else { return }
    throw PersistenceError(
      .conflict,
      "nothing was saved: the consumer '\(name)' of the store '\(path)' has seen the saves up to "
        + "\(number), and was to go on from \(old); another worker "
        + "has acknowledged it meanwhile: read the next batch")
  }

  /// The place of a token in this history.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a token of other histories.
  func ownPlace(of token: HistoryToken) throws -> HistoryPlace {
    let own = try historyPlace(at: 0)
    let place = token.place(in: own.store)
    if let place, place.instance == own.instance { return place }
    let stores = token.places.map(\.store.uuidString).joined(separator: " and ")
    let reason =
      place != nil
      ? "the store was restored from a backup since, and may have other saves under the same numbers"
      : "the token belongs to the store \(stores)"
    throw PersistenceError(
      .historyForeign,
      "the place '\(token)' is not in the history of the store '\(path)': \(reason); read the store "
        + "as a whole, and begin at its current token")
  }

  /// The place of a token in this history.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a token of other histories, and for a
  ///   place after the last save.
  func place(of token: HistoryToken) throws -> HistoryPlace {
    let place = try ownPlace(of: token)
    let last = try lastSave()
    guard place.number <= last else { throw PersistenceError.beyond(place, last, path) }
    return place
  }

  /// A place in the history of this store.
  ///
  /// - Throws: ``PersistenceError``: `historyOff`; `notAStore` where its facts are damaged.
  func historyPlace(at number: Int64) throws -> HistoryPlace {
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
    return HistoryPlace(store: store, instance: instance, number: number)
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
