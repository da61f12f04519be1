public import OxbowModel
public import OxbowStore

extension ManagedObjectContext {
  /// Who changes objects, for the history of the store: its saves have this name.
  ///
  /// ```swift
  /// context.transactionAuthor = "import"
  /// ```
  ///
  /// A reader of the history tells its own saves from those of others by it. Off the owner `nil`,
  /// and the use is reported.
  public var transactionAuthor: String? {
    get { isOwned("transactionAuthor") ? work.author : nil }
    set { if isOwned("transactionAuthor") { work.author = newValue } }
  }

  /// The place after the last save of this context in the history of the store; `nil` before there
  /// was one, and where the store has none.
  ///
  /// A store on a server gives its saves their places when they are read, so that this has none of
  /// it; `currentHistoryToken()` of the coordinator does. Of several stores, it has those to which
  /// the context has saved; `HistoryToken.moved(to:)` makes a place in all of them of it.
  public var lastHistoryToken: HistoryToken? {
    isOwned("lastHistoryToken") ? work.historyToken : nil
  }

  /// Brings the objects up to date with a save that is in the history of the store, of another
  /// context or another program; those of one that reads one moment (``isPinned``) stay as they
  /// are.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, and why the rows could not be read; the merge
  ///   can be made again then.
  public func mergeChanges(from save: HistoryTransaction) throws(PersistenceError) {
    try begin("mergeChanges(from:)")
    guard !isPinned else { return }
    try merge([coordinator.event(of: save)])
  }

  /// Notes with the next save that a consumer of the store's history has seen a batch.
  ///
  /// What the save writes and the acknowledgment are kept together or not at all, so that each
  /// batch has its effect exactly once. With several stores that is so in the store that the save
  /// changes, if it changes one; the others are acknowledged after its commit.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`; `validation` if the next save already
  ///   acknowledges a batch of the consumer. The save throws `conflict` if another worker has
  ///   acknowledged the batch.
  public func acknowledge(_ batch: HistoryBatch) throws(PersistenceError) {
    try begin("acknowledge(_:)")
    try unsaved.acknowledge(batch.acknowledgment)
    token.unsavedWork.isPresent = true
  }
}
