internal import CSQLite
internal import OxbowFoundation
internal import OxbowPlatform

/// The file `<store>-lock`, through which the Oxbow processes of one store agree.
///
/// Locks are on single bytes far beyond the file's end and belong to the open file description, so
/// they end with the process, and closing another descriptor does not drop them. The store's own
/// file is never locked or opened here: that would drop SQLite's locks.
///
/// | Byte | Held |
/// | --- | --- |
/// | `usage` | shared while a store is open, alone during a migration |
/// | `writing` | alone around each write with its checkpoint |
/// | `seats` + n | alone while a process that has the store open sits on seat n |
/// | `consumers` + n | alone while a process works as the consumer of the history with hash n |
///
/// The text of the file is for people and for messages. Line 0 says who wrote last, line n + 1 who
/// sits on seat n; a line counts only while its byte is locked. A save of a store with a history
/// writes the last byte of line 0 again after its commit, for those who watch the file: the log
/// would wake them before the save can be read.
package final class LockFile: Sendable {
  /// A process that has the store open.
  package struct Holder: Hashable, Sendable, CustomStringConvertible {
    package let process: Int
    package let host: String

    package var description: String { "process \(process) on \(host)" }
  }

  /// How a process uses the store.
  package enum Usage: Sendable {
    /// With others.
    case shared
    /// Alone, for a migration.
    case alone
  }

  /// The lock could not be had in time.
  package struct Unavailable: Error, Hashable, Sendable {
    package let path: String
    package let purpose: String
    package let holders: [Holder]
    package let milliseconds: Int
  }

  /// The lock file cannot be opened.
  package struct Unusable: Error, Hashable, Sendable {
    package let path: String
    /// The path of the store that it is beside.
    let storePath: String
    /// The number of the system's error.
    let number: Int32

    package var reason: String { System.message(number) }
  }

  private static let usage: Int64 = 1 << 30
  private static let writing: Int64 = 1 << 30 + 1
  private static let seats: Int64 = 1 << 30 + 16
  private static let seatCount = 126
  private static let consumers: Int64 = 1 << 40
  private static let lineLength = 64

  /// The lock file's path.
  package let path: String
  private let descriptor: Int32
  private let line: [UInt8]
  /// Whether the last one that closes the file removes it.
  private let isRemoved: Bool
  private let isOpen = Lock(true)

  /// Opens the lock file beside a store, creating it, and takes part.
  ///
  /// - Throws: ``Unavailable`` when others use the store in a way that excludes this one, and
  ///   ``Unusable`` when the file cannot be opened, or ``OutOfFiles``.
  package convenience init(
    besideStore storePath: String, usage: Usage, milliseconds: Int, isRemoved: Bool = false
  ) throws {
    try self.init(opening: storePath, isRemoved)
    do {
      try lock(
        Self.usage, usage == .shared ? F_RDLCK : F_WRLCK, milliseconds: milliseconds,
        purpose: usage == .shared ? "open the store" : "migrate the store")
    } catch {
      close()
      throw error
    }
    takeSeat()
  }

  /// Opens the file, again if another one removed it when it closed it: no later opening would know
  /// of its locks.
  static func current(
    besideStore store: String, usage: Usage, milliseconds: Int, isRemoved: Bool = false
  ) throws -> LockFile {
    while true {
      let file = try LockFile(
        besideStore: store, usage: usage, milliseconds: milliseconds, isRemoved: isRemoved)
      if file.isAtItsPath { return file }
      file.close()
    }
  }

  private init(opening storePath: String, _ isRemoved: Bool) throws {
    path = storePath + "-lock"
    self.isRemoved = isRemoved
    descriptor = Self.open(path, besideStore: storePath)
    guard descriptor >= 0 else {
      let number = errno
      throw OutOfFiles(storePath, number)
        ?? Unusable(path: path, storePath: storePath, number: number) as any Error
    }
    line = Self.line("\(System.processID) \(System.hostName)")
  }

  /// Opens the file, and makes it when it is not there: for those who may use the store, as SQLite
  /// makes the files beside it.
  private static func open(_ path: String, besideStore store: String) -> Int32 {
    #if canImport(Darwin)
      let open: (Int32) -> Int32 = { Darwin.open(path, O_RDWR | O_CLOEXEC | $0, 0o644) }
    #elseif canImport(Glibc)
      let open: (Int32) -> Int32 = { Glibc.open(path, O_RDWR | O_CLOEXEC | $0, 0o644) }
    #elseif canImport(Musl)
      let open: (Int32) -> Int32 = { Musl.open(path, O_RDWR | O_CLOEXEC | $0, 0o644) }
    #endif
    let new = open(O_CREAT | O_EXCL)
    let descriptor = new >= 0 ? new : open(O_CREAT)
    if descriptor >= 0 { System.share(descriptor, likeFile: store, isNew: new >= 0) }
    return descriptor
  }

  deinit { close() }

  /// Gives up all locks; safe to call twice.
  package func close() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      if isRemoved, becomeSole(), isAtItsPath { System.remove(path) }
      #if canImport(Darwin)
        _ = Darwin.close(descriptor)
      #elseif canImport(Glibc)
        _ = Glibc.close(descriptor)
      #elseif canImport(Musl)
        _ = Musl.close(descriptor)
      #endif
    }
  }

  /// Whether the file is still the one at the path: the one who closed it last may have removed it
  /// just before its lock was had.
  var isAtItsPath: Bool { System.fileID(of: descriptor) == System.fileID(path) }

  /// Runs `body` while no other Oxbow process writes or checkpoints the store.
  package func withWriteLock<R>(milliseconds: Int, _ body: () throws -> R) throws -> R {
    try takeWriteLock(milliseconds: milliseconds)
    defer { releaseWriteLock() }
    return try body()
  }

  /// Waits until no other Oxbow process writes or checkpoints the store, and keeps them from it
  /// until ``releaseWriteLock()``.
  func takeWriteLock(milliseconds: Int) throws {
    try lock(Self.writing, F_WRLCK, milliseconds: milliseconds, purpose: "write to the store")
    if !isLastWriter { write(line, lineAt: 0) }
  }

  /// Wakes those who watch the file; it says what it said before.
  package func touch() {
    withUnsafeBytes(of: UInt8(ascii: "\n")) {
      _ = pwrite(descriptor, $0.baseAddress, 1, off_t(Self.lineLength - 1))
    }
  }

  /// Keeps others from opening the store until this file is closed.
  ///
  /// - Returns: Whether no other has it open.
  func becomeSole() -> Bool { attempt(Self.usage, F_WRLCK) }

  func releaseWriteLock() { _ = oxbow_lock_byte(descriptor, F_UNLCK, Self.writing) }

  /// The other processes that have the store open now.
  package func others() -> [Holder] {
    (0..<Self.seatCount).compactMap { seat in
      guard oxbow_byte_is_locked(descriptor, F_WRLCK, Self.seats + Int64(seat)) != 0 else {
        return nil
      }
      return holder(lineAt: seat + 1)
    }
  }
}

