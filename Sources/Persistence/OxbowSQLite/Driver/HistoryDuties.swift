internal import OxbowPlatform

/// The consumers that work in this process.
final class HistoryOwners: Sendable {
  private struct State {
    /// The number of the right of each.
    var rights: [String: Int] = [:]
    var last = 0
  }

  private let state = Lock(State())

  /// One of them, if there are any.
  var first: String? { state.withLock { $0.rights.keys.min() } }

  func has(_ name: String) -> Bool { state.withLock { $0.rights[name] != nil } }

  /// Takes a right; `nil` if it is taken.
  func take(_ name: String) -> Int? {
    state.withLock { state in
      guard state.rights[name] == nil else { return nil }
      state.last += 1
      state.rights[name] = state.last
      return state.last
    }
  }

  /// Gives a right back, unless it was reset, and another one may have it.
  func release(_ name: String, _ right: Int) {
    state.withLock { if $0.rights[name] == right { $0.rights[name] = nil } }
  }

  func reset() { state.withLock { $0.rights = [:] } }
}
