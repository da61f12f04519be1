internal import OxbowFoundation

/// A lock between processes, and between the threads of this one, on a file that is never removed.
package enum FileLock {
  /// Runs `body` while it alone holds the lock of a file, which is created if it does not exist.
  ///
  /// The lock is not recursive: `body` must not come back to the same file.
  ///
  /// - Throws: ``FileLockError``, and what `body` throws.
  package static func hold<R>(_ path: String, _ body: () throws -> R) throws -> R {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileLockError(path: path, errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileLockError(path: path, errno) }
    }
    return try body()
  }
}

/// The lock of a file could not be taken.
package struct FileLockError: Error, CustomStringConvertible {
  package let description: String

  init(path: String, _ code: Int32) {
    description =
      "the lock '\(path)' could not be had: \(String(cString: strerror(code))); the folder must be "
      + "writable, and its file system must have locks"
  }
}

/// A stamp that shows whether a file's content has changed, without reading it.
package struct FileStamp: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Whether the file was changed long enough ago that a later change has another stamp: the clock
  /// of a file system moves in steps.
  package let isSettled: Bool

  /// The stamp of a file, or `nil` if it does not exist.
  package init?(of path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: found.st_dev)
    inode = UInt64(truncatingIfNeeded: found.st_ino)
    size = Int64(found.st_size)
    #if canImport(Darwin)
      let changed = found.st_mtimespec
    #else
      let changed = found.st_mtim
    #endif
    seconds = Int64(changed.tv_sec)
    nanoseconds = Int64(changed.tv_nsec)
    isSettled = Int64(time(nil)) - seconds > 2
  }

  package static func == (a: Self, b: Self) -> Bool {
    (a.device, a.inode, a.size, a.seconds, a.nanoseconds)
      == (b.device, b.inode, b.size, b.seconds, b.nanoseconds)
  }
}

/// The path of a file without links; the folder must exist, but the file need not.
package func pathWithoutLinks(_ path: String) -> String {
  if let real = resolvedPath(path) { return real }
  let parts = path.split(separator: "/", omittingEmptySubsequences: true)
  guard let name = parts.last else { return path }
  let folder = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
  guard let real = resolvedPath(folder.isEmpty ? "." : folder) else { return path }
  return real == "/" ? "/\(name)" : "\(real)/\(name)"
}
