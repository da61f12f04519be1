internal import CSQLite
internal import OxbowModel

/// Waiting for other processes that somebody may ask to stop: by Ctrl-C, for example.
package enum Waiting {
  @TaskLocal static var isInterrupted: (@Sendable () -> Bool)?

  /// Runs `body`, which does not wait any more as soon as `isInterrupted` says so.
  ///
  /// - Throws: ``PersistenceError`` with code `interrupted` in place of `storeLocked` then.
  package static func stopping<R>(
    when isInterrupted: (@Sendable () -> Bool)?, _ body: () throws -> R
  ) throws -> R {
    guard let isInterrupted else { return try body() }
    return try $isInterrupted.withValue(isInterrupted) {
      do { return try body() } catch let error as PersistenceError
        where error.code == .storeLocked && isInterrupted()
      {
        throw PersistenceError.interrupted
      }
    }
  }
}

/// How long a connection waits for a lock of SQLite's.
final class BusyWait {
  private let milliseconds: Int
  private let isInterrupted: @Sendable () -> Bool
  private var deadline = 0

  init(milliseconds: Int, isInterrupted: @escaping @Sendable () -> Bool) {
    self.milliseconds = milliseconds
    self.isInterrupted = isInterrupted
  }

  /// Waits a moment; whether to try again.
  fileprivate func pause(attempt: Int32) -> Bool {
    let now = System.milliseconds
    if attempt == 0 { deadline = LockFile.deadline(now: now, waiting: milliseconds) }
    guard now < deadline, !isInterrupted() else { return false }
    System.sleep(microseconds: UInt32(clamping: min(10, 1 + Int(attempt))) * 1000)
    return true
  }
}

extension Connection {
  /// Waits for locks as long as the connection may, until it is interrupted.
  func waitForLocks() {
    guard let isInterrupted = Waiting.isInterrupted else {
      sqlite3_busy_timeout(handle, Int32(clamping: configuration.busyMilliseconds))
      return
    }
    let wait = BusyWait(
      milliseconds: configuration.busyMilliseconds, isInterrupted: isInterrupted)
    busyWait = wait
    sqlite3_busy_handler(
      handle,
      { wait, attempt in
        guard let wait else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(wait).takeUnretainedValue().pause(attempt: attempt)
          ? 1 : 0
      }, Unmanaged.passUnretained(wait).toOpaque())
  }
}
