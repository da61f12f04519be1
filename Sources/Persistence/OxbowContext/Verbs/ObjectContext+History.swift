public import OxbowStore

// The history of the store.

extension ObjectContext {
  /// Who changes objects, for the history of the store.
  @available(*, noasync, message: "use perform { context in … }")
  public var transactionAuthor: String? { get throws { try call { $0.transactionAuthor } } }

  /// The place after the last save of this context in the history of the store.
  @available(*, noasync, message: "use perform { context in … }")
  public var lastHistoryToken: HistoryToken? { get throws { try call { $0.lastHistoryToken } } }

  /// Brings the context up to date with a save that is in the history of the store.
  @available(*, noasync, message: "use perform { context in … }")
  public func mergeChanges(from save: HistoryTransaction) throws {
    try call([.of(save)]) { try $0.mergeChanges(from: save) }
  }

  /// Takes back a save that is in the history of the store, as unsaved changes.
  @available(*, noasync, message: "use perform { context in … }")
  public func undo(_ save: HistoryTransaction) throws {
    try call([.of(save)]) { try $0.undo(save) }
  }

  /// Notes with the next save that a consumer of the store's history has seen a batch.
  @available(*, noasync, message: "use perform { context in … }")
  public func acknowledge(_ batch: HistoryBatch) throws {
    try call([.of(batch)]) { try $0.acknowledge(batch) }
  }
}
