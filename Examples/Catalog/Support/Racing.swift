import Oxbow

/// Work that another process may get in the way of, because it has the store open as well.
enum Racing {
  private static let attempts = 5

  /// Does a unit of work, and does it again when another process was first.
  ///
  /// The work, its save included, reads what it changes: after `forget` has forgotten an attempt's
  /// changes, the next one starts from what the other process has saved.
  static func perform<R>(forgetting forget: () throws -> Void, _ work: () throws -> R) throws -> R {
    for _ in 1..<attempts {
      do {
        return try work()
      } catch let error as PersistenceError where isLost(error) {
        try forget()
      }
    }
    return try work()
  }

  /// Whether another process has changed a row (`conflict`), or has made one that must be unique
  /// (`uniquenessViolated`).
  private static func isLost(_ error: PersistenceError) -> Bool {
    error.code == .conflict || error.code == .uniquenessViolated
  }
}
