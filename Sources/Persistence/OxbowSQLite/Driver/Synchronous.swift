/// How soon a commit is on the medium.
public enum Synchronous: Int, Hashable, Sendable, Comparable {
  /// Never waits: a power loss may corrupt the store. Only temporary stores use it.
  case off = 0

  /// Waits at checkpoints: a power loss may undo the last saves, and nothing worse.
  case normal = 1

  /// Waits at each commit: an acknowledged save survives a power loss.
  case full = 2

  /// Orders by safety.
  public static func < (left: Synchronous, right: Synchronous) -> Bool {
    left.rawValue < right.rawValue
  }
}
