internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The bookkeeping of stores that Core Data wrote: `Z_METADATA`, `Z_PRIMARYKEY` and the model
/// inside.
struct CoreDataBookkeeping: StoreBookkeeping {
  let identifier: UUID
  private let tables: CoreDataTables
  private let properties: StoreProperties

  init(_ tables: CoreDataTables, _ path: String) throws(PersistenceError) {
    guard let identifier = UUID(uuidString: tables.identifier) else {
      throw PersistenceError(
        .storeCorrupt,
        "the identifier of the store '\(path)', '\(tables.identifier)' in Z_METADATA, is not a UUID; "
          + "restore a copy")
    }
    self.identifier = identifier
    self.tables = tables
    properties = try StoreProperties(of: tables, path)
  }

  /// Compares a model with the entities that the store has, with the model that it keeps, and in
  /// version hashes.
  func check(
    _ model: CompiledModel, _ part: ModelPart, _ path: String, isReadOnly: Bool
  ) throws {
    let names = part.source.entities.map(\.name)
    let isWhole = part.entities.count == model.entities.count
    var texts = names.filter { properties.hashes[$0] == nil }.map { "'\($0)' is not in the store" }
    if isWhole {
      texts += Set(properties.hashes.keys).subtracting(names).sorted()
        .map { "'\($0)' is not in the model" }
    }
    if texts.isEmpty, isWhole, try hasEqualHashes(part.source) { return }
    let kept = texts.isEmpty ? try tables.keptModel(properties, path)?.model : nil
    if let kept { texts = part.source.readingDifferences(from: kept) }
    if texts.isEmpty, !isReadOnly || kept == nil && part.source.isOfDocument {
      texts = try hashDifferences(part.source, kept)
    }
    guard !texts.isEmpty else { return }
    throw PersistenceError(
      .modelMismatch,
      "the store '\(path)' was written for another model; give the version of the model that the app "
        + "had"
        + (tables.model == nil
          ? ", as its document" : ", or none, which takes the one in the store"),
      details: texts.prefix(12).map { .init(label: "differs", text: $0) })
  }

  /// Whether a document has the version hashes that the store says, all of them known: then it says
  /// what the model does that the store keeps, which need not be read
  /// (docs/performance.md, S/open).
  private func hasEqualHashes(_ model: ManagedObjectModel) throws(PersistenceError) -> Bool {
    guard model.isOfDocument else { return false }
    let hashes = try model.coreDataHashes(ofDocument: true)
    return hashes.unknown.isEmpty && hashes.values == properties.hashes
  }

  /// The version hashes that are not those of the model that the store keeps, or that the store
  /// says, in words; where they are unknown, the properties that the model lacks.
  ///
  /// Where a model was made in code, the one in the store is taken as if it were too.
  private func hashDifferences(
    _ model: ManagedObjectModel, _ kept: ManagedObjectModel?
  ) throws(PersistenceError) -> [String] {
    guard model != kept else { return [] }
    let stored = try kept?.coreDataHashes(ofDocument: model.isOfDocument).values ?? [:]
    let comparison = CoreDataComparison(
      try model.coreDataHashes(ofDocument: true),
      stored: properties.hashes.merging(stored) { $1 })
    let missing = comparison.unknown.flatMap { name -> [String] in
      guard let mine = model.entity(named: name), let kept = kept?.entity(named: name) else {
        return []
      }
      return kept.storedNames.subtracting(mine.storedNames).sorted()
        .map { "'\($0)' of '\(name)' is in the store and not in the model" }
    }
    return comparison.different.map { "the version hash of '\($0)'" } + missing
  }

  func mapping(
    of model: CompiledModel, _ part: ModelPart, _ path: String
  ) throws -> StoreMapping {
    try CoreDataLayout.mapping(of: model, tables, part: part, path: path)
  }

  func prepare(
    _ database: Database, _ mapping: StoreMapping, _ part: ModelPart, _ options: SQLiteStoreOptions
  ) throws {
    if options.history != .off { try requireHistory(database.path) }
    try database.write { connection in
      try connection.registerTriggerFunctions()
      try connection.sweepCoreDataFiles()
    }
  }

  func isCurrent(_ part: ModelPart, _ connection: Connection) throws -> Bool {
    guard try connection.tableNames().contains("Z_METADATA") else { return false }
    return try current(connection).hashes == properties.hashes
  }

  func value(of key: String, _ connection: Connection) throws -> SQLValue? {
    try current(connection).own[key]?.sqlValue
  }

  func keys(_ connection: Connection) throws -> [String] { try current(connection).ownKeys }

  /// The metadata as they are now: an app writes them with its saves.
  private func current(_ connection: Connection) throws -> StoreProperties {
    try StoreProperties(of: CoreDataTables.propertyList(connection), connection.path)
  }

  func requireHistory(_ path: String) throws(PersistenceError) {
    throw PersistenceError.noHistoryOfCoreData(path)
  }
}

extension PersistenceError {
  static func noHistoryOfCoreData(_ path: String) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "the store '\(path)' is one of Core Data, whose history of saves is not read; 'oxbowctl store "
        + "info' says whether it has one")
  }
}

extension StoreProperties {
  init(of tables: CoreDataTables, _ path: String) throws(PersistenceError) {
    try self.init(of: tables.properties, path)
  }

  fileprivate init(of list: [UInt8], _ path: String) throws(PersistenceError) {
    self = try PersistenceError.inStore(path, "metadata") { () throws(DocumentError) in
      try StoreProperties(list, file: path + "/Z_METADATA")
    }
  }
}

extension CoreDataTables {
  /// The property list, as it is now.
  static func propertyList(_ connection: Connection) throws -> [UInt8] {
    guard case .blob(let bytes)? = try connection.rows(readProperties).first?[0] else {
      throw PersistenceError(
        .storeCorrupt,
        "the store '\(connection.path)' has no property list in Z_METADATA; restore a copy")
    }
    return bytes
  }

  /// The document of the model that the store keeps; `nil` if it keeps none.
  func keptModel(
    _ properties: StoreProperties, _ path: String
  ) throws(PersistenceError) -> ModelDocument? {
    guard let model else { return nil }
    let file = path + "/Z_MODELCACHE"
    let archive = try PersistenceError.inStore(path, "model") { () throws(DocumentError) in
      try ModelArchive(compressed: model, file: file)
    }
    return try ModelDocument(
      archive, file: file,
      versionName: properties.versionIdentifiers.first { !$0.isEmpty } ?? "Model")
  }
}

extension PropertyListValue {
  /// The value as a column would have it; `nil` for lists and dictionaries.
  fileprivate var sqlValue: SQLValue? {
    switch content {
    case .text(let text): .text(text)
    case .boolean(let truth): .integer(truth ? 1 : 0)
    case .scalar(.integer(let number)): Int64(exactly: number).map { .integer($0) }
    case .scalar(.real(let number)): .real(number)
    case .scalar(.date(let seconds)): .real(seconds)
    case .scalar(.data(let bytes)): .blob(bytes)
    default: nil
    }
  }
}
