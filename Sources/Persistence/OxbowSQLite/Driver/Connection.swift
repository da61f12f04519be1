internal import CSQLite
package import Logging
package import OxbowRelational
internal import OxbowStore

/// One connection to a database, used by one thread at a time.
///
/// Every connection is opened without SQLite's own mutexes, in defensive mode, without extensions,
/// and with automatic checkpoints off before its first statement: one writer connection does every
/// checkpoint (see `Database`).
package final class Connection: @unchecked Sendable {
  // Sendable by argument: a connection is handed from thread to thread only by the reader pool or
  // under the writer's lock, so that one thread at a time uses it.

  /// What a connection may do.
  package enum Role: Sendable {
    /// Writes, and does every checkpoint.
    case writer
    /// Reads, and leaves the write-ahead log alone when it closes.
    case reader
    /// The only connection of its database: reads and writes.
    case sole
  }

  /// How a connection is opened.
  package struct Configuration: Sendable {
    package var role: Role
    package var isReadOnly = false
    /// The file cannot change while it is open: read-only media.
    package var isImmutable = false
    /// Whether the file is another program's, beside which no log is made; see `holdLog()`.
    var leavesNoTrace = false
    package var synchronous = Synchronous.full
    package var busyMilliseconds = 5000
    package var maximumBytes: Int?
    /// Whether values in files are mapped into memory, rather than read.
    package var mapsFiles = false
    /// Whether error messages may show bound values.
    package var showsValues = false
    /// Where statements are written: all at level `debug`, slow ones at `warning`.
    package var logger: Logger?
    package var slowStatementMilliseconds: Int?
    /// Up to how many pages the write-ahead log's file is made longer ahead of need.
    var logPagesAhead = 0
    /// What counts its statements, if anything does.
    var counters: StatementCounters?

    package init(role: Role) { self.role = role }
  }

  /// SQLite's handle.
  let handle: OpaquePointer

  /// The database file, or `:memory:`.
  package let path: String

  package let configuration: Configuration

  /// The schema version that the store has seen on this connection; see `SQLiteStore`.
  var knownSchemaVersion: Int64?

  /// The rows that the statement which is lent has given.
  private var rowCount = 0

  /// What SQLite asks while a statement of a migration runs.
  var running: RunningStatement?

  /// The files of large values that transactions have written and that are not settled
  /// yet; see `Connection+Files.swift`.
  var newFiles: [String] = []

  /// The files of large values of Core Data's layout, about which the end of a transaction decides.
  var coreDataFiles: [CoreDataFile] = []

  /// The scope that the connection is in, while its database is lent.
  var scope: StoreScope?

  /// What to touch after the next commit, once: it has a save that others may wait for.
  var wakes: LockFile?

  /// The bytes of a save's history, used again for the next one.
  var historyBlob = HistoryBlobWriter()

  /// What the last look for the saves of others saw through this connection.
  var lastLook: SaveLook?

  /// Whether there may be files that only another commit can settle.
  var hasDoubtfulFiles = false

  /// How soon a commit is on the medium.
  var synchronous: Synchronous

  /// What SQLite asks while it waits for a lock, where waiting can be interrupted.
  var busyWait: BusyWait?

  /// The number of the save that was counted last, perhaps rolled back since; see `countSave()`.
  var countedSave: Int64?

  /// What is known of the file of the write-ahead log; see `provideLogSpace()`.
  var logFile = LogFile()

  /// The bytes of a page.
  private(set) lazy var pageBytes = Int((try? integer("PRAGMA page_size")) ?? 4096)

  /// Whether a statement was prepared anew because the schema had changed.
  private var sawSchemaChange = false

  /// Whether FTS5 knows the function that ranks.
  var ranksByIndex = false

  private var statements: [StatementKey: Statement] = [:]

  /// Those of them that each save runs, by their numbers.
  private var frequent = [Statement?](repeating: nil, count: FrequentStatement.allCases.count)

  /// What a store keeps of the statements, and lets go of before they are finalized; see
  /// `FetchPlans`.
  var keeper: AnyObject?
  private let logPages: UnsafeMutablePointer<Int32>
  private let log: StatementLog?
  private var isOpen = true

  /// More statements than this are not kept; a store uses a handful for each entity.
  private static let cacheLimit = 256

  package init(path: String, configuration: Configuration) throws {
    self.path = path
    self.configuration = configuration
    synchronous = configuration.synchronous
    handle = try Self.open(path, configuration)
    logPages = .allocate(capacity: 1)
    logPages.initialize(to: 0)
    log = StatementLog(configuration, path: path)
    log?.attach(to: handle)
    do { try configure() } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
    logPages.deallocate()
  }

  private static func open(_ path: String, _ configuration: Configuration) throws -> OpaquePointer {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |=
      configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // Where SQLite is built so, a name that begins like this is a URI, whatever the flags say.
    var name = path.hasPrefix("file:") ? "./" + path : path
    if configuration.isImmutable {
      flags |= SQLITE_OPEN_URI
      name = "file:" + percentEncoded(path) + "?immutable=1"
    }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "out of memory"
      let systemError = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close(handle)
      throw SQLiteError(
        code: ResultCode(code), message: message, sql: nil, path: path, systemError: systemError)
    }
    return handle
  }

  private func configure() throws {
    sqlite3_wal_autocheckpoint(handle, 0)
    sqlite3_wal_hook(
      handle,
      { pages, _, _, count in
        pages?.assumingMemoryBound(to: Int32.self).pointee = count
        return SQLITE_OK
      }, logPages)
    waitForLocks()
    if configuration.leavesNoTrace { try holdLog() }
    try registerDecimalOrder()
    try registerLanguages()
    try registerConditionFunctions()
    try registerDateFunctions()
    try registerWholeAverage()
    try registerConversions()
    try set(SQLITE_DBCONFIG_DEFENSIVE, true)
    // An index over JSON is one of SQLite's own functions; see decision 0320.
    try set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true)
    try set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    try set(SQLITE_DBCONFIG_DQS_DML, false)
    try set(SQLITE_DBCONFIG_DQS_DDL, false)
    try set(SQLITE_DBCONFIG_ENABLE_FKEY, configuration.role != .reader)
    try set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, configuration.role == .reader)
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cache_size = -8000")
    try execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    if configuration.role == .reader { try execute("PRAGMA query_only = ON") }
    if let bytes = configuration.maximumBytes { try limit(bytes: bytes) }
  }

  private func set(_ option: Int32, _ value: Bool) throws {
    var seen: Int32 = -1
    let code = oxbow_sqlite3_db_config_int(handle, option, value ? 1 : 0, &seen)
    guard code == SQLITE_OK, seen == (value ? 1 : 0) else {
      throw SQLiteError(
        code: ResultCode(code), message: "connection switch \(option) cannot be set", sql: nil,
        path: path)
    }
  }

  private func limit(bytes: Int) throws {
    let pageSize = Int(try integer("PRAGMA page_size") ?? 4096)
    try execute("PRAGMA max_page_count = \(max(1, bytes / pageSize))")
  }

  /// Finalizes all statements and closes; safe to call twice.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    forgetStatements()
    for statement in statements.values { statement.finalize() }
    statements = [:]
    sqlite3_close_v2(handle)
  }
}

