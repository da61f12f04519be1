internal import OxbowFoundation

/// A lock that serves its waiters in the order of their arrival.
///
/// A plain mutex may let one busy thread take the lock again and again while others starve. Here
/// each caller draws a ticket. Waiters are spread over a few condition variables by ticket, so that
/// a release wakes about one thread and not all of them.
package final class FairLock: @unchecked Sendable {
  // Sendable by argument: `next` and `serving` are touched only while `mutex` is held.

  private static let lanes = 16

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let conditions: UnsafeMutablePointer<pthread_cond_t>
  private var next: UInt = 0
  private var serving: UInt = 0

  package init() {
    mutex = .allocate(capacity: 1)
    conditions = .allocate(capacity: Self.lanes)
    pthread_mutex_init(mutex, nil)
    for lane in 0..<Self.lanes { initializeCondition(conditions + lane) }
  }

  deinit {
    for lane in 0..<Self.lanes { pthread_cond_destroy(conditions + lane) }
    pthread_mutex_destroy(mutex)
    conditions.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone, after all earlier callers.
  ///
  /// Not recursive: `body` must not come back to the same lock.
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    acquire()
    defer { release() }
    return try body()
  }

  /// Runs `body` alone, unless another caller has the lock or waits for it.
  ///
  /// - Returns: What `body` returned, or `nil` without having run it.
  package func withLockIfFree<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R? {
    pthread_mutex_lock(mutex)
    let isFree = next == serving
    if isFree { next &+= 1 }
    pthread_mutex_unlock(mutex)
    guard isFree else { return nil }
    defer { release() }
    return try body()
  }

  private func acquire() {
    pthread_mutex_lock(mutex)
    let ticket = next
    next &+= 1
    let condition = conditions + Int(ticket % UInt(Self.lanes))
    var deadline = serving == ticket ? timespec() : .monotonic(in: WorkThreads.patience)
    while serving != ticket, waitUntil(&deadline, condition, mutex) {}
    let isServed = serving == ticket
    pthread_mutex_unlock(mutex)
    if !isServed { WorkThreads.whileBlocked { wait(for: ticket, condition) } }
  }

  private func wait(for ticket: UInt, _ condition: UnsafeMutablePointer<pthread_cond_t>) {
    pthread_mutex_lock(mutex)
    while serving != ticket { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  private func release() {
    pthread_mutex_lock(mutex)
    serving &+= 1
    pthread_cond_broadcast(conditions + Int(serving % UInt(Self.lanes)))
    pthread_mutex_unlock(mutex)
  }
}
