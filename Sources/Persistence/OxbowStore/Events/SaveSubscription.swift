internal import OxbowPlatform
internal import Synchronization

/// A subscription to saves, until it is cancelled or gone.
public final class SaveSubscription: Sendable {
  private let subscribers: SaveSubscribers

  init(_ subscribers: SaveSubscribers, _ handler: @escaping @Sendable (SaveEvent) -> Void) {
    self.subscribers = subscribers
    subscribers.add(handler, for: ObjectIdentifier(self))
  }

  deinit { cancel() }

  /// Ends the calls; a running one continues.
  public func cancel() { subscribers.remove(ObjectIdentifier(self)) }
}

/// The subscribers to a coordinator's saves.
final class SaveSubscribers: Sendable {
  private let handlers = Lock<[ObjectIdentifier: @Sendable (SaveEvent) -> Void]>([:])
  private let count = Atomic(0)
  private let number = Atomic(0)

  /// Whether there are subscribers: one load for each save.
  var isPresent: Bool { count.load(ordering: .acquiring) > 0 }

  func add(_ handler: @escaping @Sendable (SaveEvent) -> Void, for id: ObjectIdentifier) {
    handlers.withLock { handlers in
      handlers[id] = handler
      count.store(handlers.count, ordering: .releasing)
    }
  }

  func remove(_ id: ObjectIdentifier) {
    // Released after the lock.
    let removed = handlers.withLock { handlers in
      defer { count.store(handlers.count, ordering: .releasing) }
      return handlers.removeValue(forKey: id)
    }
    withExtendedLifetime(removed) {}
  }

  func nextNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

  func send(_ event: SaveEvent, except own: SaveSubscription?) {
    var handlers = handlers.withLock(\.self)
    if let own { handlers[ObjectIdentifier(own)] = nil }
    for handler in handlers.values { handler(event) }
  }
}

/// Saves as they come; see ``PersistentStoreCoordinator/didSaveEvents()``.
public struct SaveEvents: AsyncSequence, Sendable {
  /// All saves since the last element.
  public typealias Element = SaveNews

  /// Never: a sequence of saves does not fail.
  public typealias Failure = Never

  private let mailbox = SaveMailbox(capacity: 100_000)
  private let subscription: SaveSubscription

  init(_ subscribers: SaveSubscribers) {
    subscription = SaveSubscription(subscribers) { [mailbox] in mailbox.post($0) }
  }

  /// Reads the saves.
  public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// Reads saves one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let events: SaveEvents

    /// Returns the next saves, or `nil` when the task is cancelled.
    public mutating func next() async -> SaveNews? {
      while !Task.isCancelled {
        if events.mailbox.hasNews { return events.mailbox.take() }
        await events.mailbox.wait()
      }
      return nil
    }
  }
}