// MARK: - Statements

extension Connection {
  /// Lends the prepared statement for `sql` to `body`; resets it and clears its values afterwards.
  package func withStatement<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    let key = StatementKey(sql)
    if let statement = statements[key], !statement.isBorrowed {
      return try lend(statement, body)
    }
    if !ranksByIndex { try registerIndexRank(for: sql) }
    let statement = try Statement(sql, of: self)
    guard statements[key] == nil else {
      defer {
        count(statement)
        statement.finalize()
      }
      return try body(statement)
    }
    if statements.count >= Self.cacheLimit { dropIdleStatements() }
    statements[key] = statement
    return try lend(statement, body)
  }

  func lend<R>(_ statement: Statement, _ body: (Statement) throws -> R) rethrows -> R {
    statement.isBorrowed = true
    defer {
      statement.clean()
      count(statement)
      statement.isBorrowed = false
      if statement.takeRepreparation() { sawSchemaChange = true }
    }
    return try body(statement)
  }

  /// Counts rows that a statement has given.
  func countRows(_ count: Int) { rowCount += count }

  private func count(_ statement: Statement) {
    if StatementRecord.isNeeded {
      note(statement, rows: rowCount, loggedScans: log?.takeScannedRows() ?? 0)
    }
    configuration.counters?.add(statement.handle, rows: rowCount)
    rowCount = 0
  }

  /// Tells whether a statement met another schema than it was prepared for, since the last call.
  func takeSchemaChange() -> Bool {
    defer { sawSchemaChange = false }
    return sawSchemaChange
  }

  /// Lends a statement that each save runs, without a look-up of its text (docs/performance.md,
  /// P/save).
  func withStatement<R>(
    _ one: FrequentStatement, _ body: (Statement) throws -> R
  ) throws -> R {
    if let statement = frequent[one.rawValue], !statement.isBorrowed {
      return try lend(statement, body)
    }
    return try withStatement(one.text) { statement in
      // Another one is thrown away afterwards.
      if statement.isBorrowed { frequent[one.rawValue] = statement }
      return try body(statement)
    }
  }

  func run(_ one: FrequentStatement) throws {
    try withStatement(one) { statement in while try statement.step() {} }
  }

  /// Lets go of statements that are about to be finalized.
  private func forgetStatements() {
    keeper = nil
    for index in frequent.indices { frequent[index] = nil }
  }

  private func dropIdleStatements() {
    forgetStatements()
    for (key, statement) in statements where !statement.isBorrowed {
      statement.finalize()
      statements[key] = nil
    }
  }

  /// Runs one statement to its end, with values.
  package func run(_ sql: String, _ values: [SQLValue] = []) throws {
    try withStatement(sql) { statement in
      try statement.bind(values)
      while try statement.step() {}
    }
  }

  /// Returns all rows of a statement; for small results only.
  package func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
    try withStatement(sql) { statement in
      try statement.bind(values)
      var rows: [[SQLValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map(statement.value(at:)))
      }
      return rows
    }
  }

  /// Returns the integer in the first column of the first row, or `nil`.
  package func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
    try withStatement(sql) { statement in
      try statement.bind(values)
      guard try statement.step(), case .integer(let value) = statement.value(at: 0) else {
        return nil
      }
      return value
    }
  }

  /// Returns the text in the first column of the first row, or `nil`.
  package func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
    try withStatement(sql) { statement in
      try statement.bind(values)
      guard try statement.step(), case .text(let value) = statement.value(at: 0) else { return nil }
      return value
    }
  }

  /// Runs statements without values, one after the other, and keeps none of them.
  package func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// The rows that the last insert, update or delete changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The rows that were changed since the connection was opened, those that triggers changed
  /// included.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }
}

