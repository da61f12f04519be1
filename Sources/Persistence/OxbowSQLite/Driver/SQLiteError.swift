/// What SQLite reported, with the statement that it was about.
///
/// The driver throws it; the store turns it into a `PersistenceError` before a user sees it.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package let code: ResultCode

  /// SQLite's own message.
  package let message: String

  /// The statement, when there was one.
  package let sql: String?

  /// The database file, or `:memory:`.
  package let path: String

  /// The system's number of the error behind an I/O error; 0 when there is none.
  package var systemError: Int32

  /// Whether the failed call was a COMMIT, whose outcome is unknown when the code is an I/O error.
  package var isCommit: Bool

  package init(
    code: ResultCode, message: String, sql: String?, path: String, systemError: Int32 = 0,
    isCommit: Bool = false
  ) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    self.systemError = systemError
    self.isCommit = isCommit
  }

  package var description: String {
    let statement = sql.map { "\n  statement: \($0)" } ?? ""
    return "\(code) in \"\(path)\": \(message)\(statement)"
  }

  /// Whether there is no room for what was to be written.
  ///
  /// SQLite has a code of its own where a write fails; where a file cannot be made, enlarged or
  /// flushed, only the system's number says so.
  package var isDiskFull: Bool {
    switch code.primary {
    case .full: true
    case .inputOutput, .cannotOpen: System.isDiskFull(systemError)
    default: false
    }
  }

  /// Whether the disk or the file system failed, and not a statement.
  package var isOfTheSystem: Bool {
    isDiskFull || [.inputOutput, .cannotOpen].contains(code.primary)
  }

  /// Whether a file may not be opened or written, and others could be to blame than the system.
  var isOfPermissions: Bool {
    switch code.primary {
    case .readOnly: true
    case .cannotOpen: !System.isOutOfFiles(systemError)
    default: false
    }
  }

  /// Whether the transaction may be durable although the call reported an error.
  package var isOutcomeUnknown: Bool { isCommit && code.primary == .inputOutput }

  /// The outcome of a commit that reported this error; `isDurable` is `nil` when that could not be
  /// found out.
  func outcome(_ isDurable: Bool?) -> Result<Void, any Error> {
    guard let isDurable else { return .failure(self) }
    guard !isDurable else { return .success(()) }
    // An error without the mark of a commit says that nothing was saved.
    var known = self
    known.isCommit = false
    return .failure(known)
  }
}
