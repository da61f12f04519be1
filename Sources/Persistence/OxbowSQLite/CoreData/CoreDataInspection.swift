internal import OxbowCoreData
internal import OxbowDocuments
package import OxbowModel
internal import OxbowRelational

/// A description of a store that Core Data wrote; reading it leaves no trace.
package struct CoreDataInspection: Sendable {
  /// An entity of the store.
  package struct Entity: Sendable {
    package var name: String
    package var number: Int64

    /// The name in `Z_PRIMARYKEY`, where a migration left the one before.
    package var storedName: String

    /// The objects, without those of entities that inherit from it; `nil` if there is no table.
    package var rows: Int?

    /// The version hash in the metadata.
    package var hash: [UInt8]?
  }

  package var path: String
  package var identifier: String
  private var properties: StoreProperties
  package var entities: [Entity]
  package var journalMode: String
  package var bytes: Int
  package var logBytes: Int

  /// The saves and changes of its history; `nil` if it keeps none.
  package var history: (saves: Int, changes: Int)?
  package var isMirrored: Bool

  /// The files of large values beside the store, and their bytes.
  package var files: (count: Int, bytes: Int)

  /// What other programs did to it that Core Data does not do.
  package var notes: [String] = []

  /// The model that the store keeps; `nil` in stores of before 2014 or so.
  private var kept: Result<ModelDocument?, PersistenceError>?

  /// Looks at the store at a path; `nil` for a database of something else.
  ///
  /// - Throws: ``PersistenceError``: `storeUnreachable`, `notAStore`, `storeCorrupt`…
  package static func at(_ path: String) throws(PersistenceError) -> CoreDataInspection? {
    try reading(path) { try CoreDataInspection($0, $1, $2) }
  }

  /// Reads the store at a path, whose tables and real path `body` is given; `nil` for a database of
  /// something else.
  ///
  /// - Throws: ``PersistenceError`` as ``at(_:)``.
  static func reading<R>(
    _ path: String, withColumns: Bool = true,
    _ body: (Connection, CoreDataTables, String) throws -> R
  ) throws(PersistenceError) -> R? {
    do {
      let path = System.realPath(path)
      guard System.fileID(path) != nil else { throw DatabaseRegistry.Unreachable.missing(path) }
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      return try refusingOtherStores(path) {
        try UntouchedFile.read(path) { connection in
          guard let tables = try CoreDataTables.read(connection, withColumns: withColumns)
          else { return nil }
          return try body(connection, tables, path)
        }
      }
    } catch { throw PersistenceError(error, "reading") }
  }

  /// Looks into the file only where SQLite does not take it for a database: closing a descriptor of
  /// one would drop the locks that this process has on it.
  private static func refusingOtherStores<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError
      where error.code.primary == .notADatabase
    { throw PersistenceError.otherStore(path) ?? error }
  }

  private init(_ connection: Connection, _ tables: CoreDataTables, _ path: String) throws {
    self.path = path
    identifier = tables.identifier
    properties = try StoreProperties(of: tables, path)
    journalMode = try connection.journalModeOfHeader()
    bytes = System.size(path) ?? 0
    logBytes = System.size(path + "-wal") ?? 0
    history = try tables.history(connection)
    isMirrored = tables.isMirrored
    files = Self.files(of: path)
    entities = []
    let read = Result { [properties] () throws(PersistenceError) in
      try tables.keptModel(properties, path)
    }
    kept = tables.model == nil ? nil : read.map { $0 }
    try readEntities(tables, connection)
  }

  private static func files(of path: String) -> (count: Int, bytes: Int) {
    let folder = CoreDataFolder(ofStore: path).path
    let names = System.names(in: folder).filter { !$0.hasPrefix(".") }
    return (names.count, names.reduce(0) { $0 + (System.size("\(folder)/\($1)") ?? 0) })
  }
}

// MARK: - Entities

extension CoreDataInspection {
  private mutating func readEntities(
    _ tables: CoreDataTables, _ connection: Connection
  ) throws {
    // Without the model, or with a damaged one, entities have the names that the store has.
    let model = (try? model)?.model
    for entity in tables.entities {
      let name = Self.name(of: entity, in: model)
      entities.append(
        Entity(
          name: name, number: entity.number, storedName: entity.name,
          hash: properties.hashes[name]))
    }
    for (index, root) in tables.entities.enumerated() where root.parent == 0 {
      guard let table = tables.table(of: root, named: entities[index].name) else {
        notes.append("the entity '\(root.name)' has no table")
        continue
      }
      checkKey(of: table, tables)
      let rows = try tables.rows(of: root, in: table, connection)
      for place in entities.indices
      where Self.root(of: tables.entities[place], tables) == root.number {
        entities[place].rows = rows[entities[place].number] ?? 0
      }
    }
  }

