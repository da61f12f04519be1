import OxbowPlatform

/// When the search indexes of a database have to catch up.
final class SearchUpkeep: Sendable {
  /// From so many rows that are not in an index, it is worth it; a search asks each of their texts.
  static let enough = 500

  /// Behind so many, searches matter more than saves.
  static let tooMany = 5000

  /// How many rows one transaction writes.
  static let block = 100

  private struct State {
    /// About how many rows are waiting; not known in the beginning.
    var count = SearchUpkeep.tooMany
    /// How many of them came since the last block.
    var arrived = 0
    var isRunning = false
  }

  private let state = Lock(State())

  /// Notes rows whose words are not in an index.
  ///
  /// - Returns: Whether the caller has to begin, and to call ``end(_:)``.
  func add(_ count: Int) -> Bool {
    state.withLock { state in
      state.count += count
      state.arrived += count
      guard state.count >= Self.enough, !state.isRunning else { return false }
      (state.arrived, state.isRunning) = (0, true)
      return true
    }
  }

  /// What follows a block.
  enum Outcome {
    /// Another one, after a while.
    case pause(milliseconds: Int)
    /// Nothing is left to do.
    case done
    /// It goes on when more rows are waiting.
    case failed
  }

  /// How long to wait after a block that took some time: while others save, they have nine tenths
  /// of it, unless too many rows are waiting; `isFarBehind` says so of those that were not saved
  /// here.
  func pause(afterBlockOf milliseconds: Int, isFarBehind: Bool) -> Outcome {
    state.withLock { state in
      state.count = max(isFarBehind ? Self.tooMany + 1 : 0, state.count - Self.block)
      defer { state.arrived = 0 }
      let isFree = state.arrived == 0 || state.count > Self.tooMany
      return .pause(milliseconds: isFree ? 0 : min(1000, 9 * milliseconds))
    }
  }

  /// Ends what ``add(_:)`` has begun.
  func end(_ outcome: Outcome) {
    state.withLock { state in
      state.isRunning = false
      if case .done = outcome {
        state.count = state.arrived
      } else {
        state.count = Self.enough - Self.block
      }
    }
  }
}
