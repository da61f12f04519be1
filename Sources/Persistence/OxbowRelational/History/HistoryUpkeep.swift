internal import Synchronization

/// When the history of a store was last looked after.
package final class HistoryUpkeep: Sendable {
  private let next = Atomic(0)

  package init() {}

  /// Whether a minute has passed at a time in milliseconds; then it is not due for another one.
  package func isDue(at now: Int) -> Bool {
    let next = next.load(ordering: .relaxed)
    return now >= next
      && self.next.compareExchange(expected: next, desired: now + 60_000, ordering: .relaxed)
        .exchanged
  }

  /// Makes it due at a time in milliseconds at the earliest.
  package func postpone(until time: Int) {
    let next = next.load(ordering: .relaxed)
    if next < time { self.next.store(time, ordering: .relaxed) }
  }

  /// Makes it due.
  package func reset() { next.store(0, ordering: .relaxed) }
}
