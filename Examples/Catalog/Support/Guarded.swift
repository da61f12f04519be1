import Foundation

/// State that threads share, behind a lock, with a way to wait for a change.
final class Guarded<State: Sendable>: @unchecked Sendable {
  // Sendable by lock: `state` is touched only while `condition` is held.
  private let condition = NSCondition()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Works with the state, and wakes those who wait for a change.
  func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&state)
  }

  /// Works with the state as soon as `body` returns something.
  func waiting<R>(_ body: (inout State) throws -> R?) rethrows -> R {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    while true {
      if let result = try body(&state) { return result }
      condition.wait()
    }
  }

  /// Works with the state as soon as `body` returns something, or returns `nil` when the time is
  /// over.
  func waiting<R>(until deadline: Date, _ body: (inout State) throws -> R?) rethrows -> R? {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    while true {
      if let result = try body(&state) { return result }
      guard condition.wait(until: deadline) else { return try body(&state) }
    }
  }
}
