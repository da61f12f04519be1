package import OxbowFoundation
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

/// A store in a SQLite database.
///
/// Several stores of one process may share a database (see `DatabaseRegistry`). What a store knows
/// of the file's schema is checked in every transaction: a save compares `PRAGMA schema_version`
/// before it writes, and a read finds out by the statements that SQLite prepares anew.
///
/// A store can move to another file while it is used (``move(to:overwriting:_:)``), so each call
/// asks for its database once (``using(_:)``).
package final class SQLiteStore: PersistentStore {
  package let identifier: UUID
  package let model: CompiledModel

  /// What of the model the store keeps.
  let part: ModelPart

  /// How it was opened.
  let options: SQLiteStoreOptions

  /// What its file keeps about itself.
  let bookkeeping: any StoreBookkeeping

  private let place: Lock<Place>
  private let condition = Lock(Condition.open)

  /// The reader of the only moment that the store reads, if it is a pinned view.
  let view: PinnedReader<Connection>?

  /// The scope of the test that it was opened in, if its database is lent.
  let scope: StoreScope?

  /// From how many bytes on a value of an attribute that allows it is in a file.
  let externalStorageThreshold: Int

  /// What keeps the objects of a store that has them in memory only.
  let keeper: AtomicKeeper?

  /// Who waits for the saves of others.
  let saveWatch = SaveWatch()

  /// The database that the store is in now.
  var database: Database { place.withLock { $0.database } }

  /// The database file, `:memory:`, or the temporary file.
  package var path: String { keeper?.name ?? database.path }

  /// The database that the store is in, what is known of it, and what becomes of it in the end.
  private struct Place {
    let database: Database
    var state: StoreState
    /// `nil` when the store is closed.
    var ending: Ending?
  }

  /// What becomes of a database when the last store has left it.
  enum Ending: Sendable {
    case release
    case close
    /// The directory of a temporary store.
    case remove(String)
    /// The reader of a view; the database is that of another store.
    case unpin(PinnedReader<Connection>)
    /// What keeps the objects.
    case letGo(AtomicKeeper)
  }

  private enum Condition {
    case open
    case migrated
    case closed
  }

  package var isReadOnly: Bool {
    view != nil || database.configuration.isReadOnly || keeper?.isReadOnly == true
  }

  package var commitsFirst: Bool { keeper != nil }

  package var keepsReservedKeys: Bool { bookkeeping.keepsReservedKeys }

  package var workThreads: Int { options.workThreads }

  /// Opens a store, creating it when the options say so and there is none.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable`, `notAStore`, `storeLocked`,
  ///   `modelMismatch`…
  package init(
    _ model: CompiledModel, part: ModelPart? = nil, at location: StoreLocation,
    options: SQLiteStoreOptions = .init()
  ) throws(PersistenceError) {
    self.model = model
    let part = part ?? ModelPart(whole: model)
    self.part = part
    view = nil
    externalStorageThreshold = max(0, options.externalStorageThreshold)
    self.options = options
    let (database, ending): (Database, Ending)
    do { (database, ending) = try Self.database(location, options, part) } catch {
      throw PersistenceError(error, "opening")
    }
    if case .letGo(let found) = ending { keeper = found } else { keeper = nil }
    do {
      scope = try database.currentScope()
      if let keeper, options.history != .off {
        throw PersistenceError.noHistoryOfAtomicStores(keeper.name)
      }
      let loaded = try keeper?.load(part, createsStore: options.createsStore)
      let state: StoreState
      (bookkeeping, state) = try Self.open(
        database, model, part, keeper == nil ? options : options.ofMemory)
      if let loaded { try keeper?.fill(database, state.mapping, loaded) }
      identifier = loaded?.metadata.identifier ?? bookkeeping.identifier
      place = Lock(Place(database: database, state: state, ending: ending))
      // Looking takes a reader, which is not opened without need.
      if state.searchPlan != nil { catchUpWithOthers() }
    } catch {
      Self.end(database, ending)
      throw PersistenceError(error, "opening")
    }
  }

  /// Another store's objects: at the moment that `reader` reads, or in the scope of a test.
  init(
    _ store: SQLiteStore, _ database: Database, _ state: StoreState,
    through reader: PinnedReader<Connection>? = nil, in scope: StoreScope? = nil
  ) {
    identifier = scope?.identifier ?? store.identifier
    (model, part, options) = (store.model, store.part, store.options)
    bookkeeping = store.bookkeeping
    externalStorageThreshold = store.externalStorageThreshold
    (view, keeper, self.scope) = (reader, nil, scope)
    let ending = reader.map(Ending.unpin) ?? .release
    place = Lock(Place(database: database, state: state, ending: ending))
  }

  deinit { close() }

  package func close() {
    condition.withLock { $0 = .closed }
    let last = place.withLock { place in
      defer { place.ending = nil }
      return place
    }
    guard let ending = last.ending else { return }
    Self.end(last.database, ending)
    saveWatch.end()
  }

  static func end(_ database: Database, _ ending: Ending) {
    switch ending {
    case .release: DatabaseRegistry.release(database)
    case .unpin(let reader): database.release(reader)
    case .close: database.close()
    case .letGo(let keeper):
      database.close()
      keeper.close()
    case .remove(let directory):
      database.close()
      remove(database.path, directory)
    }
  }

  /// Removes the files of a temporary store.
  static func remove(_ path: String, _ directory: String) {
    System.removeDatabase(path)
    ExternalFolder(ofStore: path).removeAll()
    System.removeDirectory(directory)
  }

  /// Takes over the directory of a temporary store, which is no longer removed when it is closed;
  /// `nil` for another store.
  func takeDirectory() -> String? {
    place.withLock { place in
      guard case .remove(let directory)? = place.ending else { return nil }
      place.ending = nil
      return directory
    }
  }
}

