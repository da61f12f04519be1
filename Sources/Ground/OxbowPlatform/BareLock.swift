internal import OxbowFoundation

/// A mutual-exclusion lock for state that is beside it in the same object.
///
/// A `pthread_mutex_t` for the same reason as ``Lock``.
package struct BareLock: ~Copyable, @unchecked Sendable {
  // Sendable by argument: the pointer never changes, and threads may share the mutex that it points
  // to.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates a lock.
  ///
  /// - Parameter isRecursive: Whether the thread that has it may take it again.
  package init(isRecursive: Bool = false) {
    mutex = .allocate(capacity: 1)
    guard isRecursive else {
      pthread_mutex_init(mutex, nil)
      return
    }
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits for the lock; a fast path beside ``withLock(_:)`` for generic code, whose closures cost
  /// more than the lock (`docs/performance.md`, K/attribute-lazy).
  package func lock() { pthread_mutex_lock(mutex) }

  /// Gives the lock to the next thread.
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` while no other thread has the lock.
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}
