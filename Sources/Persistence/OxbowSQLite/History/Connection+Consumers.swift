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
    throw PersistenceError.acknowledged(name, at: number, notFrom: old, path)
  }

  /// The place of a token in this history.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a token of other histories.
  func ownPlace(of token: HistoryToken) throws -> HistoryPlace {
    try token.place(inHistoryOf: historyPlace(at: 0), path)
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
      throw PersistenceError.historyWithoutInstance(path)
    }
    return HistoryPlace(store: store, instance: instance, number: number)
  }
}
