// The shim includes `fcntl.h`, so that `stat` belongs to whichever of the two modules is loaded
// first.
internal import CSQLite
internal import OxbowFoundation

// What the files beside a store need. Each call gives the errno of its failure, or 0.
extension System {
  /// Who may read and write a file, or `nil` when there is none.
  static func permissions(_ path: String) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return UInt32(status.st_mode) & 0o666
  }

  /// Lets those use an open file who may use another one.
  ///
  /// Only a new one gets its owner too, where this is the superuser: what else has that name may be
  /// a link that somebody has put there.
  static func share(_ descriptor: Int32, likeFile path: String, isNew: Bool) {
    var (own, other) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return }
    let user = geteuid()
    if isNew, user == 0 { _ = fchown(descriptor, other.st_uid, other.st_gid) }
    let permissions = other.st_mode & 0o666 | 0o600
    guard own.st_mode & 0o666 != permissions, isNew || user != 0 && own.st_uid == user else {
      return
    }
    _ = fchmod(descriptor, permissions)
  }

  /// Creates a directory, into which those may look who may read its files.
  static func makeDirectory(_ path: String, permissions: UInt32) -> Int32 {
    let searchable = permissions | (permissions & 0o444) >> 2
    guard mkdir(path, mode_t(searchable)) == 0 else {
      return errno == EEXIST && isDirectory(path) ? 0 : errno
    }
    // Who made it may remove it as soon.
    return chmod(path, mode_t(searchable)) == 0 || errno == ENOENT ? 0 : errno
  }

  /// Creates a file with contents; it must not exist.
  static func writeFile(
    _ path: String, _ bytes: UnsafeRawBufferPointer, permissions: UInt32, isSynchronized: Bool
  ) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    guard fchmod(descriptor, mode_t(permissions)) == 0 else { return errno }
    let failure = writeAll(bytes, to: descriptor)
    guard failure == 0, isSynchronized else { return failure }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = write(descriptor, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Opens a file that can be read; the descriptor, or the errno of the failure.
  static func openFile(_ path: String) -> (descriptor: Int32, failure: Int32) {
    // Without waiting: what has the name may be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    return (descriptor, descriptor >= 0 ? 0 : errno)
  }

  static func closeFile(_ descriptor: Int32) { close(descriptor) }

  /// The size of an open file, or `nil` for what is not a regular file.
  static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Fills a buffer from the beginning of a file, which must have so many bytes.
  static func readFile(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = read(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      filled += count
    }
    return 0
  }

  /// Maps a file into memory: pages that are written to are copied, the file stays as it is.
  ///
  /// - Returns: `nil` when the system cannot.
  static func mapFile(_ descriptor: Int32, count: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0)
    return memory == MAP_FAILED ? nil : memory
  }

  static func unmap(_ memory: UnsafeMutableRawPointer, count: Int) { munmap(memory, count) }

  /// The names in a directory; none where there is no such directory.
  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }

  /// Makes the names in a directory durable; file systems that cannot do that have nothing to do.
  static func synchronizeDirectory(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
  }

  /// Waits for the lock of a directory, which ends when its descriptor is closed.
  ///
  /// - Returns: The descriptor, or the errno of the failure: ``isMissing`` for a directory that is
  ///   not at this path any more once it is locked.
  static func lockDirectory(_ path: String) -> (descriptor: Int32?, failure: Int32) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return (nil, errno) }
    var failure: Int32 = 0
    repeat { failure = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while failure == EINTR
    var (locked, found) = (stat(), stat())
    if failure == 0,
      fstat(descriptor, &locked) != 0 || stat(path, &found) != 0
        || locked.st_ino != found.st_ino || locked.st_dev != found.st_dev
    {
      failure = ENOENT
    }
    guard failure == 0 else {
      close(descriptor)
      return (nil, failure)
    }
    return (descriptor, 0)
  }

  static var isMissing: Int32 { ENOENT }

  /// The errno of a name that something has already.
  static var isTaken: Int32 { EEXIST }
}
