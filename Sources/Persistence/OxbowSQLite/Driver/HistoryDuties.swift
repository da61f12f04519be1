internal import OxbowPlatform

/// When the history of a database was last looked after.
final class HistoryUpkeep: Sendable {
  private let next = Lock(0)

  /// Whether a minute has passed; then it is not due for another one.
  func isDue() -> Bool {
    let now = System.milliseconds
    return next.withLock { next in
      guard now >= next else { return false }
      next = now + 60_000
      return true
    }
  }

  /// Makes it due.
  func reset() { next.withLock { $0 = 0 } }
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
