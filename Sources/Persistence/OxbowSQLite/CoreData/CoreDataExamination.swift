internal import OxbowCoreData
package import OxbowModel
internal import OxbowRelational

/// What is wrong with a store of Core Data, by rules that all stores keep which only Core Data has
/// written; looking leaves no trace.
package struct CoreDataExamination: Sendable {
  /// Something that is wrong in one or more places.
  package struct Finding: Sendable, Hashable {
    /// What, how often, and where first.
    package let message: String

    /// Whether stores of Core Data alone have it too: apps and Oxbow read them.
    package let isLeftover: Bool
  }

  package private(set) var findings: [Finding] = []

  /// So many places are named.
  private static let shown = 5

  /// Looks at the store at a path; `nil` for a database of something else.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - document: A model of the app, for a store that keeps none.
  /// - Returns: What was found.
  /// - Throws: ``PersistenceError``: `storeUnreachable`, `notAStore`, `modelMismatch` for a
  ///   document that is not the store's, and what reading throws
  package static func of(
    _ path: String, model document: String? = nil
  ) throws(PersistenceError) -> CoreDataExamination? {
    var result = CoreDataExamination()
    do throws(PersistenceError) {
      guard let store = try CoreDataInspection.at(path) else { return nil }
      try result.look(at: store, document)
    } catch {
      guard error.code == .storeCorrupt else { throw error }
      result.add(error)
    }
    return result
  }

  private mutating func look(
    at store: CoreDataInspection, _ document: String?
  ) throws(PersistenceError) {
    let given = try document.map { (document) throws(PersistenceError) in
      try ModelDocument.version(
        of: document, fitting: store.hashes, kept: try? store.model?.model
      ).document
    }
    // The closure runs again if another program has changed the file meanwhile.
    let before = self
    do {
      self = try UntouchedFile.read(store.path) { connection in
        var result = before
        try result.look(connection, store, given)
        return result
      }
    } catch { throw PersistenceError(error, "checking") }
  }

  private mutating func look(
    _ connection: Connection, _ store: CoreDataInspection, _ given: ModelDocument?
  ) throws {
    let damages = try connection.findings("PRAGMA integrity_check(100)")
    for damage in damages { add(damage, isLeftover: false) }
    guard damages.isEmpty, let tables = try CoreDataTables.read(connection) else { return }
    try connection.requireUTF8()
    let properties = try StoreProperties(of: tables, store.path)
    addMetadata(properties, keepsModel: tables.model != nil)
    guard let document = try given ?? keptModel(tables, properties, store.path) else { return }
    let mapping: StoreMapping
    do throws(PersistenceError) {
      mapping = try CoreDataLayout.mapping(
        of: CompiledModel(document.model), tables, path: store.path)
    } catch {
      guard error.code != .unsupported else {
        return add("rows were not looked at: \(error.message)", isLeftover: true)
      }
      return add(error)
    }
    try addRows(connection, tables, mapping)
  }

  private mutating func add(_ message: String, isLeftover: Bool) {
    findings.append(Finding(message: message, isLeftover: isLeftover))
  }

  private mutating func add(_ error: PersistenceError) {
    let problems = error.problems.isEmpty ? [error] : error.problems
    for problem in problems { add(problem.message, isLeftover: false) }
  }
}

// MARK: - Metadata

extension CoreDataExamination {
  private mutating func addMetadata(_ properties: StoreProperties, keepsModel: Bool) {
    let version = CoreDataVersion(
      hashes: properties.hashes, identifiers: properties.versionIdentifiers)
    let framework = properties.frameworkVersion
    func check(_ isRight: Bool, _ message: String, isLeftover: Bool = false) {
      if !isRight { add("metadata: \(message)", isLeftover: isLeftover) }
    }
    check(properties.type == "SQLite", "NSStoreType is not 'SQLite'")
    check(properties.hashesVersion == 3, "NSStoreModelVersionHashesVersion is not 3")
    check(framework > 0, "NSPersistenceFrameworkVersion is missing")
    check(!properties.hashes.isEmpty, "there is no version hash")
    check(
      [nil, version.digest].contains(properties.digest),
      "NSStoreModelVersionHashesDigest does not fit the version hashes")
    check(
      [nil, version.checksum].contains(properties.checksum),
      "NSStoreModelVersionChecksumKey does not fit the version hashes")
    check(
      properties.digest != nil || framework < 977,
      "NSStoreModelVersionHashesDigest is missing, which framework \(framework) writes",
      isLeftover: true)
    check(
      properties.checksum != nil || framework < 1327,
      "NSStoreModelVersionChecksumKey is missing, which framework \(framework) writes",
      isLeftover: true)
    check(keepsModel || framework < 637, "the model is missing, which framework \(framework) keeps")
  }

