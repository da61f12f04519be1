internal import CSQLite

extension Connection {
  /// Copies the whole database over that of another connection, in one transaction of the other
  /// (`sqlite3_backup`).
  ///
  /// Inside a read transaction of this connection, the copy is of the transaction's moment.
  /// `progress` is called with the pages that were copied and those that there are.
  func copy(into destination: Connection, _ progress: (Int, Int) -> Void) throws {
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw destination.error(sqlite3_extended_errcode(destination.handle))
    }
    var code: Int32
    repeat {
      code = sqlite3_backup_step(backup, 256)
      let pages = Int(sqlite3_backup_pagecount(backup))
      if code == SQLITE_OK || code == SQLITE_DONE {
        progress(pages - Int(sqlite3_backup_remaining(backup)), pages)
      }
    } while code == SQLITE_OK
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw destination.error(code == SQLITE_DONE ? end : code)
    }
  }
}
