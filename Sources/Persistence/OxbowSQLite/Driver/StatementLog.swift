internal import CSQLite
internal import Logging
internal import OxbowStore

/// What a connection writes to a logger: each statement that ends, with how long it took.
///
/// SQLite calls it on the thread that uses the connection, when a statement is reset or has
/// returned its last row. A connection without a logger has none, and so has one that measures no
/// slow statements and whose logger is of a higher level than `debug`.
final class StatementLog {
  private let logger: Logger
  private let counters: StatementCounters?
  private let showsValues: Bool

  /// From where on a statement is slow.
  private let slow: Int64

  /// The rows that statements have scanned while a task recorded; SQLite's count begins anew with
  /// each line.
  private var scannedRows = 0

  init?(_ configuration: Connection.Configuration, path: String) {
    guard var logger = configuration.logger else { return nil }
    let milliseconds = configuration.slowStatementMilliseconds
    guard logger.logLevel <= .debug || milliseconds != nil && logger.logLevel <= .warning else {
      return nil
    }
    logger[metadataKey: "store"] = "\(path)"
    logger[metadataKey: "connection"] = "\(configuration.role)"
    self.logger = logger
    showsValues = configuration.showsValues
    counters = configuration.counters
    slow = milliseconds.map { 1_000_000 * Int64(max(0, min($0, 1 << 40))) } ?? .max
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

  /// Returns the scanned rows since the last call.
  func takeScannedRows() -> Int {
    defer { scannedRows = 0 }
    return scannedRows
  }

  private func write(_ statement: OpaquePointer, _ nanoseconds: Int64) {
    let level: Logger.Level = nanoseconds >= slow ? .warning : .debug
    let scanned = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
    counters?.addScanned(scanned)
    if StatementRecord.isNeeded { scannedRows += Int(scanned) }
    guard logger.logLevel <= level else { return }
    logger.log(
      level: level, "\(text(of: statement))",
      metadata: ["microseconds": "\(nanoseconds / 1000)", "scannedRows": "\(scanned)"])
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