  /// The model that the store keeps, after comparing it with the metadata; `nil`, with a finding,
  /// if it cannot be read.
  private mutating func keptModel(
    _ tables: CoreDataTables, _ properties: StoreProperties, _ path: String
  ) throws(PersistenceError) -> ModelDocument? {
    guard let document = try tables.keptModel(properties, path) else {
      add(
        "the store does not keep its model, so rows were not looked at: give --model",
        isLeftover: true)
      return nil
    }
    let names = Set(document.model.entities.map(\.name))
    for name in names.symmetricDifference(properties.hashes.keys).sorted() {
      let text = "the entity '\(name)' is in the model and has no version hash, or the reverse"
      add("metadata: \(text)", isLeftover: false)
    }
    let comparison = CoreDataComparison(try CoreDataHashes(of: document), stored: properties.hashes)
    for name in comparison.different {
      add(
        "metadata: the version hash of '\(name)' is not that of the model in the store",
        isLeftover: true)
    }
    let identifiers = document.model.versionIdentifiers.filter { !$0.isEmpty }
    if identifiers != Set(properties.versionIdentifiers.filter { !$0.isEmpty }) {
      add(
        "metadata: the version identifiers are not those of the model in the store",
        isLeftover: true)
    }
    return document
  }
}

// MARK: - Rows and files

extension CoreDataExamination {
  private mutating func addRows(
    _ connection: Connection, _ tables: CoreDataTables, _ mapping: StoreMapping
  ) throws {
    try connection.registerSingleTest()
    for rule in CoreDataRule.all(of: tables, mapping) { try add(rule, connection) }
    try addFiles(connection, mapping)
  }

  private mutating func add(_ rule: CoreDataRule, _ connection: Connection) throws {
    let row = try connection.rows(
      "WITH found(place) AS MATERIALIZED (\(rule.query)) SELECT count(*), (SELECT "
        + "group_concat(place, ', ') FROM (SELECT place FROM found LIMIT \(Self.shown))) FROM found"
    ).first
    guard case .integer(let count)? = row?[0], count > 0 else { return }
    var places: [String] = []
    if case .text(let text)? = row?[1] { places = [text] }
    add(rule.subject, rule.problem, Int(count), places, isLeftover: rule.isLeftover)
  }

  private mutating func add(
    _ subject: String, _ problem: String, _ count: Int, _ places: [String], isLeftover: Bool
  ) {
    let more = count > Self.shown ? " …" : ""
    let named = places.isEmpty ? "" : " (\(places.joined(separator: ", "))\(more))"
    add("\(subject): \(problem), \(count)×\(named)", isLeftover: isLeftover)
  }

  /// Compares the cells of large values with the files beside the store.
  private mutating func addFiles(_ connection: Connection, _ mapping: StoreMapping) throws {
    let folder = CoreDataFolder(ofStore: connection.path)
    let names = Set(System.names(in: folder.path).filter(TaggedCell.isFileName))
    let generator = CoreDataGenerator(mapping.dialect)
    var seen: Set<String> = []
    for entity in mapping.entities {
      for column in entity.columns
      where column.codec == .taggedBlob && seen.insert("\(entity.table).\(column.name)").inserted {
        let rows = try connection.rows(generator.keyedFiles(in: entity.table, column.name))
        let missing = rows.compactMap { row -> String? in
          guard case .blob(let cell) = row[1], let name = TaggedCell.name(in: cell) else {
            return nil
          }
          return names.contains(name) ? nil : row[0].placeText
        }
        guard !missing.isEmpty else { continue }
        add(
          "\(entity.table).\(column.name)", "a large value whose file is missing", missing.count,
          Array(missing.prefix(Self.shown)), isLeftover: true)
      }
    }
    guard !names.isEmpty else { return }
    let left = names.subtracting(try connection.coreDataFileNames).sorted()
    guard !left.isEmpty else { return }
    add(
      "large values", "a file that no row refers to", left.count, Array(left.prefix(Self.shown)),
      isLeftover: true)
  }
}

extension SQLValue {
  fileprivate var placeText: String {
    if case .integer(let number) = self { "\(number)" } else { "?" }
  }
}

extension SQLiteStoreFile {
  /// What is wrong with a store of Core Data; `nil` for another one.
  func damagesOfCoreData() throws(PersistenceError) -> [String]? {
    try CoreDataExamination.of(path)?.findings.filter { !$0.isLeftover }.map(\.message)
  }
}
