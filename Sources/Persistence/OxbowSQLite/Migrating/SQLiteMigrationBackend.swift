internal import OxbowModel
package import OxbowRelational

/// Reads and changes the tables of a store in a SQLite database.
///
/// A change takes the store's lock file for itself first, then a connection of its own with foreign
/// keys off (inside a transaction that switch does nothing, and dropping a table would empty those
/// that refer to it), then a write transaction. The lock ends with the process.
package struct SQLiteMigrationBackend: MigrationBackend, Sendable {
  package let path: String

  private let busyMilliseconds: Int
  private let sharesStore: Bool
  private let interruption: (@Sendable () -> Bool)?

  /// Names a store to migrate.
  ///
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - busyMilliseconds: How long to wait for others.
  ///   - sharesStore: Whether other processes may have the store open; they learn at their next
  ///     save that it was migrated.
  ///   - interruption: Says whether the program was asked to stop. A statement that runs then is
  ///     stopped, and its transaction rolled back.
  package init(
    path: String, busyMilliseconds: Int = 5000, sharesStore: Bool = false,
    interruption: (@Sendable () -> Bool)? = nil
  ) {
    self.interruption = interruption
    // The path of a file, also of one that is not there yet: never a database in memory.
    self.path = path == ":memory:" ? "./" + path : System.realPath(path)
    self.busyMilliseconds = busyMilliseconds
    self.sharesStore = sharesStore
  }

  package var store: String { path }

  package var engine: String { "SQLite \(LibraryVersion.current)" }

  package var isInterrupted: Bool { interruption?() == true }

  private var isPresent: Bool { (System.size(path) ?? 0) > 0 }

  package func state() throws -> MigrationState? { try read { try $0.state() } }

  package func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R {
    do {
      try requireFile()
      guard isPresent else { return try body(NoStore()) }
      return try ReadOnlyProbe.read(path, busyMilliseconds: busyMilliseconds) {
        try body(MigratedStore($0))
      }
    } catch { throw readingFailure(error) }
  }

  /// The words for what went wrong while nothing was written.
  func readingFailure(_ error: any Error) -> PersistenceError {
    let failure = PersistenceError(error, "reading")
    return failure.code == .storeFull ? self.failure(error, isOpen: false) : failure
  }

  package func statements(of migration: TableMigration) -> [MigrationOperation] {
    TableChangePlan(migration).operations
  }

  package func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R {
    try Waiting.stopping(when: interruption) { try lockedFromOthers(body) }
  }

  private func lockedFromOthers<R>(_ body: (any MigrationSession) throws -> R) throws -> R {
    var isOpen = false
    do {
      try requireFile()
      try DatabaseRegistry.refuseLent(path, "migrated")
      let lock = try LockFile.current(
        besideStore: path, usage: sharesStore ? .shared : .alone,
        milliseconds: busyMilliseconds)
      defer { lock.close() }
      let existed = System.fileID(path) != nil
      // Without the lock the file would be another program's.
      defer { if !existed, !sharesStore || lock.others().isEmpty { removeEmptyFile() } }
      let session = try SQLiteMigrationSession(
        path: path, busyMilliseconds: busyMilliseconds,
        writeLock: sharesStore ? lock : nil, interruption: interruption)
      defer { session.close() }
      isOpen = true
      return try body(session)
    } catch { throw failure(error, isOpen: isOpen) }
  }

  /// The words for what went wrong; those of a save would give wrong advice.
  private func failure(_ error: any Error, isOpen: Bool) -> PersistenceError {
    let failure = PersistenceError(error, "migrating")
    let advice: String
    switch failure.code {
    case .storeFull: advice = "the disk of the store is full; free space"
    case .ioFailure:
      advice =
        "reading or writing the file of the store '\(path)' failed, and what was under way was "
        + "rolled back; check the disk and the file system"
    case .storeUnreachable where isOpen:
      advice =
        "a file of the store '\(path)' could not be opened, and what was under way was rolled back; "
        + "check that its folder is there and that this user may read and write it"
    case .storeReadOnly:
      advice =
        "the store cannot be changed: the file's permissions or its medium forbid it; see to them"
    default: return failure
    }
    return PersistenceError(
      failure.code,
      "\(advice), and run the migration again: it continues from what is there",
      details: failure.details)
  }

  /// Refuses what cannot be a store: opening a pipe would wait for ever.
  private func requireFile() throws {
    if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
    if let link = DatabaseRegistry.Unreachable.danglingLink(path) { throw link }
  }

  /// A migration that was refused leaves no file where there was none.
  private func removeEmptyFile() {
    if System.size(path) == 0 { System.remove(path) }
  }
}

/// What is there before there is a store.
private struct NoStore: MigrationReading {
  func state() throws -> MigrationState? { nil }
  func mark() throws -> MigrationMark? { nil }
  func count(_ condition: DataCheck.Condition) throws -> Int { 0 }
  func rowCount(of table: String) throws -> Int? { nil }
  func bytesByTable() throws -> [String: Int] { [:] }
  func takenNames(_ migration: TableMigration) throws -> [String] { [] }
  func differences(from tables: [TableSchema]) throws -> [String] {
    tables.map { "table '\($0.name)' is missing" }
  }
  func contents(leavingOut columns: [String: Set<String>]) throws -> [String: TableContents] {
    [:]
  }
}
