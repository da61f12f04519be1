internal import CSQLite
internal import OxbowModel

// `sqlite3_interrupt` is for readers: what it hits is whatever the connection does next, a COMMIT
// too. Here SQLite asks while a statement runs, and only inside `body`.

extension Connection {
  /// Runs `body`, whose statements stop when `isInterrupted` says so.
  ///
  /// - Throws: ``PersistenceError`` with code `interrupted` when a statement was stopped; SQLite
  ///   has then rolled the transaction back, or the caller has to.
  func interrupting<R>(
    when isInterrupted: (@Sendable () -> Bool)?, _ body: () throws -> R
  ) throws -> R {
    guard let isInterrupted else { return try body() }
    let flag = RunningStatement(isInterrupted)
    return try asking(flag) {
      do {
        return try body()
      } catch {
        throw flag.hasStopped ? PersistenceError.interrupted : error
      }
    }
  }

  /// Lets SQLite ask a flag every thousand steps of its machine.
  private func asking<R>(_ flag: RunningStatement, _ body: () throws -> R) rethrows -> R {
    running = flag
    sqlite3_progress_handler(
      handle, 1000,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<RunningStatement>.fromOpaque(flag).takeUnretainedValue().goesOn() ? 0 : 1
      }, Unmanaged.passUnretained(flag).toOpaque())
    defer {
      sqlite3_progress_handler(handle, 0, nil, nil)
      running = nil
    }
    return try body()
  }

  /// Runs `body`, whose statements run to their end; inside of ``interrupting(when:_:)`` the
  /// statements behind it do so too.
  func uninterrupted<R>(_ body: () throws -> R) rethrows -> R {
    sqlite3_progress_handler(handle, 0, nil, nil)
    running = nil
    return try body()
  }

  /// Runs a statement that goes through a whole table, and says now and then how many rows it has
  /// seen.
  ///
  /// SQLite counts them anyway, and asks anyway: telling costs nothing.
  func run(_ sql: String, progress: (Int) -> Void) throws {
    try withStatement(sql) { statement in
      try withoutActuallyEscaping(progress) { progress in
        try telling {
          progress(Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)))
        } of: {
          while try statement.step() {}
        }
      }
    }
  }

  private func telling<R>(_ tell: @escaping () -> Void, of body: () throws -> R) rethrows -> R {
    guard let running else {
      let flag = RunningStatement(nil)
      flag.tell = tell
      defer { flag.tell = nil }
      return try asking(flag, body)
    }
    running.tell = tell
    defer { running.tell = nil }
    return try body()
  }
}
