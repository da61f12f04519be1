internal import OxbowFoundation

/// Writes `text` and a line end to standard error.
package func writeToStandardError(_ text: String) {
  _ = writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
}

/// Writes bytes, and waits for a reader where the descriptor itself does not: the parent of
/// a program may have made its output one that does not wait.
///
/// - Returns: The number of the error that kept them from being written, or 0.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
      continue
    }
    guard count > 0 || errno == EINTR else { return errno }
    rest = rest.dropFirst(max(0, count))
  }
  return 0
}
