internal import OxbowContainer
internal import OxbowPlatform

/// A value that the first reader makes, for all threads, and that can be assigned and forgotten.
///
/// Nothing is made under the lock: threads that come while one makes the value wait for it in a
/// cell that lives only as long as that, and two that would wait for each other get an error.
final class MadeOnce<Value> {
  private let lock = BareLock()
  /// Where the value is: a pointer, because an optional of a generic type is copied with the
  /// runtime's help at each read.
  private var pointer: UnsafeMutablePointer<Value>?
  private var making: OnceCell?
  /// How often a value was put here or forgotten.
  private var changes = 0

  deinit { Self.end(pointer) }

  private static func end(_ pointer: UnsafeMutablePointer<Value>?) {
    pointer?.deinitialize(count: 1)
    pointer?.deallocate()
  }

  /// Whether there is a value.
  var isMade: Bool {
    lock.lock()
    defer { lock.unlock() }
    return pointer != nil
  }

  /// The value, if there is one.
  var current: Value? {
    lock.lock()
    defer { lock.unlock() }
    return pointer?.pointee
  }

  /// The value; without one what `make` returns.
  @inline(__always) func value(or make: () -> Value) -> Value {
    lock.lock()
    if let pointer {
      let value = pointer.pointee
      lock.unlock()
      return value
    }
    lock.unlock()
    return make()
  }

  /// Puts a value in place of the present one, and of one that is being made; without one the next
  /// reader makes it.
  func set(_ new: Value?) {
    let pointer = new.map(Self.moved)
    lock.lock()
    let old = self.pointer
    self.pointer = pointer
    changes += 1
    lock.unlock()
    // Outside of the lock: a deinitializer may do anything.
    Self.end(old)
  }

  private static func moved(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
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
    while true {
      let cell = lock.withLock { makingCell() }
      var mine: Value??
      try cell.run(for: name, unless: { isMade }) {
        // Ends the cell even where `make` throws: the next reader begins anew.
        defer { lock.withLock { if making === cell { making = nil } } }
        let before = lock.withLock { changes }
        let made = try make()
        if let made { keep(made, unlessChangedSince: before) }
        mine = .some(made)
      }
      if let value = current { return value }
      // What was forgotten while it was made is for this reader alone.
      if let mine { return mine }
    }
  }

  /// Keeps a value, unless another one was assigned or forgotten while it was made.
  private func keep(_ value: Value, unlessChangedSince before: Int) {
    let new = Self.moved(value)
    lock.lock()
    let isKept = pointer == nil && changes == before
    if isKept { pointer = new }
    lock.unlock()
    if !isKept { Self.end(new) }
  }

  private func makingCell() -> OnceCell {
    if let making { return making }
    let cell = OnceCell()
    making = cell
    return cell
  }
}

extension MadeOnce: @unchecked Sendable where Value: Sendable {
  // Sendable by argument: `lock` guards `pointer`, what it points to, `making` and
  // `changes`.
}