// MARK: - State

extension Connection {
  /// Whether the file or the connection refuses writes.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// Whether a transaction is open; after an error, ask before any other statement.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The pages in the write-ahead log after the last commit of this connection.
  package var writeAheadLogPages: Int { Int(logPages.pointee) }

  /// The bytes of these pages.
  var writeAheadLogBytes: Int { writeAheadLogPages * pageBytes }

  /// The number of deferred foreign key violations that a commit would fail on.
  package var deferredForeignKeyViolations: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return Int(current)
  }

  /// Lowers the number of bytes that a value or a row may have; SQLite's own limit is
  /// 1,000,000,000.
  func limit(valueBytes: Int) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
  }

  /// The number of bytes that a value may have.
  var largestValue: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)) }

  /// The error for a result code, with SQLite's message of this moment.
  func error(
    _ code: Int32, sql: String? = nil, statement: Statement? = nil, isCommit: Bool = false
  ) -> SQLiteError {
    SQLiteError(
      code: ResultCode(code), message: String(cString: sqlite3_errmsg(handle)),
      sql: statement.map(text(of:)) ?? sql, path: path,
      systemError: sqlite3_system_errno(handle), isCommit: isCommit)
  }

  private func text(of statement: Statement) -> String {
    guard configuration.showsValues, let text = sqlite3_expanded_sql(statement.handle) else {
      return statement.sql
    }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}

/// The text of a statement, with a hash of its bytes: a quick one, because each call of each
/// statement asks for it.
private struct StatementKey: Hashable {
  private let sql: String
  private let bytes: UInt64

  init(_ sql: String) {
    var text = sql
    bytes = text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      var hash = UInt64(bytes.count)
      for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
        hash = Self.mixed(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      for place in bytes.count & ~7..<bytes.count { hash = Self.mixed(hash, UInt64(bytes[place])) }
      return hash
    }
    self.sql = sql
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high &+ low
  }

  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Returns a path that SQLite's URI reader gives back unchanged.
private func percentEncoded(_ path: String) -> String {
  path.map { character in
    switch character {
    case "%": "%25"
    case "?": "%3F"
    case "#": "%23"
    default: String(character)
    }
  }.joined()
}
