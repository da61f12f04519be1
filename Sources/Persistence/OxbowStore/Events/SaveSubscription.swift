internal import OxbowPlatform
internal import Synchronization

/// A subscription to saves, until it is cancelled or gone.
public final class SaveSubscription: Sendable {
  private let subscribers: SaveSubscribers

  init(_ subscribers: SaveSubscribers, _ receiver: SaveReceiver) {
    self.subscribers = subscribers
    subscribers.add(receiver, for: ObjectIdentifier(self))
  }

  deinit { cancel() }

  /// Ends the calls; a running one continues.
  public func cancel() { subscribers.remove(ObjectIdentifier(self)) }
}

/// Who hears of saves.
enum SaveReceiver: Sendable {
  /// Called on the thread that saves, so for saves of the coordinator only.
  case handler(@Sendable (SaveEvent) -> Void)
  /// For all saves.
  case mailbox(SaveMailbox)
}

/// The subscribers to a coordinator's saves.
final class SaveSubscribers: Sendable {
  private let receivers = Lock<[ObjectIdentifier: SaveReceiver]>([:])
  private let count = Atomic(0)
  private let number = Atomic(0)
  private let isEnded = Atomic(false)

  /// Whether there are subscribers: one load for each save.
  var isPresent: Bool { count.load(ordering: .acquiring) > 0 }

  /// Called when a mailbox is gone, perhaps the last one.
  private let mailboxLeft: @Sendable (SaveSubscribers) -> Void

  init(mailboxLeft: @escaping @Sendable (SaveSubscribers) -> Void) {
    self.mailboxLeft = mailboxLeft
  }

  func add(_ receiver: SaveReceiver, for id: ObjectIdentifier) {
    receivers.withLock { receivers in
      receivers[id] = receiver
      count.store(receivers.count, ordering: .releasing)
    }
    if isEnded.load(ordering: .sequentiallyConsistent), case .mailbox(let mailbox) = receiver {
      mailbox.end()
    }
  }

  func remove(_ id: ObjectIdentifier) {
    // Released after the lock.
    let removed = receivers.withLock { receivers in
      defer { count.store(receivers.count, ordering: .releasing) }
      return receivers.removeValue(forKey: id)
    }
    if case .mailbox = removed { mailboxLeft(self) }
  }

  /// Ends the mailboxes, those of later subscribers too.
  func end() {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    for mailbox in mailboxes() { mailbox.end() }
  }

  func nextNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

  /// The mailboxes of all subscribers except one.
  func mailboxes(except own: SaveSubscription? = nil) -> [SaveMailbox] {
    // A handler that is copied might be released by the caller, who has a follower's lock.
    receivers.withLock { receivers in
      receivers.compactMap { id, receiver in
        guard case .mailbox(let mailbox) = receiver, own.map(ObjectIdentifier.init) != id else {
          return nil
        }
        return mailbox
      }
    }
  }

  /// Calls the handlers of all subscribers.
  func call(_ event: SaveEvent) {
    for case .handler(let handler) in receivers.withLock({ $0 }).values { handler(event) }
  }

  func post(_ event: SaveEvent, except own: SaveSubscription? = nil) {
    for mailbox in mailboxes(except: own) { mailbox.post(event) }
  }

  /// Notes a change that no event names.
  func postUnknown() { for mailbox in mailboxes() { mailbox.postUnknown() } }
}

/// Saves as they come; see ``PersistentStoreCoordinator/didSaveEvents()``.
public struct SaveEvents: AsyncSequence, Sendable {
  /// All saves since the last element.
  public typealias Element = SaveNews

  /// Never: a sequence of saves does not fail.
  public typealias Failure = Never

  private let mailbox: SaveMailbox
  private let subscription: SaveSubscription

  init(_ mailbox: SaveMailbox, _ subscription: SaveSubscription) {
    (self.mailbox, self.subscription) = (mailbox, subscription)
  }

  /// Reads the saves.
  public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// Reads saves one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let events: SaveEvents

    /// Returns the next saves, or `nil` when the task is cancelled or the store is closed.
    public mutating func next() async -> SaveNews? {
      while !Task.isCancelled {
        let isEnded = events.mailbox.isEnded
        if events.mailbox.hasNews { return events.mailbox.take() }
        if isEnded { return nil }
        await events.mailbox.wait()
      }
      return nil
    }
  }
}