// MARK: - Opening

extension SQLiteStore {
  private static func database(
    _ location: StoreLocation, _ options: SQLiteStoreOptions, _ part: ModelPart
  ) throws -> (Database, Ending) {
    try requireFile(location, options)
    switch location {
    case .file(let path):
      if options.layout == .coreData, options.createsStore, !options.isReadOnly {
        try makeForCoreData(path, options, part)
      }
      if !options.createsStore, System.fileID(path) == nil {
        throw DatabaseRegistry.Unreachable.missing(path)
      }
      if options.isReadOnly { try DatabaseRegistry.refuseLent(path, "opened read-only") }
      return (try file(path, options, part), .release)
    case .inMemory:
      return (try Database.inMemory(options.configuration), .close)
    case .atomic(let store):
      let database = try Database.inMemory(options.configuration)
      return (database, .letGo(try AtomicKeeper(store, isReadOnly: options.isReadOnly)))
    case .temporary:
      guard let directory = System.makeTemporaryDirectory() else {
        throw DatabaseRegistry.Unreachable(
          path: "temporary store", reason: "the temporary directory is not writable; set TMPDIR")
      }
      do {
        var configuration = options.configuration
        configuration.synchronous = .off
        configuration.usesLockFile = false
        return (
          try Database(path: directory + "/store.sqlite", configuration: configuration),
          .remove(directory)
        )
      } catch {
        System.removeDirectory(directory)
        throw error
      }
    }
  }

  /// Refuses Core Data's layout for a store that is not in a file.
  private static func requireFile(
    _ location: StoreLocation, _ options: SQLiteStoreOptions
  ) throws(PersistenceError) {
    if case .file = location { return }
    guard options.layout == .coreData else { return }
    throw PersistenceError(
      .unsupported,
      "only a store in a file is made in Core Data's layout; give a path, or leave 'layout' as it is"
    )
  }

  /// Opens the database of a file; what is in it decides how.
  ///
  /// `session` is that of an opening that goes on in another file.
  static func file(
    _ path: String, _ options: SQLiteStoreOptions, _ part: ModelPart, session: UUID = UUID()
  ) throws -> Database {
    var configuration = options.configuration
    configuration.session = session
    guard !(options.isReadOnly && options.leavesNoTrace) else {
      configuration.leavesNoTrace = true
      configuration.usesLockFile = System.fileID(System.realPath(path) + "-lock") != nil
      return try DatabaseRegistry.acquire(path, configuration)
    }
    configuration.examine = { connection in
      let contents = try StoreMetadata.read(connection, withColumns: false)
      try refuseOthers(contents, options, connection.path)
      guard case .coreData(let tables) = contents else { return }
      if !options.isReadOnly { try tables.requireWritable(part, options, connection) }
      throw IsOfCoreData(hasLog: connection.headerAsksForLog == true)
    }
    do { return try DatabaseRegistry.acquire(path, configuration) } catch let found as IsOfCoreData
    {
      configuration.examine = nil
      if options.isReadOnly {
        (configuration.leavesNoTrace, configuration.usesLockFile) = (true, false)
      } else {
        (configuration.usesWriteAheadLog, configuration.removesLockFile) = (found.hasLog, true)
      }
      return try DatabaseRegistry.acquire(path, configuration)
    }
  }

