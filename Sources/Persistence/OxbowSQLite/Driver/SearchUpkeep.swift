internal import OxbowPlatform

/// When the search indexes of a database have to catch up.
final class SearchUpkeep: Sendable {
  /// From so many rows that are not in an index, it is worth it; a search asks each of their texts.
  private static let enough = 500

  /// How many rows one transaction writes.
  static let block = 100

  private struct State {
    /// About how many rows are waiting; not known in the beginning.
    var count = SearchUpkeep.enough
    var isRunning = false
  }

  private let state = Lock(State())

  /// Notes rows whose words are not in an index.
  ///
  /// - Returns: Whether the caller has to begin, and to call ``end(_:)``.
  func add(_ count: Int) -> Bool {
    state.withLock { state in
      state.count += count
      guard state.count >= Self.enough, !state.isRunning else { return false }
      (state.count, state.isRunning) = (0, true)
      return true
    }
  }

  /// How catching up ended.
  enum Outcome {
    case done
    /// A save waited; the next one goes on with it.
    case gaveWay
    /// It goes on when more rows are waiting.
    case failed
  }

  /// Ends what ``add(_:)`` has begun.
  func end(_ outcome: Outcome) {
    state.withLock { state in
      state.isRunning = false
      switch outcome {
      case .done: break
      case .gaveWay: state.count = Self.enough
      case .failed: state.count = Self.enough - Self.block
      }
    }
  }
}
