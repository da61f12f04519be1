#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Runs `body` on threads of its own at the same moment, and waits for them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let gate = StartGate(count)
  var threads: [pthread_t] = []
  for number in 0..<count {
    let start = Unmanaged.passRetained(
      ThreadStart {
        gate.wait()
        body(number)
      })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, nil, runThread, start.toOpaque())
    precondition(status == 0, "pthread_create failed: \(status)")
    #if canImport(Darwin)
      if let thread { threads.append(thread) }
    #else
      threads.append(thread)
    #endif
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadStart {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func runThread(_ raw: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().body()
    return nil
  }
#else
  private func runThread(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw else { return nil }
    Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().body()
    return nil
  }
#endif

/// Lets threads go when all have come.
final class StartGate: @unchecked Sendable {
  // Guarded by the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var missing: Int

  init(_ count: Int) {
    missing = count
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func wait() {
    pthread_mutex_lock(mutex)
    missing -= 1
    if missing <= 0 { pthread_cond_broadcast(condition) }
    while missing > 0 { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }
}

/// What threads collect.
final class Collected<Element: Sendable>: @unchecked Sendable {
  // Guarded by the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var elements: [Element] = []

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func append(_ element: Element) {
    pthread_mutex_lock(mutex)
    elements.append(element)
    pthread_mutex_unlock(mutex)
  }

  var all: [Element] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return elements
  }
}
