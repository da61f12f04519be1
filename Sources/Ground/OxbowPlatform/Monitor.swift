internal import OxbowFoundation

/// State behind a lock, for whose changes other threads can wait.
package final class Monitor<State>: @unchecked Sendable {
  // Sendable by argument: `state` is touched only while `mutex` is held.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: sending State) {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    initializeCondition(condition)
    self.state = state
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state, alone, and wakes all waiting threads.
  package func update<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    // A thread that wakes up takes the mutex, so it runs after this call.
    defer { pthread_cond_broadcast(condition) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Changes the state, alone, and wakes one of the waiting threads: where any can do the work.
  package func updateForOne<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    defer { pthread_cond_signal(condition) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Runs `body`, alone, until it returns a value; between two runs the caller waits for an
  /// ``update(_:)``.
  package func wait<R, E: Error>(for body: (inout State) throws(E) -> R?) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Like ``wait(for:)``, but not longer than a time.
  ///
  /// - Returns: What `body` returned, or `nil` after the time.
  package func wait<R, E: Error>(
    milliseconds: Int, for body: (inout State) throws(E) -> R?
  ) throws(E) -> R? {
    var deadline = timespec.monotonic(in: milliseconds)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      if !waitUntil(&deadline, condition, mutex) {
        return try body(&state)
      }
    }
  }
}
