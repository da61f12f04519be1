package import Logging
internal import OxbowFoundation
internal import OxbowPlatform
internal import OxbowRelational
internal import OxbowStore
internal import Synchronization

/// The connections of one database, shared by all stores of this process that have it open.
///
/// Either one writer and a pool of readers over a write-ahead log, or, where there is no log (in
/// memory, rollback journal, read-only media), one connection behind a fair lock.
///
/// Locking order: the writer's fair lock, then the lock file's write byte, then SQLite's own locks.
/// A reader takes none of them but SQLite's.
package final class Database: Sendable {
  /// How a database is opened.
  package struct Configuration: Sendable {
    package var isReadOnly = false
    package var synchronous = Synchronous.full
    package var busyMilliseconds = 5000
    package var maximumReaders = 8
    package var maximumPinnedReaders = 4
    package var maximumBytes: Int?
    package var usesWriteAheadLog = true
    package var usesLockFile = true
    /// Whether the last process that has the database open removes the lock file: it is another
    /// program's, and nothing of ours stays beside it.
    package var removesLockFile = false
    /// Whether it is another program's, beside which no file is made, changed or removed.
    package var leavesNoTrace = false
    package var mapsFiles = false
    package var showsValues = false
    /// Where the connections write their statements; see `StatementLog`.
    package var logger: Logger?
    package var slowStatementMilliseconds: Int?
    /// The log's pages after which the writer copies them into the database.
    package var checkpointPages = 1000
    /// What counts the statements of all connections.
    var counters: StatementCounters?
    /// Tells this opening of the file from others, in its history.
    var session = UUID()

    /// Looks at a file's contents before anything is made of it or beside it, and throws when it is
    /// not to be opened.
    package var examine: (@Sendable (Connection) throws -> Void)?

    package init() {}
  }

  /// The database was closed.
  struct Closed: Error, Hashable, Sendable {
    let path: String
  }

  /// The file can only be read, and writing was asked for.
  struct WriteRefused: Error, Hashable, Sendable {
    let path: String
  }

  /// The path has another file by now, or none.
  struct FileReplaced: Error, Hashable, Sendable {
    let path: String
    let isRemoved: Bool
  }

  /// While the opening waited for others, the path got another file than the one that was found.
  struct Overtaken: Error, Hashable, Sendable {
    let path: String
  }

  /// A program ended in the middle of a transaction, and this one may not undo it.
  struct RecoveryRefused: Error, Hashable, Sendable {
    let path: String
  }

  /// Reading needs files beside the store that cannot be made, and others may write the store.
  struct ReadingRefused: Error, Hashable, Sendable {
    let path: String
  }

  /// The file's path without links, or `:memory:`.
  package let path: String

  package let configuration: Configuration

  /// The journal mode that SQLite reports, like `wal`, `delete` or `memory`.
  package let journalMode: String

  let lockFile: LockFile?

  /// What it is registered by, when it is.
  let key: DatabaseKey?

  /// The file that was opened; `nil` in memory.
  private let file: System.FileID?

  /// The log that SQLite has open since the first write; it has its place until the last
  /// connection closes.
  private let log = Lock<System.FileID?>(nil)

  private let primary: Connection
  private let turns = FairLock()
  let commits = CommitQueue()
  private let readers: (any Readers)?
  private let pinnedReaders: PinnedReaders<Connection>
  private let readerConfiguration: Connection.Configuration?
  private let looker = Lock<Connection?>(nil)
  private let longRead = Lock(())
  private let isOpen = Lock(true)

  /// Tells this opening of the file from others, in its history.
  var session: UUID { configuration.session }

  /// The scope that has it, or had it last, where it is lent.
  let lending = Lock<StoreScope?>(nil)

  /// When its history was last kept within its limits.
  let historyUpkeep = HistoryUpkeep()

  /// Who works as a consumer of its history in this process.
  let historyOwners = HistoryOwners()

  /// When its search indexes have to catch up.
  let searchUpkeep = SearchUpkeep()

  /// How often a program that counts no saves was noticed.
  let foreignChanges = Atomic(0)

  /// What all connections have done.
  let counters = StatementCounters()

  /// What becomes of files that no row refers to any more.
  let discardedFiles = DiscardedFiles()

  /// Opens a database; the file must exist, and may be empty.
  package convenience init(path: String, configuration: Configuration) throws {
    try self.init(path: path, configuration: configuration, key: nil)
  }

  init(path: String, configuration: Configuration, key: DatabaseKey?) throws {
    var configuration = configuration
    configuration.counters = counters
    self.path = path
    self.configuration = configuration
    self.key = key
    let opening = try Opening(path: path, configuration: configuration)
    if let key, System.fileID(path) != key.file {
      opening.end()
      throw Overtaken(path: path)
    }
    primary = opening.primary
    journalMode = opening.journalMode
    lockFile = opening.lockFile
    file = path == ":memory:" ? nil : key?.file ?? System.fileID(path)
    readers =
      opening.untouched
      ?? opening.readerConfiguration.map {
        ReaderPool(path: path, configuration: $0, limit: configuration.maximumReaders)
      }
    readerConfiguration = opening.readerConfiguration
    pinnedReaders = PinnedReaders(path, limit: configuration.maximumPinnedReaders)
  }

  /// A database in memory, gone when it is closed.
  package static func inMemory(_ configuration: Configuration = Configuration()) throws -> Database
  {
    var configuration = configuration
    configuration.usesLockFile = false
    configuration.usesWriteAheadLog = false
    configuration.isReadOnly = false
    configuration.synchronous = .off
    return try Database(path: ":memory:", configuration: configuration)
  }

  deinit { close() }

  /// Whether one connection does everything, so that readers and writers take turns.
  package var hasOneConnection: Bool { readers == nil }

  /// Lends a connection for reading.
  ///
  /// A single statement is a read transaction by itself. For several that must see one moment, open
  /// a transaction of kind `read`.
  package func read<R>(_ body: (Connection) throws -> R) throws -> R {
    if let readers { return try readers.withReader(body) }
    return try turns.withLock {
      try checkOpen()
      do { return try body(primary) } catch let error as SQLiteError
        where error.code == .readOnlyRollback
      {
        // Another process has died in its transaction since the file was opened.
        try Opening.rollBack(path, configuration, lockFile)
        return try body(primary)
      }
    }
  }

  /// Lends a connection for what opening has to read: the writer where it is free, so that a store
  /// that is not read yet has no reader open.
  func readFirst<R>(_ body: (Connection) throws -> R) throws -> R {
    guard readers != nil, !configuration.isReadOnly, primary.configuration.role == .writer else {
      return try read(body)
    }
    let result = try turns.withLockIfFree { () -> R? in
      try checkOpen()
      return primary.scope == nil ? try body(primary) : nil
    }
    if let result = result ?? nil { return result }
    return try read(body)
  }

  /// How many callers wait for a reader, for tests.
  package var waitingReaders: Int { readers?.waitingCount ?? 0 }

  /// Lends the connection that looks for the saves of others: always the same one.
  ///
  /// - Returns: `nil` if one connection does everything and is in use.
  func looking<R: Sendable>(_ body: (Connection) throws -> R) throws -> R? {
    guard let readerConfiguration else {
      return try turns.withLockIfFree {
        try checkOpen()
        return try body(primary)
      }
    }
    return try looker.withLock { looker in
      try checkOpen()
      let connection = try looker ?? Connection(path: path, configuration: readerConfiguration)
      looker = connection
      return try body(connection)
    }
  }

  /// Lends a connection of its own for a read that takes long, which ``close()`` interrupts.
  func readLong<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    guard let readerConfiguration else { return try read(body) }
    return try longRead.withLock { _ in
      try checkOpen()
      let connection = try Connection(path: path, configuration: readerConfiguration)
      defer { connection.close() }
      return try connection.interrupting { [isOpen] in
        !isOpen.withLock(\.self)
      } _: {
        try body(connection)
      }
    }
  }

  /// Opens a reader that keeps this moment; ``release(_:)`` ends it.
  ///
  /// - Returns: `nil` where one connection does everything.
  /// - Throws: ``Closed``; ``PersistenceError`` with code `viewEnded` if there are too many.
  func pin(_ limits: PinnedViewLimits) throws -> PinnedReader<Connection>? {
    guard let readerConfiguration else { return nil }
    return try pinned(limits) { try Connection(path: path, configuration: readerConfiguration) }
  }

  private func pinned(
    _ limits: PinnedViewLimits, _ open: () throws -> Connection
  ) throws -> PinnedReader<Connection> {
    let reader = try pinnedReaders.pin(limits) {
      let connection = try open()
      try connection.pin()
      return connection
    }
    guard let reader else { throw Closed(path: path) }
    return reader
  }

  /// Opens a reader that keeps this moment, where one connection does everything: a copy of what is
  /// in memory, and of a file a connection whose lock lets no commit through.
  func pinAlone(_ limits: PinnedViewLimits) throws -> PinnedReader<Connection> {
    // Between two transactions of this process, and after what another one has left behind.
    try read { primary in
      try checkFile()
      return try pinned(limits) {
        let connection = try Connection(path: path, configuration: primary.configuration)
        guard path == ":memory:" else { return connection }
        do { try primary.copy(into: connection) { _, _ in } } catch {
          connection.close()
          throw error
        }
        return connection
      }
    }
  }

  func release(_ reader: PinnedReader<Connection>) { pinnedReaders.release(reader) }

  /// Lends the one connection that writes, in the order of asking, while no other process writes.
  ///
  /// After `body` the writer checkpoints when the log has grown enough.
  package func write<R>(_ body: (Connection) throws -> R) throws -> R {
    try turns.withLock {
      try checkOpen()
      guard !configuration.isReadOnly else { throw WriteRefused(path: path) }
      try checkFile()
      // Their locks let no commit through.
      if hasOneConnection { pinnedReaders.enforce { 0 } }
      try lockFile?.takeWriteLock(milliseconds: configuration.busyMilliseconds)
      defer { lockFile?.releaseWriteLock() }
      let result = try settlingFiles { try body(primary) }
      if readers != nil { noteLog() }
      pinnedReaders.enforce { primary.writeAheadLogBytes }
      if primary.writeAheadLogPages >= configuration.checkpointPages { checkpointAfterCommit() }
      discardedFiles.removeIfMany(primary)
      return result
    }
  }

  private func settlingFiles<R>(_ body: () throws -> R) throws -> R {
    defer { primary.settleFiles() }
    return try body()
  }

  /// Copies the whole log into the database and empties it, as far as readers allow.
  @discardableResult
  package func checkpoint() throws -> Connection.CheckpointResult {
    try write { try $0.checkpoint(.truncate) }
  }

  // The save is durable in the log already, so a checkpoint that fails is tried again after the
  // next commit and is not a failure of the save.
  private func checkpointAfterCommit() {
    guard readers != nil else { return }
    guard primary.writeAheadLogPages >= configuration.checkpointPages * 16 else {
      _ = try? primary.checkpoint(.passive)
      return
    }
    // Readers that overlap all the time keep the log from starting again: make them wait a little.
    primary.setBusyTime(milliseconds: 100)
    _ = try? primary.checkpoint(.restart)
    primary.setBusyTime(milliseconds: configuration.busyMilliseconds)
  }

  /// Whether it is in a file.
  var isInFile: Bool { file != nil }

  /// SQLite does not look whether the file that it writes is still the one at the path, so a save
  /// would be gone with the process.
  func checkFile() throws {
    guard let file else { return }
    let now = System.fileID(path)
    guard now == file else { throw FileReplaced(path: path, isRemoved: now == nil) }
  }

  private func checkOpen() throws {
    guard isOpen.withLock({ $0 }) else { throw Closed(path: path) }
    try primary.scope?.requireTransaction(primary)
  }

  /// Makes commits wait for the medium at least as `synchronous` says.
  func raiseSynchronous(to synchronous: Synchronous) throws {
    guard synchronous > configuration.synchronous else { return }
    try turns.withLock {
      // It cannot be set in a transaction, and what is rolled back need not be durable.
      guard primary.scope == nil else { return }
      try primary.execute("PRAGMA synchronous = \(synchronous.rawValue)")
      primary.synchronous = synchronous
    }
  }

  /// Closes the readers, then the writer, which empties the log.
  package func close() {
    turns.withLock {
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      guard wasOpen else { return }
      readers?.close()
      pinnedReaders.close()
      looker.withLock { $0?.close() }
      longRead.withLock { _ in }
      if isAtItsPath { removeDiscardedFiles() }
      closePrimary()
      lockFile?.close()
    }
  }

  private var isAtItsPath: Bool { (try? checkFile()) != nil }

  // SQLite finds a log by its name: the next opening would work this one into the file that has
  // taken the place of the one it was written for.
  private func setLogAside() {
    guard System.fileID(path) != nil, hasItsLog, let size = System.size(path + "-wal") else {
      return
    }
    if size == 0 {
      System.remove(path + "-wal")
    } else {
      _ = System.rename(path + "-wal", path + "-wal.replaced")
    }
    System.remove(path + "-shm")
  }

  private var hasItsLog: Bool {
    log.withLock { $0.map { $0 == System.fileID(path + "-wal") } ?? false }
  }

  private func noteLog() {
    log.withLock { if $0 == nil { $0 = System.fileID(path + "-wal") } }
  }

  // No lock is waited for here: what is not removed now is found at the next opening. A file that
  // has taken the place may be a copy of this one, and need what this one does not.
  private func removeDiscardedFiles() {
    guard discardedFiles.arePossible, !configuration.isReadOnly else { return }
    guard let lockFile else { return discardedFiles.removeAll(primary) }
    try? lockFile.withWriteLock(milliseconds: 0) { discardedFiles.removeAll(primary) }
  }

  // SQLite checkpoints when the last connection closes: that is a write, so the lock is held. When
  // it cannot be had, the log stays for the next process.
  private func closePrimary() {
    guard let lockFile, readers != nil, !configuration.isReadOnly else { return primary.close() }
    do {
      try lockFile.withWriteLock(milliseconds: configuration.busyMilliseconds) {
        let mayLeaveLog = !isAtItsPath && hasItsLog && lockFile.becomeSole()
        if mayLeaveLog { _ = try? primary.checkpoint(.truncate) }
        primary.close()
        if mayLeaveLog { setLogAside() }
      }
    } catch {
      primary.leaveLogOnClose()
      primary.close()
    }
  }
}
