internal import CSQLite

extension Connection {
  /// How far a checkpoint goes.
  package enum CheckpointKind: Sendable {
    /// Copies what no reader needs, and does not wait.
    case passive
    /// Waits for readers within the busy time, then makes the log start again.
    case restart
    /// As restart, and cuts the log's file to nothing.
    case truncate
  }

  /// What a checkpoint did.
  package struct CheckpointResult: Hashable, Sendable {
    /// Readers or writers kept it from going all the way.
    package var isBlocked: Bool
    /// Pages in the log.
    package var logPages: Int
    /// Pages of the log that are in the database.
    package var copiedPages: Int
  }

  /// Copies pages of the write-ahead log into the database.
  ///
  /// - Precondition: Not on a reader: one connection does every checkpoint.
  @discardableResult
  package func checkpoint(_ kind: CheckpointKind) throws -> CheckpointResult {
    precondition(configuration.role != .reader, "one connection does every checkpoint")
    let mode =
      switch kind {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var log: Int32 = 0
    var copied: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, &log, &copied)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw error(code) }
    return CheckpointResult(
      isBlocked: code != SQLITE_OK, logPages: Int(log), copiedPages: Int(copied))
  }

  /// Waits for others up to `milliseconds` from now on.
  package func setBusyTime(milliseconds: Int) {
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  /// Leaves the log as it is when this connection closes.
  func leaveLogOnClose() {
    var seen: Int32 = 0
    _ = oxbow_sqlite3_db_config_int(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &seen)
  }
}
