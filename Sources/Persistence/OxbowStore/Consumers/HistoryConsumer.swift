public import OxbowModel
internal import OxbowPlatform

extension PersistentStoreCoordinator {
  /// Works as a consumer of the store's history, which gets every save once it has acknowledged
  /// those before.
  ///
  /// ```swift
  /// let mailer = try coordinator.historyConsumer(named: "mailer", from: .now)
  /// for try await batch in mailer { try await send(batch) }
  /// ```
  ///
  /// The store keeps how far each consumer has come, by its name; `start` counts when the name is
  /// registered, which is the first time. One value of a name works at a time, among all programs
  /// that have the store open; the right ends with the value, or with its process. On a server it
  /// may be lost with a connection: the next batch takes it again, or is refused if another program
  /// has it by then.
  ///
  /// With several stores, each keeps how far the consumer has come in it. A store that was added
  /// since the consumer was registered is read from its first save on.
  ///
  /// A consumer that saves gets its own saves as well, unless it ignores those of this opening of
  /// the store or of its author (`HistoryFilter.notAuthor`).
  ///
  /// - Parameters:
  ///   - name: The name of the consumer.
  ///   - start: Where a new consumer begins.
  ///   - filter: Which saves and changes it wants to see; the others count as seen.
  ///   - ignoresOwnSession: Whether it leaves out what is saved by this opening of the store: in a
  ///     file, all coordinators of the process that have it open; on a server, this one.
  /// - Returns: The consumer, which works until it is gone.
  /// - Throws: ``PersistenceError``: `consumerInUse`, `historyOff`, `unsupported`,
  ///   `historyForeign` for a place to start at in another history.
  public func historyConsumer(
    named name: String, from start: HistoryStart, where filter: HistoryFilter? = nil,
    ignoresOwnSession: Bool = false
  ) throws(PersistenceError) -> HistoryConsumer {
    let history = try store.requireHistory()
    _ = try history.register(name, at: start)
    let right = try history.own(name)
    var filter = filter
    for session in ignoresOwnSession ? history.historySessions : [] {
      filter = filter.map { $0 && .notSession(session) } ?? .notSession(session)
    }
    return HistoryConsumer(self, history, name, right, filter)
  }

  /// All consumers that are registered, by name.
  ///
  /// - Throws: ``PersistenceError``: `historyOff`, `unsupported`.
  public func historyConsumers() throws(PersistenceError) -> [HistoryConsumerState] {
    try store.requireHistory().consumers()
  }

  /// Forgets a consumer; the history is not kept for it any more.
  ///
  /// - Throws: ``PersistenceError``: `consumerUnknown`, `historyOff`, `storeReadOnly`.
  public func forgetHistoryConsumer(named name: String) throws(PersistenceError) {
    try store.requireHistory().forget(name)
  }
}

/// What a consumer got, and until it is acknowledged will get again.
public struct HistoryBatch: Sendable {
  /// What happened: saves, in order, or that saves are missing, or a migration.
  public let element: HistoryElement

  /// The name of the consumer.
  public let consumer: String

  /// The place before it.
  package let old: HistoryToken

  /// The place after it.
  public let token: HistoryToken

  /// The saves; none where they are missing, or where the filter left none.
  public var transactions: [HistoryTransaction] {
    if case .saves(let saves) = element { saves } else { [] }
  }

  package var acknowledgment: HistoryAcknowledgment {
    HistoryAcknowledgment(consumer: consumer, from: old, to: token)
  }
}

/// A named reader of a store's history; see
/// ``PersistentStoreCoordinator/historyConsumer(named:from:)``.
///
/// As a sequence, it acknowledges a batch when the next one is asked for. So `break` means "again":
/// the batch in which a loop ends comes again, to this consumer or to the next of its name. With
/// ``run(_:)`` a batch is acknowledged when the body returns, and comes again when it throws. To
/// see each save exactly once, acknowledge it in the save that it leads to, in a loop or as here.
/// Such a consumer leaves out its own saves, or what it saves keeps it at work for ever. With
/// several stores, this is exactly once only for the saves of the store which the save changes, if
/// it changes one; the others are acknowledged after its commit, and come again if the program ends
/// before that.
///
/// ```swift
/// let consumer = try coordinator.historyConsumer(
///   named: "stock", from: .now, where: .notAuthor("stock"))
/// context.transactionAuthor = "stock"
/// while let batch = try consumer.nextBatch() {
///   try apply(batch, in: context)
///   try context.acknowledge(batch)
///   try context.save()   // what was applied and the acknowledgment, or neither
/// }
/// ```
public final class HistoryConsumer: AsyncSequence, Sendable {
  /// One batch after the other.
  public typealias Element = HistoryBatch

  /// Why the store could not be read or written.
  public typealias Failure = PersistenceError

  /// The name by which the store knows it.
  public let name: String

  package let coordinator: PersistentStoreCoordinator
  private let history: any StoreHistory
  private let right: any ConsumerRight
  private let mailbox = SaveMailbox(capacity: 0)
  private let subscription: SaveSubscription
  private let filter: HistoryFilter?

