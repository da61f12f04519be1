package import OxbowModel
package import OxbowRelational

/// A description of a store, without opening it for a model.
package struct StoreInspection: Sendable {
  package var path: String
  package var state: MigrationState

  /// The rows of each entity; `nil` where the store keeps no model that distinguishes entities.
  package var entityRows: [String: Int]?

  /// The tables that are not Oxbow's own, with their rows.
  package var tables: [(name: String, rows: Int)]
  package var journalMode: String
  package var pageSize: Int
  package var pageCount: Int
  package var schemaVersion: Int
  package var logBytes: Int

  /// The files of large values beside the store, and their bytes.
  package var files: (count: Int, bytes: Int)
  package var library: LibraryVersion

  /// The other processes that have the store open.
  package var holders: [LockFile.Holder]

  /// Looks at the store at a path, reading only.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable`, `notAStore`…
  package init(path: String) throws(PersistenceError) {
    self = try Self.look(path) { path in
      try ReadOnlyProbe.read(path, busyMilliseconds: 5000) { connection in
        try Self(connection, path: path)
      }
    }
  }

  /// What a store says of its model, read without a trace beside it.
  static func state(path: String) throws(PersistenceError) -> MigrationState {
    try look(path) { path in
      try UntouchedFile.read(path) { connection in try state(connection, path: path) }
    }
  }

  private static func look<R>(
    _ path: String, _ body: (String) throws -> R
  ) throws(PersistenceError) -> R {
    do {
      let path = System.realPath(path)
      guard System.fileID(path) != nil else { throw DatabaseRegistry.Unreachable.missing(path) }
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      return try body(path)
    } catch { throw PersistenceError(error, "reading") }
  }

  private static func state(_ connection: Connection, path: String) throws -> MigrationState {
    if let state = try MigratedStore(connection).state() { return state }
    throw PersistenceError(
      .notAStore, "'\(path)' is an empty database and no store yet; check the path")
  }

  private init(_ connection: Connection, path: String) throws {
    self.path = path
    state = try Self.state(connection, path: path)
    journalMode = try connection.journalModeOfHeader()
    tables = try connection.tableNames()
      .filter { !$0.hasPrefix(MetadataTables.prefix) }
      .map { ($0, Int(try connection.integer("SELECT count(*) FROM \(quoted($0))") ?? 0)) }
    entityRows = try Self.entityRows(state, connection)
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
    pageCount = Int(try connection.integer("PRAGMA page_count") ?? 0)
    schemaVersion = Int(try connection.integer("PRAGMA schema_version") ?? 0)
    logBytes = System.size(path + "-wal") ?? 0
    files = try connection.fileTotals()
    library = LibraryVersion.current
    holders = Self.holders(path)
  }

  /// Counts by entity, with the model that the store keeps.
  private static func entityRows(
    _ state: MigrationState, _ connection: Connection
  ) throws -> [String: Int]? {
    guard let mapping = mapping(of: state) else { return nil }
    var rows: [String: Int] = [:]
    for entity in mapping.model.entities where !entity.isAbstract {
      let table = mapping.entities[entity.index]
      let condition = table.typeColumn.map { " WHERE \(quoted($0)) = \(table.number)" } ?? ""
      // "migrate status" reports a missing table; here it has no rows.
      rows[entity.name] =
        (try? connection.integer("SELECT count(*) FROM \(quoted(table.table))\(condition)"))
        .flatMap { $0.map { Int($0) } } ?? 0
    }
    return rows
  }

  /// The tables of the model that a store keeps; `nil` when it keeps none that can be read.
  static func mapping(of state: MigrationState?) -> StoreMapping? {
    guard let state, let text = state.model,
      let model = try? ModelDocument(Array(text.utf8), file: "the store's own model").model,
      model.versionHash == state.modelHash, let compiled = try? CompiledModel(model)
    else { return nil }
    let numbers = Dictionary(
      state.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    return PlainLayout.mapping(
      of: compiled, numbers: compiled.entities.map { numbers[$0.name] ?? 0 })
  }

  // Taking part for a moment is how others are seen; without a lock file there are none.
  private static func holders(_ path: String) -> [LockFile.Holder] {
    guard System.fileID(path + "-lock") != nil else { return [] }
    do {
      let lock = try LockFile(besideStore: path, usage: .shared, milliseconds: 0)
      defer { lock.close() }
      return lock.others()
    } catch let error as LockFile.Unavailable {
      return error.holders
    } catch { return [] }
  }
}
