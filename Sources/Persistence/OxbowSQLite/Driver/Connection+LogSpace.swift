internal import CSQLite

// A commit that makes the log's file longer waits for its pages and for the file's new length,
// twice as long as one whose pages lie within the file. So the file is made longer ahead of need,
// by zeros that SQLite takes for the end of the log: decision 0281.

/// What a connection knows of the file of the write-ahead log.
struct LogFile {
  var bytes: Int64 = 0
  /// The pages in it when that was last looked at.
  var pages = 0
}

extension Connection {
  /// How many pages fit into the file at least, and how many do when it has been made longer.
  private static let pagesAhead = (least: 8, most: 32)

  /// Makes the log's file longer when it is nearly full.
  ///
  /// In a write transaction only: no other adds to the log meanwhile. What fails is left to the
  /// commit, which needs the space itself.
  func provideLogSpace() {
    let pages = writeAheadLogPages
    guard pages > 0, pages < configuration.logPagesAhead else { return }
    if pages < logFile.pages { logFile.bytes = 0 }
    logFile.pages = pages
    if logFile.bytes < logBytes(pages + Self.pagesAhead.least) {
      logFile.bytes = lengthenLog(to: logBytes(pages + Self.pagesAhead.most))
    }
  }

  /// The bytes of a log of so many pages, with its header and theirs.
  private func logBytes(_ pages: Int) -> Int64 { 32 + Int64(pages) * (Int64(pageBytes) + 24) }

  /// - Returns: The length of the file now.
  private func lengthenLog(to goal: Int64) -> Int64 {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var size: Int64 = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods?.pointee,
      methods.xFileSize(file, &size) == SQLITE_OK, size > 0
    else { return 0 }
    // SQLite writes less than 128 KiB at once.
    let zeros = [UInt8](repeating: 0, count: 65_536)
    while size < goal {
      guard methods.xWrite(file, zeros, Int32(zeros.count), size) == SQLITE_OK else { return size }
      size += Int64(zeros.count)
    }
    return size
  }
}