  /// The name that the model has for an entity: a migration leaves the one before in the store.
  private static func name(
    of entity: CoreDataTables.Entity, in model: ManagedObjectModel?
  ) -> String {
    guard let model, model.entity(named: entity.name) == nil else { return entity.name }
    return model.entities.first { $0.renamingIdentifier == entity.name }?.name ?? entity.name
  }

  private static func root(
    of entity: CoreDataTables.Entity, _ tables: CoreDataTables
  ) -> Int64 {
    var current = entity
    for _ in tables.entities {
      guard let parent = tables.entities.first(where: { $0.number == current.parent }) else {
        break
      }
      current = parent
    }
    return current.number
  }

  /// Notes a table that another tool has made anew: every value in it may be text.
  private mutating func checkKey(of table: String, _ tables: CoreDataTables) {
    let schema = tables.schemas.first { $0.name == table }
    if let damage = schema?.keyDamage { notes.append(damage) }
  }
}

// MARK: - The metadata

extension CoreDataInspection {
  /// The version of the framework that wrote the store last; 0 if the store does not say it.
  package var frameworkVersion: Int { properties.frameworkVersion }

  /// The identifiers that the model's author gave the version.
  package var versionIdentifiers: [String] { properties.versionIdentifiers }

  /// The version hashes of the entities, by name.
  package var hashes: [String: [UInt8]] { properties.hashes }

  /// The keys that the app has put beside Core Data's own.
  package var ownKeys: [String] { properties.ownKeys }

  /// Whether the model that the store keeps has the version hashes that the store says; `nil` if it
  /// keeps none.
  package func comparison() throws(PersistenceError) -> CoreDataComparison? {
    try model.map { (document) throws(PersistenceError) in
      CoreDataComparison(try CoreDataHashes(of: document), stored: hashes)
    }
  }
}

// MARK: - The model

extension CoreDataInspection {
  /// The document of the model that the store keeps; `nil` if it keeps none.
  ///
  /// - Throws: ``PersistenceError`` with code `storeCorrupt` for a damaged archive, with its place;
  ///   `invalidModel` for a model that contradicts itself.
  package var model: ModelDocument? {
    get throws(PersistenceError) { try kept?.get() ?? nil }
  }

  /// Whether the store keeps its model.
  package var keepsModel: Bool { kept != nil }

  /// Returns the document of the model that the store keeps, or says where else it is.
  package func requireModel() throws(PersistenceError) -> ModelDocument {
    if let model = try model { return model }
    throw PersistenceError.keepsNoModel(path, properties)
  }
}

extension PersistenceError {
  static func keepsNoModel(_ path: String, _ properties: StoreProperties) -> PersistenceError {
    let ours =
      properties.frameworkVersion == NewStoreProperties.frameworkVersion
      ? ", or Oxbow, which writes that version and keeps no model" : ""
    return PersistenceError(
      .unsupported,
      "the store '\(path)' does not keep its model: frameworks before version 637, of 2015, did not "
        + "write it, and version \(properties.frameworkVersion) wrote this one\(ours); give the model "
        + "of the app, an .xcdatamodeld or .momd folder")
  }

  /// Runs `body`; what cannot be read is damage of a store.
  static func inStore<Value>(
    _ path: String, _ part: String, _ body: () throws(DocumentError) -> Value
  ) throws(PersistenceError) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw PersistenceError(
        .storeCorrupt, "the \(part) of the store '\(path)' cannot be read: \(error.message)",
        at: error.location)
    }
  }

  /// Refuses the kinds of stores of Core Data that are not databases; `nil` for any other file.
  fileprivate static func otherStore(_ path: String) -> PersistenceError? {
    let beginning = String(decoding: DocumentFile.beginning(of: path, count: 512), as: UTF8.self)
    let isXML = beginning.hasPrefix("<?xml") && beginning.contains("CoreData.dtd")
    guard isXML || beginning.hasPrefix("bplist") else { return nil }
    return PersistenceError(
      .notAStore,
      "'\(path)' is \(isXML ? "an XML store of Core Data" : "a property list") and not a database; "
        + "export it as a SQLite store with the app that wrote it")
  }
}
