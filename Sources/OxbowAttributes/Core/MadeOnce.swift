internal import OxbowContainer
internal import OxbowPlatform

/// A value that the first reader makes, for all threads, and that can be assigned and forgotten.
///
/// Nothing is made under the lock: threads that come while one makes the value wait for it in a
/// cell that lives only as long as that, and two that would wait for each other get an error.
final class MadeOnce<Value> {
  private let lock = RecursiveLock()
  private var value: Value?
  private var making: OnceCell?

  /// The value, if there is one.
  var current: Value? { lock.withLock { value } }

  /// Puts a value in place of the present one; without one the next reader makes it.
  func set(_ new: Value?) {
    // The old value ends outside of the lock: its deinitializer may do anything.
    _ = lock.withLock {
      let old = value
      value = new
      return old
    }
  }

  /// The value, made if there is none.
  ///
  /// - Throws: What `make` throws; `constructionDeadlock` when it reads the value itself, or waits
  ///   for a thread that waits for this one.
  /// - Returns: The value; nil when `make` gave none, and then the next reader tries again.
  func value(named name: @autoclosure () -> String, _ make: () throws -> Value?) throws -> Value? {
    if let value = current { return value }
    return try made(name(), make)
  }

  @inline(never) private func made(_ name: String, _ make: () throws -> Value?) throws -> Value? {
    var isEmpty = false
    while !isEmpty {
      let cell = lock.withLock { makingCell() }
      var isMine = false
      try cell.run(for: name, unless: { current != nil }) {
        isMine = true
        // Ends the cell even where `make` throws: the next reader begins anew.
        defer { lock.withLock { if making === cell { making = nil } } }
        let new = try make()
        lock.withLock { if value == nil { value = new } }
      }
      if let value = current { return value }
      isEmpty = isMine
    }
    return nil
  }

  private func makingCell() -> OnceCell {
    if let making { return making }
    let cell = OnceCell()
    making = cell
    return cell
  }
}

extension MadeOnce: @unchecked Sendable where Value: Sendable {
  // Sendable by argument: `lock` guards `value` and `making`.
}