  /// A file was found to be a store of Core Data, before anything was made beside it.
  private struct IsOfCoreData: Error {
    /// Its journal mode, which stays as it is.
    let hasLog: Bool
  }

  static func open(
    _ database: Database, _ model: CompiledModel, _ part: ModelPart,
    _ options: SQLiteStoreOptions
  ) throws -> (any StoreBookkeeping, StoreState) {
    var contents = try database.readFirst { connection in
      try connection.transaction(.read) { try StoreMetadata.read(connection) }
    }
    try refuseOthers(contents, options, database.path)
    if case .empty = contents { contents = try create(database, model, part) }
    switch contents {
    case .store(let metadata):
      return try open(database, model, part, PlainBookkeeping(metadata: metadata), options)
    case .coreData(let tables):
      let bookkeeping = try CoreDataBookkeeping(tables, database.path)
      return try open(database, model, part, bookkeeping, options)
    case .foreign(let tables): throw PersistenceError.foreignDatabase(tables, database.path)
    case .empty: throw emptyDatabase(database.path)
    }
  }

  private static func open(
    _ database: Database, _ model: CompiledModel, _ part: ModelPart,
    _ bookkeeping: any StoreBookkeeping, _ options: SQLiteStoreOptions
  ) throws -> (any StoreBookkeeping, StoreState) {
    try bookkeeping.check(model, part, database.path, isReadOnly: options.isReadOnly)
    let mapping = try bookkeeping.mapping(of: model, part, database.path)
    if !options.isReadOnly { try bookkeeping.prepare(database, mapping, part, options) }
    let isMade = mapping.layout == CoreDataLayout.name
    let known = isMade ? TableDeclarations(madeInto: mapping) : nil
    let state = try database.readFirst { connection in
      try connection.transaction(.read) { try prove(mapping, options, connection, known: known) }
    }
    if options.followsOtherProcesses, state.history == nil {
      throw PersistenceError.nothingToFollow(database.path)
    }
    if !options.isReadOnly, state.externalColumns != nil { database.tidyFiles() }
    return (bookkeeping, state)
  }

  /// Refuses a file that holds something else, or nothing where no store may be created.
  private static func refuseOthers(
    _ contents: DatabaseContents, _ options: SQLiteStoreOptions, _ path: String
  ) throws {
    switch contents {
    case .store, .coreData: break
    case .foreign(let tables): throw PersistenceError.foreignDatabase(tables, path)
    case .empty:
      guard options.createsStore, !options.isReadOnly else { throw emptyDatabase(path) }
      guard options.layout == .plain else {
        throw PersistenceError(
          .notAStore,
          "the database '\(path)' is empty, and a store of Core Data is made where there is nothing; "
            + "remove it, or choose another path")
      }
    }
  }

  private static func emptyDatabase(_ path: String) -> PersistenceError {
    PersistenceError(
      .notAStore, "the database '\(path)' is empty, and opening it does not create a store")
  }

  // Two processes may find the file empty: the second to write finds the first one's store.
  private static func create(
    _ database: Database, _ model: CompiledModel, _ part: ModelPart
  ) throws -> DatabaseContents {
    try database.write { connection in
      try connection.transaction(.write) {
        if case .empty = try StoreMetadata.read(connection) { try create(model, part, connection) }
        return try StoreMetadata.read(connection)
      }
    }
  }

