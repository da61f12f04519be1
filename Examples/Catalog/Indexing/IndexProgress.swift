import Foundation
import Oxbow

/// What all threads of an index run did so far.
final class IndexProgress: Sendable {
  /// A moment of the run.
  struct Snapshot: Sendable {
    var tally = IndexTally()
    /// Folders that were found, and those whose files are saved.
    var foldersFound = 0
    var foldersDone = 0
    var contexts: Set<ObjectIdentifier> = []
    var saves = 0
    var running = 0
    var failure: (any Error)?
  }

  private let state = Guarded(Snapshot())

  var snapshot: Snapshot { state.withLock { $0 } }

  func add(_ tally: IndexTally, folders: Int = 0) {
    state.withLock { state in
      state.tally += tally
      state.foldersDone += folders
    }
  }

  func addFound(_ count: Int) { state.withLock { $0.foldersFound += count } }

  /// Adds a worker's context and what it did.
  func add(_ context: ObjectIdentifier, _ statistics: ContextStatistics) {
    state.withLock { state in
      state.contexts.insert(context)
      state.saves += statistics.saves
    }
  }

  /// Adds what the walker's context did.
  func add(_ statistics: ContextStatistics) { state.withLock { $0.saves += statistics.saves } }

  /// Counts a thread as running until it says how it ended.
  func begin() { state.withLock { $0.running += 1 } }

  func end(_ failure: (any Error)?) {
    state.withLock { state in
      state.running -= 1
      if state.failure == nil { state.failure = failure }
    }
  }

  /// Waits until all threads have ended, but not longer than the deadline.
  ///
  /// - Returns: Whether they have.
  func waitForEnd(until deadline: Date) -> Bool {
    state.waiting(until: deadline) { $0.running == 0 ? true : nil } ?? false
  }
}