// MARK: - Consumers

extension LockFile {
  /// Takes the right to work as a consumer of the store's history among all processes.
  ///
  /// - Returns: Whether no other process has it.
  func takeConsumer(_ name: String) -> Bool { attempt(Self.byte(of: name), F_WRLCK) }

  func releaseConsumer(_ name: String) {
    isOpen.withLock { isOpen in
      if isOpen { _ = oxbow_lock_byte(descriptor, F_UNLCK, Self.byte(of: name)) }
    }
  }

  /// The byte of a name, the same in every process.
  private static func byte(of name: String) -> Int64 {
    consumers + Int64(name.utf8.fnv1a >> 24)
  }
}

extension Sequence<UInt8> {
  /// A hash that is the same in every process (FNV-1a).
  var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

// MARK: - Locks

extension LockFile {
  private func lock(
    _ byte: Int64, _ type: Int32, milliseconds: Int, purpose: String
  ) throws {
    if attempt(byte, type) { return }
    let deadline = Self.deadline(now: System.milliseconds, waiting: milliseconds)
    var pause: UInt32 = 200
    while System.milliseconds < deadline, Waiting.isInterrupted?() != true {
      System.sleep(microseconds: pause)
      if attempt(byte, type) { return }
      pause = min(pause * 2, 10_000)
    }
    let holders = byte == Self.writing ? [holder(lineAt: 0)].compactMap(\.self) : others()
    throw Unavailable(path: path, purpose: purpose, holders: holders, milliseconds: milliseconds)
  }

  /// When to stop waiting; a time beyond the end of the clock is its end.
  package static func deadline(now: Int, waiting milliseconds: Int) -> Int {
    let (sum, overflows) = now.addingReportingOverflow(milliseconds)
    return overflows ? .max : sum
  }

  private func attempt(_ byte: Int64, _ type: Int32) -> Bool {
    oxbow_lock_byte(descriptor, type, byte) == 0
  }

  // When all seats are taken the process is not listed; its locks count all the same.
  private func takeSeat() {
    for seat in 0..<Self.seatCount where attempt(Self.seats + Int64(seat), F_WRLCK) {
      write(line, lineAt: seat + 1)
      return
    }
  }
}

// MARK: - Lines

extension LockFile {
  private static func line(_ text: String) -> [UInt8] {
    var line = Array(text.utf8.prefix(lineLength - 1))
    line += [UInt8](repeating: UInt8(ascii: " "), count: lineLength - 1 - line.count)
    return line + [UInt8(ascii: "\n")]
  }

  /// Whether line 0 is this process's; each save asks.
  private var isLastWriter: Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.lineLength, alignment: 1) { bytes in
      pread(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        && bytes.elementsEqual(line)
    }
  }

  private func read(lineAt index: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.lineLength)
    let count = pread(descriptor, &bytes, bytes.count, off_t(index * Self.lineLength))
    return Array(bytes.prefix(max(0, count)))
  }

  // A message that names no holder is all that is lost when this fails.
  private func write(_ line: [UInt8], lineAt index: Int) {
    _ = pwrite(descriptor, line, line.count, off_t(index * Self.lineLength))
  }

  private func holder(lineAt index: Int) -> Holder? {
    let words = String(decoding: read(lineAt: index), as: UTF8.self).split(separator: " ")
    guard words.count >= 2, let process = Int(words[0]) else { return nil }
    return Holder(process: process, host: String(words[1]))
  }
}
