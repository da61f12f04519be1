internal import OxbowPlatform

/// The changes that wait for the writer, and whether one of their threads leads.
final class CommitQueue: Sendable {
  private let state = Lock(State())

  private struct State {
    var waiting: [SharedCommit] = []
    var isLed = false
  }

  /// How many wait.
  var count: Int { state.withLock(\.waiting.count) }

  /// Adds a change; when nobody leads, it does.
  func add(_ commit: SharedCommit) {
    state.withLock { state in
      state.waiting.append(commit)
      if !state.isLed { commit.lead() }
      state.isLed = true
    }
  }

  /// Takes all that wait, for the one that leads.
  func takeAll() -> [SharedCommit] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Takes out one that leads and could not begin.
  func remove(_ commit: SharedCommit) {
    state.withLock { $0.waiting.removeAll { $0 === commit } }
  }

  /// Ends leading: the first that waits leads, or the next one that comes.
  func resign() {
    state.withLock { state in
      state.isLed = !state.waiting.isEmpty
      state.waiting.first?.lead()
    }
  }
}
