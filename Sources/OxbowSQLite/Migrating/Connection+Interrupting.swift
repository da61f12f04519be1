internal import CSQLite
internal import OxbowModel

// `sqlite3_interrupt` is for readers: what it hits is whatever the connection does next, a COMMIT
// too. Here SQLite asks while a statement runs, and only inside `body`.

/// Whether a connection's statements are to stop, and whether one was stopped.
private final class InterruptionFlag {
  let isInterrupted: @Sendable () -> Bool
  var hasStopped = false

  init(_ isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }
}

extension Connection {
  /// Runs `body`, whose statements stop when `isInterrupted` says so.
  ///
  /// - Throws: ``PersistenceError`` with code `interrupted` when a statement was stopped; SQLite
  ///   has then rolled the transaction back, or the caller has to.
  func interrupting<R>(
    when isInterrupted: (@Sendable () -> Bool)?, _ body: () throws -> R
  ) throws -> R {
    guard let isInterrupted else { return try body() }
    let flag = InterruptionFlag(isInterrupted)
    return try withExtendedLifetime(flag) {
      sqlite3_progress_handler(
        handle, 1000,
        { flag in
          guard let flag else { return 0 }
          let state = Unmanaged<InterruptionFlag>.fromOpaque(flag).takeUnretainedValue()
          if state.isInterrupted() { state.hasStopped = true }
          return state.hasStopped ? 1 : 0
        }, Unmanaged.passUnretained(flag).toOpaque())
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      do {
        return try body()
      } catch {
        throw flag.hasStopped ? PersistenceError.interrupted : error
      }
    }
  }

  /// Runs `body`, whose statements run to their end; inside of ``interrupting(when:_:)`` the
  /// statements behind it do so too.
  func uninterrupted<R>(_ body: () throws -> R) rethrows -> R {
    sqlite3_progress_handler(handle, 0, nil, nil)
    return try body()
  }
}
