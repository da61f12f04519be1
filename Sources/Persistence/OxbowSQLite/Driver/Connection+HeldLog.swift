internal import CSQLite

extension Connection {
  /// The log of another program's database is gone: the program has closed the database.
  struct LogIsGone: Error {}

  /// Keeps other programs from removing the log that SQLite is about to open.
  ///
  /// SQLite makes a log that is missing, also for a connection that only reads. The last program
  /// that closes a database removes the log, for which it has to have the file alone. So the shared
  /// lock comes first, then the look whether there is a log, then SQLite's first statement.
  ///
  /// - Throws: `LogIsGone` where SQLite would make one.
  func holdLog() throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let lock = file.pointee.pMethods?.pointee.xLock
    else { return }
    let end = System.milliseconds + configuration.busyMilliseconds
    while true {
      let code = ResultCode(lock(file, SQLITE_LOCK_SHARED))
      if code == .ok { break }
      guard code.primary == .busy, System.milliseconds < end else {
        throw SQLiteError(code: code, message: "the file is locked", sql: nil, path: path)
      }
      System.sleep(microseconds: 1000)
    }
    guard headerAsksForLog == true else { return }
    for suffix in ["-wal", "-shm"] where System.fileID(path + suffix) == nil { throw LogIsGone() }
  }
}
