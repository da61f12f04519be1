internal import Synchronization

/// Stops reads of a store from another thread.
///
/// A store checks it while a statement runs, so it stops exactly this read, whenever it is
/// cancelled.
package final class ReadCancellation: Sendable {
  /// What stops the reads of the current task's unit of work.
  @TaskLocal package static var current: ReadCancellation?

  private let cancelled = Atomic(false)
  private let shields = Atomic(0)
  private let reading = Atomic(false)

  package init() {}

  /// Whether reads are to stop.
  package var isCancelled: Bool {
    cancelled.load(ordering: .relaxed) && shields.load(ordering: .relaxed) == 0
  }

  /// Lets all reads go on until ``unshield()``: those of a save, and those after it.
  package func shield() { shields.add(1, ordering: .relaxed) }

  /// Takes back a ``shield()``: nothing was saved.
  package func unshield() { shields.subtract(1, ordering: .relaxed) }

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
