internal import OxbowPlatform

/// The changes that wait for the writer, of which the first leads.
final class CommitQueue: Sendable {
  private let waiting = Lock<[SharedCommit]>([])

  /// How many wait.
  var count: Int { waiting.withLock(\.count) }

  /// Adds a change; when no other waits, it leads.
  func add(_ commit: SharedCommit) {
    waiting.withLock { waiting in
      waiting.append(commit)
      if waiting.count == 1 { commit.lead() }
    }
  }

  /// Takes all that wait, for the one that leads; what comes later has another leader.
  func takeAll() -> [SharedCommit] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Takes the one that leads out, because it could not begin; the next one tries.
  func passOn() {
    waiting.withLock { waiting in
      waiting.removeFirst()
      waiting.first?.lead()
    }
  }
}
