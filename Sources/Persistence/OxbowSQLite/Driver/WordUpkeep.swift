internal import OxbowPlatform

/// When the indexes of words of a database have to catch up.
final class WordUpkeep: Sendable {
  /// From so many rows that are not in an index, it is worth the while; a search asks each of
  /// their texts.
  private static let enough = 500

  /// So many rows are written in one transaction.
  static let block = 100

  private struct State {
    /// About how many rows are waiting; not known in the beginning.
    var count = WordUpkeep.enough
    var isRunning = false
  }

  private let state = Lock(State())

  /// Notes rows whose words are not in an index.
  ///
  /// - Returns: Whether the caller has to begin, and to call ``end(isOver:)``.
  func add(_ count: Int) -> Bool {
    state.withLock { state in
      state.count += count
      guard state.count >= Self.enough, !state.isRunning else { return false }
      (state.count, state.isRunning) = (0, true)
      return true
    }
  }

  /// Ends what ``add(_:)`` has begun; unless all is done, it begins soon again.
  func end(isOver: Bool) {
    state.withLock { state in
      state.isRunning = false
      if !isOver { state.count = Self.enough - Self.block }
    }
  }
}