  /// The watch for saves that the coordinator does not announce, from the first wait on.
  private let watch = Lock<(any Sendable & AnyObject)?>(nil)

  init(
    _ coordinator: PersistentStoreCoordinator, _ history: any StoreHistory, _ name: String,
    _ right: any ConsumerRight, _ filter: HistoryFilter?
  ) {
    (self.coordinator, self.history, self.name) = (coordinator, history, name)
    (self.right, self.filter) = (right, filter)
    subscription = coordinator.onDidSave { [mailbox] _ in mailbox.postUnknown() }
  }

  /// How many saves there are that it has not acknowledged.
  ///
  /// - Throws: ``PersistenceError``: `consumerUnknown` once it was forgotten.
  public func lag() throws(PersistenceError) -> Int { try state().lag }

  package func state() throws(PersistenceError) -> HistoryConsumerState {
    guard let state = try history.consumers().first(where: { $0.name == name }) else {
      throw PersistenceError(
        .consumerUnknown,
        "the consumer '\(name)' of the history was forgotten while it worked; register it again with "
          + "'historyConsumer(named:from:)'")
    }
    return state
  }

  /// What comes after the last acknowledgment; `nil` when it has seen everything.
  ///
  /// - Throws: ``PersistenceError``: why the store could not be read, `consumerUnknown`,
  ///   `consumerInUse` where the right was lost with its connection, and another program has it.
  public func nextBatch() throws(PersistenceError) -> HistoryBatch? {
    try right.renew()
    let start = try state().token
    var place = start
    while let element = try history.elements(after: place, HistoryBatchLimits()).first,
      let token = element.token
    {
      if let element = filtered(element) {
        return HistoryBatch(element: element, consumer: name, old: start, token: token)
      }
      place = token
    }
    // The filter leaves nothing of these.
    if place != start {
      try move(from: start, to: place)
    }
    return nil
  }

  private func filtered(_ element: HistoryElement) -> HistoryElement? {
    guard let filter, case .saves(let saves) = element else { return element }
    let fitting = filter.filtered(saves)
    return fitting.isEmpty ? nil : .saves(fitting)
  }

  /// Notes that a batch was seen.
  ///
  /// - Throws: ``PersistenceError``: `conflict` where it was acknowledged already.
  public func acknowledge(_ batch: HistoryBatch) throws(PersistenceError) {
    try history.acknowledge([batch.acknowledgment])
  }

  /// Moves the consumer, unless it has moved meanwhile.
  package func move(from old: HistoryToken, to new: HistoryToken) throws(PersistenceError) {
    try history.acknowledge([HistoryAcknowledgment(consumer: name, from: old, to: new)])
  }

  /// Acknowledges a batch, unless a save of the program or a snapshot has done so.
  private func finishNow(_ batch: HistoryBatch) throws(PersistenceError) {
    guard let rest = batch.acknowledgment.remainder(at: try state().token) else { return }
    try history.acknowledge([rest])
  }

  /// Waits for the next batch, of a save of this process or another one; `nil` when the task is
  /// cancelled.
  private func wait() async throws(PersistenceError) -> HistoryBatch? {
    watch.withLock { watch in
      watch =
        watch
        ?? history.watch { [mailbox] _ in
          mailbox.postUnknown()
          return false
        }
    }
    while !Task.isCancelled {
      _ = mailbox.take()
      let batch = try await onThread { () throws(PersistenceError) in try self.nextBatch() }
      if let batch { return batch }
      await mailbox.wait()
    }
    return nil
  }

  fileprivate func finish(_ batch: HistoryBatch) async throws(PersistenceError) {
    try await onThread { () throws(PersistenceError) in try self.finishNow(batch) }
  }

  private func onThread<R: Sendable>(
    _ body: @Sendable () throws(PersistenceError) -> R
  ) async throws(PersistenceError) -> R { try await coordinator.workThreads.run(body) }

  /// Runs `body` for one batch after the other, until the task is cancelled or it throws; a batch
  /// is acknowledged when it returns.
  ///
  /// - Throws: What `body` throws, and then the batch comes again; ``PersistenceError``.
  public nonisolated(nonsending) func run(
    _ body: nonisolated(nonsending) (HistoryBatch) async throws -> Void
  ) async throws {
    try await coordinator.preferringWorkThreads {
      while let batch = try await wait() {
        try await body(batch)
        try await finish(batch)
      }
    }
  }

  /// Reads batches; each is acknowledged when the next one is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

  /// Reads one batch after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let consumer: HistoryConsumer
    private var last: HistoryBatch?

    fileprivate init(consumer: HistoryConsumer) { self.consumer = consumer }

    /// Acknowledges the batch before, and waits for the next; `nil` when the task is cancelled.
    ///
    /// - Throws: ``PersistenceError``.
    public mutating func next() async throws(PersistenceError) -> HistoryBatch? {
      if let last { try await consumer.finish(last) }
      last = nil
      last = try await consumer.wait()
      return last
    }
  }
}
