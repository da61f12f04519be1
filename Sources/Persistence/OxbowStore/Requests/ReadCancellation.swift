internal import Synchronization

/// Stops reads of a store from another thread.
///
/// A store checks it while a statement runs, so it stops exactly this read, whenever it is
/// cancelled.
package final class ReadCancellation: Sendable {
  private let cancelled = Atomic(false)
  private let reading = Atomic(false)

  package init() {}
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Whether a store reads now, for tests.
  package var isReading: Bool { reading.load(ordering: .acquiring) }

  /// Stops the read that runs, and all later ones.
  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Notes that a store reads while `body` runs.
  package func whileReading<R>(_ body: () throws -> R) rethrows -> R {
    reading.store(true, ordering: .releasing)
    defer { reading.store(false, ordering: .releasing) }
    return try body()
  }
}
