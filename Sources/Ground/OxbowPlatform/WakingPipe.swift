internal import OxbowFoundation

/// Ends a thread's waiting: a pipe, because a wait for one also ends when a signal of the system
/// arrives.
package final class WakingPipe: Sendable {
  let (reader, writer): (Int32, Int32)

  package init() {
    var pipes: [Int32] = [-1, -1]
    if pipe(&pipes) == 0 {
      for descriptor in pipes {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      }
    }
    (reader, writer) = (pipes[0], pipes[1])
  }

  deinit { for descriptor in [reader, writer] where descriptor >= 0 { close(descriptor) } }

  /// Wakes the thread, now or when it next waits.
  package func wake() { _ = write(writer, [1] as [UInt8], 1) }

  /// Waits for a second at most.
  package func wait() {
    // A negative descriptor is left out.
    var descriptor = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, 1000) > 0 { drain() }
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reader, &bytes, bytes.count) == bytes.count {}
  }
}
