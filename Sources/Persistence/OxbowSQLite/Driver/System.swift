// The shim includes `fcntl.h`, so that `stat` belongs to whichever of the two modules is loaded
// first.
internal import CSQLite
internal import OxbowFoundation
internal import OxbowPlatform

/// The few calls to the operating system that a store needs.
enum System {
  /// What names a file for as long as it exists.
  struct FileID: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The identity of the file at a path, or `nil` when there is none; opens nothing.
  static func fileID(_ path: String) -> FileID? {
    var status = stat()
    return stat(path, &status) == 0 ? FileID(status) : nil
  }

  /// The identity of an open file.
  static func fileID(of descriptor: Int32) -> FileID? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileID(status) : nil
  }

  /// The size of a file, or `nil` when there is none.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Whether the user of this process may write a file.
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// What changes when the contents of a file do.
  struct FileStamp: Hashable, Sendable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      #if canImport(Darwin)
        let changed = status.st_mtimespec
      #else
        let changed = status.st_mtim
      #endif
      size = Int(status.st_size)
      (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
    }
  }

  /// The stamp of the file at a path, or `nil` when there is none; opens nothing.
  static func stamp(_ path: String) -> FileStamp? {
    var status = stat()
    return stat(path, &status) == 0 ? FileStamp(status) : nil
  }

  /// A file as it was at one moment.
  struct Sight: Hashable, Sendable {
    let file: FileID
    /// `nil` where only the file itself counts.
    let stamp: FileStamp?
  }

  /// The file at a path as it is, or `nil` if it does not exist; opens nothing.
  static func sight(_ path: String) -> Sight? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Sight(file: FileID(status), stamp: FileStamp(status))
  }

  /// Whether the path names a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the file system of a file is read-only.
  static func isOnReadOnlyMedium(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// The target of a symbolic link that leads to nothing; `nil` for anything else at the path.
  static func danglingLink(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) != 0 else { return nil }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the path names something that is neither a file nor a directory: a device, a pipe.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFDIR && status.st_mode & S_IFMT != S_IFREG
  }

  /// Creates an empty file unless there is one; the errno of the failure, or 0.
  static func createFile(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return errno == EEXIST ? 0 : errno }
    close(descriptor)
    return 0
  }

  /// The path without links, or the path itself when it cannot be resolved.
  static func realPath(_ path: String) -> String { resolvedPath(path) ?? path }

  /// Creates a directory of our own below the system's temporary directory.
  static func makeTemporaryDirectory() -> String? {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/oxbow-XXXXXX".utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return nil }
      return String(cString: made)
    }
  }

  /// Removes a file; nothing happens when there is none.
  static func remove(_ path: String) { unlink(path) }

  /// Gives a file another name, replacing what has it; the errno of the failure, or 0.
  static func rename(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.rename(from, to) == 0 ? 0 : errno
    #elseif canImport(Glibc)
      Glibc.rename(from, to) == 0 ? 0 : errno
    #elseif canImport(Musl)
      Musl.rename(from, to) == 0 ? 0 : errno
    #endif
  }

  /// Gives a file a name that nothing has; the errno of the failure, EEXIST among them, or 0.
  static func name(_ from: String, _ to: String) -> Int32 {
    guard link(from, to) != 0 else {
      remove(from)
      return 0
    }
    // Not every file system has two names for a file.
    guard errno != EEXIST, fileID(to) == nil else { return EEXIST }
    return rename(from, to)
  }

  /// Gives a file another name beside the one that it has.
  ///
  /// - Returns: Whether the file system does that, and there was nothing of that name.
  static func addName(_ name: String, to path: String) -> Bool { link(path, name) == 0 }

  /// Removes a database and what SQLite may have beside it.
  static func removeDatabase(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { remove(path + suffix) }
  }

  /// Makes the names in a file's folder durable, as far as the file system does that.
  static func synchronizeFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let descriptor = open(String(folder), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Removes an empty directory.
  static func removeDirectory(_ path: String) { rmdir(path) }

  /// Whether an error number says that the disk, or the user's part of it, is full.
  static func isDiskFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  /// Whether an error number says that this process, or the system, has as many files open as it
  /// may.
  static func isOutOfFiles(_ number: Int32) -> Bool {
    number == EMFILE || isOutOfFilesOfAll(number)
  }

  /// Whether it is the limit of all processes together.
  static func isOutOfFilesOfAll(_ number: Int32) -> Bool { number == ENFILE }

  /// How many files this process may have open at a time; `nil` where the system does not say.
  static var maximumOpenFiles: UInt64? {
    var limits = rlimit()
    #if canImport(Glibc)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
      let status = getrlimit(RLIMIT_NOFILE, &limits)
    #endif
    return status == 0 ? UInt64(limits.rlim_cur) : nil
  }

  /// Whether an error number says that something that is not a folder has a folder's name.
  static func isInTheWay(_ number: Int32) -> Bool { number == EEXIST || number == ENOTDIR }

  /// The words for an error number.
  static func message(_ number: Int32) -> String { String(cString: strerror(number)) }

  static var processID: Int32 { getpid() }

  static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
      ?? "unknown"
  }

  /// Milliseconds of a clock that never goes back.
  static var milliseconds: Int { monotonicMilliseconds() }

  static func sleep(microseconds: UInt32) { usleep(microseconds) }
}
