internal import OxbowFoundation

// Waiting for a time, by a clock that is never set: a step of the time of day must not end all
// waiting at once, nor make it longer.

/// Initializes a condition variable for ``waitUntil(_:_:_:)``.
func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
  #if canImport(Darwin)
    pthread_cond_init(condition, nil)
  #else
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  #endif
}

/// Milliseconds of a clock that never goes back.
package func monotonicMilliseconds() -> Int {
  let now = timespec.monotonic(in: 0)
  return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}

extension timespec {
  /// The moment in some milliseconds, by the clock that only goes on.
  static func monotonic(in milliseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    time.tv_sec += milliseconds / 1000
    time.tv_nsec += (milliseconds % 1000) * 1_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    return time
  }
}

/// Waits for a condition variable until a moment.
///
/// - Returns: `false` when the moment has come.
func waitUntil(
  _ deadline: inout timespec, _ condition: UnsafeMutablePointer<pthread_cond_t>,
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>
) -> Bool {
  #if canImport(Darwin)
    let now = timespec.monotonic(in: 0)
    var rest = timespec(
      tv_sec: deadline.tv_sec - now.tv_sec, tv_nsec: deadline.tv_nsec - now.tv_nsec)
    if rest.tv_nsec < 0 {
      (rest.tv_sec, rest.tv_nsec) = (rest.tv_sec - 1, rest.tv_nsec + 1_000_000_000)
    }
    guard rest.tv_sec >= 0 else { return false }
    return pthread_cond_timedwait_relative_np(condition, mutex, &rest) != ETIMEDOUT
  #else
    return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  #endif
}