  /// Makes the tables of a new store.
  @discardableResult
  static func create(
    _ model: CompiledModel, _ part: ModelPart, _ connection: Connection
  ) throws -> StoreMapping {
    let mapping = PlainLayout.mapping(of: model, part: part)
    try connection.requireBoxes(mapping.tables)
    try StoreMetadata.create(connection)
    try connection.create(mapping.tables)
    try StoreMetadata.setModel(ModelRecord(new: mapping, part), connection)
    return mapping
  }

  static func prove(
    _ mapping: StoreMapping, _ options: SQLiteStoreOptions, _ connection: Connection,
    known: TableDeclarations? = nil
  ) throws -> StoreState {
    // First: what is changed while the rest is read is found by the version, and read again.
    let version = try connection.integer("PRAGMA schema_version") ?? 0
    let declarations = try known ?? TableDeclarations(mapping, connection)
    let missing = declarations.missing(mapping)
    guard missing.isEmpty else {
      throw PersistenceError(
        .notAStore,
        "the store '\(connection.path)' lacks what its model needs: "
          + "\(PersistenceError.listed(missing)); another program changed its tables: restore a "
          + "backup")
    }
    if !options.isReadOnly { try connection.requireBoxes(mapping.tables) }
    return StoreState(
      mapping: mapping, declarations: declarations, schemaVersion: version,
      hasFiles: try connection.hasFiles(), hasHistory: try connection.hasHistory(),
      history: try connection.historyPlan(options.history, mapping),
      searchPlan: try connection.searchPlan(mapping), boxes: try connection.boxPlan(mapping))
  }
}

// MARK: - The place

extension SQLiteStore {
  /// Uses the database that the store is in; again when the store has moved before `body` began.
  ///
  /// `body` throws `Database.Closed` before it does anything when the store has left the database:
  /// a write has it checked (``requirePlace(_:)``), because other stores of the
  /// process may keep the former database open.
  func using<R>(_ body: (Database) throws -> R) throws -> R {
    while true {
      let database = self.database
      do { return try body(database) } catch let error as Database.Closed {
        guard database !== self.database else { throw error }
      }
    }
  }

  /// Refuses to change a database that the store has left; others may have it open.
  func requirePlace(_ database: Database) throws {
    guard database === self.database, condition.withLock({ $0 != .closed }) else {
      throw Database.Closed(path: database.path)
    }
    try scope?.require()
  }

  /// Goes on in another database.
  ///
  /// - Returns: What becomes of the former one.
  /// - Throws: `Database.Closed` when the store was closed meanwhile.
  func settle(in database: Database, _ state: StoreState) throws -> Ending {
    try place.withLock { place in
      guard let former = place.ending else { throw Database.Closed(path: place.database.path) }
      place = Place(database: database, state: state, ending: .release)
      return former
    }
  }
}

// MARK: - The schema's version

extension SQLiteStore {
  /// Compares the file's schema version with what the store knows, inside a transaction or not.
  ///
  /// - Throws: ``PersistenceError`` with `storeWasMigrated` when the store's model is another now.
  func checkSchema(_ connection: Connection) throws -> StoreState {
    let known = try current()
    let version = try connection.withStatement(.schemaVersion) { statement in
      try statement.step() ? statement.integer(at: 0) : 0
    }
    connection.knownSchemaVersion = version
    guard version != known.schemaVersion else { return known }
    guard try bookkeeping.isCurrent(part, connection) else {
      condition.withLock { if $0 == .open { $0 = .migrated } }
      throw migrated()
    }
    let proved = try Self.prove(known.mapping, options, connection)
    connection.knownSchemaVersion = proved.schemaVersion
    // A read may be under way where the store was before it moved.
    place.withLock { if $0.database.path == connection.path { $0.state = proved } }
    return proved
  }

  /// What the store knows now.
  ///
  /// - Throws: ``PersistenceError`` with `storeClosed` or `storeWasMigrated`.
  func current() throws -> StoreState {
    try scope?.require()
    switch condition.withLock({ $0 }) {
    case .open: return place.withLock { $0.state }
    case .migrated: throw migrated()
    case .closed: throw Database.Closed(path: path)
    }
  }

  private func migrated() -> PersistenceError {
    PersistenceError(
      .storeWasMigrated,
      "the model of the store '\(path)' was changed by a migration while it was open here; nothing "
        + "was changed by this call: close it, and open it with the new model")
  }
}
