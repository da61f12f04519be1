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

  /// Whether the failed call was a COMMIT, whose outcome is unknown when the code is an I/O error.
  package var isCommit: Bool

  package init(
    code: ResultCode, message: String, sql: String?, path: String, isCommit: Bool = false
  ) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    self.isCommit = isCommit
  }

  package var description: String {
    let statement = sql.map { "\n  statement: \($0)" } ?? ""
    return "\(code) in \"\(path)\": \(message)\(statement)"
  }

  /// Whether the transaction may be durable although the call reported an error.
  package var isOutcomeUnknown: Bool { isCommit && code.primary == .inputOutput }
}
