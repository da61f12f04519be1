internal import OxbowPlatform
internal import Synchronization

/// When the history of a database was last looked after.
final class HistoryUpkeep: Sendable {
  private let next = Atomic(0)

  /// Whether a minute has passed; then it is not due for another one.
  func isDue() -> Bool {
    let (now, next) = (System.milliseconds, next.load(ordering: .relaxed))
    return now >= next
      && self.next.compareExchange(expected: next, desired: now + 60_000, ordering: .relaxed)
        .exchanged
  }

  /// Makes it due.
  func reset() { next.store(0, ordering: .relaxed) }
}

/// The consumers that work in this process.
final class HistoryOwners: Sendable {
  private let names = Lock<Set<String>>([])

  /// One of them, if there are any.
  var first: String? { names.withLock { $0.min() } }

  func has(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
  func take(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
  func release(_ name: String) { _ = names.withLock { $0.remove(name) } }
  func reset() { names.withLock { $0 = [] } }
}
