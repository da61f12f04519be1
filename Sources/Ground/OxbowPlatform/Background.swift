internal import OxbowFoundation

/// Runs `body` on a thread of its own, which ends with it.
///
/// - Returns: Whether the system has given a thread.
package func runInBackground(_ body: @escaping @Sendable () -> Void) -> Bool {
  let work = Unmanaged.passRetained(BackgroundWork(body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  guard pthread_create(&thread, nil, run, work.toOpaque()) == 0 else {
    work.release()
    return false
  }
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
  return true
}

private final class BackgroundWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<BackgroundWork>.fromOpaque(work).takeRetainedValue().body()
    return nil
  }
#else
  private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<BackgroundWork>.fromOpaque(work).takeRetainedValue().body() }
    return nil
  }
#endif
