internal import OxbowFoundation

/// State behind a mutual-exclusion lock.
///
/// It is a `pthread_mutex_t` and not a `Synchronization.Mutex`: on Linux the thread sanitizer does
/// not see the futex of the latter and reports races in correct programs.
package final class Lock<State>: @unchecked Sendable {
  // Sendable by argument: `state` is touched only between `pthread_mutex_lock` and `_unlock`.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // Unchecked: a second access waits for the mutex.
  @exclusivity(unchecked) private var state: State

  package init(_ state: sending State) {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    self.state = state
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the state, alone.
  ///
  /// The lock is not recursive: `body` must not come back to the same lock.
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E)
    -> sending R
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
