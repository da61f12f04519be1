internal import CSQLite

extension Connection {
  /// The journal mode that the database's header asks for, read through SQLite's own descriptor.
  ///
  /// A connection to a file that does not change says `delete` whatever the header says.
  func journalModeOfHeader() throws -> String {
    if headerAsksForLog == true { return "wal" }
    return try text("PRAGMA journal_mode") ?? "unknown"
  }

  /// Whether the header says that there is a log; `nil` where it cannot be read.
  var headerAsksForLog: Bool? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var versions: [UInt8] = [0, 0]
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead,
      read(file, &versions, 2, 18) == SQLITE_OK
    else { return nil }
    // SQLite opens a log for the second, whatever the first says.
    return versions[1] == 2
  }
}
