internal import CSQLite
internal import OxbowModel
internal import OxbowStore

extension Connection {
  /// Runs reads that another thread can stop.
  ///
  /// SQLite asks every thousand steps of its machine. `sqlite3_interrupt` would be lost when it
  /// comes before the first step, and would hit whatever the connection does next when it comes
  /// late.
  func stopping<R>(on cancellation: ReadCancellation?, _ body: () throws -> R) throws -> R {
    guard let cancellation else { return try body() }
    guard !cancellation.isCancelled else { throw PersistenceError.cancelled }
    sqlite3_progress_handler(
      handle, 1000,
      { cancellation in
        guard let cancellation else { return 0 }
        let flag = Unmanaged<ReadCancellation>.fromOpaque(cancellation).takeUnretainedValue()
        return flag.isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(cancellation).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    do { return try cancellation.whileReading(body) } catch let error as SQLiteError
      where error.code.primary == .interrupt && cancellation.isCancelled
    {
      throw PersistenceError.cancelled
    }
  }
}
