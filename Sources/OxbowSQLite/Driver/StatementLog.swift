internal import CSQLite
internal import Logging

/// What a connection writes to a logger: each statement that ends, with how long it took.
///
/// SQLite calls it on the thread that uses the connection, when a statement is reset or has
/// returned its last row. A connection without a logger, or with one of a higher level than
/// `debug`, has none.
final class StatementLog {
  private let logger: Logger
  private let showsValues: Bool

  init?(_ logger: Logger?, path: String, connection: String, showsValues: Bool) {
    guard var logger, logger.logLevel <= .debug else { return nil }
    logger[metadataKey: "store"] = "\(path)"
    logger[metadataKey: "connection"] = "\(connection)"
    self.logger = logger
    self.showsValues = showsValues
  }

  /// Starts logging on a connection that keeps this object as long as it is open.
  func attach(to handle: OpaquePointer) {
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, log, statement, nanoseconds in
        guard let log, let statement, let nanoseconds else { return 0 }
        Unmanaged<StatementLog>.fromOpaque(log).takeUnretainedValue().write(
          OpaquePointer(statement), nanoseconds.load(as: Int64.self))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func write(_ statement: OpaquePointer, _ nanoseconds: Int64) {
    logger.debug("\(text(of: statement))", metadata: ["microseconds": "\(nanoseconds / 1000)"])
  }

  /// The statement with its parameters, or with their values where the options allow it.
  private func text(of statement: OpaquePointer) -> String {
    if showsValues, let text = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(text) }
      return String(cString: text)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}
