import Foundation

/// The work that the walker hands to the workers, never much of it at a time.
final class WorkQueue: Sendable {
  private struct State: Sendable {
    var waiting: [FolderWork] = []
    var isClosed = false
    var isStopped = false
  }

  private let state = Guarded(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Adds work, as soon as there is room, unless that takes too long.
  ///
  /// - Returns: Whether the queue took the work.
  func add(_ work: FolderWork, until deadline: Date) -> Bool {
    state.waiting(until: deadline) { state in
      if state.isStopped { return true }
      guard state.waiting.count < capacity else { return nil }
      state.waiting.append(work)
      return true
    } ?? false
  }

  /// The next work, or `nil` when there is and will be none.
  func next() -> FolderWork? {
    state.waiting { state -> FolderWork?? in
      if state.isStopped { return .some(nil) }
      if let work = state.waiting.popLast() { return .some(work) }
      return state.isClosed ? .some(nil) : nil
    }
  }

  /// Says that no more work will come.
  func close() { state.withLock { $0.isClosed = true } }

  /// Drops all work that no worker has begun.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
    }
  }
}
