internal import OxbowPlatform

/// The changes that wait for the writer, and whether one of their threads leads.
final class CommitQueue: Sendable {
  private let state = Lock(State())

  private struct State {
    var waiting: [SharedCommit] = []
    var isLed = false
    /// Whether the one that leads waits for the writer with a change that is not in the list.
    var leaderWaits = false
  }

  /// How many a leader would take.
  var count: Int { state.withLock { $0.waiting.count } }

  /// How many wait, one that leads and has not begun included.
  var allCount: Int { state.withLock { $0.waiting.count + ($0.leaderWaits ? 1 : 0) } }

  /// Adds a change; without a leader, the caller leads.
  func add(_ commit: SharedCommit) {
    state.withLock { state in
      state.waiting.append(commit)
      if !state.isLed { commit.lead() }
      state.isLed = true
    }
  }

  /// Leads if no other does.
  ///
  /// - Returns: Whether the caller leads.
  func leadIfFree() -> Bool {
    state.withLock { state in
      guard !state.isLed else { return false }
      (state.isLed, state.leaderWaits) = (true, true)
      return true
    }
  }

  /// Takes all that wait, for the one that leads.
  func takeAll() -> [SharedCommit] {
    state.withLock { state in
      defer { (state.waiting, state.leaderWaits) = ([], false) }
      return state.waiting
    }
  }

  /// Takes out one that leads and could not begin.
  func remove(_ commit: SharedCommit) {
    state.withLock { $0.waiting.removeAll { $0 === commit } }
  }

  /// Takes out those that have waited for most of a time.
  func takeOverdue(milliseconds: Int) -> [SharedCommit] {
    state.withLock { state in
      let overdue = state.waiting.filter { $0.hasWaited(milliseconds: milliseconds / 2) }
      state.waiting.removeAll { commit in overdue.contains { $0 === commit } }
      return overdue
    }
  }

  /// Ends leading: the first that waits leads, or the next one that comes.
  func resign() {
    state.withLock { state in
      (state.isLed, state.leaderWaits) = (!state.waiting.isEmpty, false)
      state.waiting.first?.lead()
    }
  }
}
