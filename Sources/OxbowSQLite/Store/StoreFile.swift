// Opening: what stands in a database, and whether it is a store of this model.

internal import OxbowModel
internal import OxbowSQL

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The facts that a store keeps of itself.
struct StoreFacts: Sendable {
  /// A stored entity: its number and its version hash.
  struct Entity: Hashable, Sendable {
    let number: Int64
    let hash: String
  }

  var identifier: UUID
  var modelHash: String
  var layout: String
  var layoutVersion: Int
  var entities: [String: Entity]

  /// What kind of database a connection sees.
  enum Contents {
    case empty
    case store(StoreFacts)
    /// A database of something else; names of some of its tables.
    case foreign([String])
  }

  /// Reads the facts; one read transaction.
  static func read(_ connection: Connection) throws -> Contents {
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).compactMap { row -> String? in
      guard case .text(let name) = row[0] else { return nil }
      return name
    }
    if tables.isEmpty || tables.contains(MetadataTables.metadata.name) {
      try connection.requireUTF8()
    }
    guard tables.contains(MetadataTables.metadata.name) else {
      return tables.isEmpty ? .empty : .foreign(tables)
    }
    var facts: [String: SQLValue] = [:]
    for row in try connection.rows(MetadataTables.readFacts) {
      if case .text(let name) = row[0] { facts[name] = row[1] }
    }
    var entities: [String: Entity] = [:]
    for row in try connection.rows(MetadataTables.readEntities) {
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        case .text(let hash) = row[2]
      else { continue }
      entities[name] = Entity(number: number, hash: hash)
    }
    return .store(try StoreFacts(facts, entities, path: connection.path))
  }

  private init(_ facts: [String: SQLValue], _ entities: [String: Entity], path: String) throws {
    guard case .text(let identifier) = facts[MetadataTables.Fact.identifier.rawValue],
      let uuid = UUID(uuidString: identifier),
      case .text(let hash) = facts[MetadataTables.Fact.modelHash.rawValue],
      case .text(let layout) = facts[MetadataTables.Fact.layout.rawValue],
      case .integer(let version) = facts[MetadataTables.Fact.layoutVersion.rawValue]
    else {
      throw PersistenceError(
        .notAStore,
        "'\(path)' has the tables of an Oxbow store, but '_oxbow_metadata' lacks what a store must "
          + "say of itself; restore a backup")
    }
    self.identifier = uuid
    self.modelHash = hash
    self.layout = layout
    self.layoutVersion = Int(version)
    self.entities = entities
  }

  /// Checks that the store has a layout that this version of Oxbow reads.
  func checkLayout(_ path: String) throws {
    guard layout == PlainLayout.name, (1...PlainLayout.version).contains(layoutVersion) else {
      throw PersistenceError(
        .storeNewer,
        "the store '\(path)' has the layout '\(layout)' version \(layoutVersion), and this version of "
          + "Oxbow reads '\(PlainLayout.name)' up to version \(PlainLayout.version); use a newer one"
      )
    }
  }

  /// Checks that the store was written for the model of `schema`.
  func checkModel(_ model: CompiledModel, _ path: String) throws {
    guard modelHash != model.versionHash else { return }
    let own = Dictionary(
      model.entities.map { ($0.name, $0.description.versionHash) },
      uniquingKeysWith: { first, _ in first })
    let changed = own.keys.filter { entities[$0] != nil && entities[$0]?.hash != own[$0] }
    var error = PersistenceError(
      .modelMismatch,
      "the store '\(path)' was written for another model: it has \(short(modelHash)), the model is "
        + "\(short(model.versionHash)); see what differs with 'oxbowctl migrate status --store "
        + "\(path)', and change the store with 'oxbowctl migrate apply'")
    for (label, names) in [
      ("Changed", changed), ("Only in the store", entities.keys.filter { own[$0] == nil }),
      ("Only in the model", own.keys.filter { entities[$0] == nil }),
    ] where !names.isEmpty {
      error = error.adding(label, PersistenceError.listed(Array(names)))
    }
    throw error
  }

  private func short(_ hash: String) -> String { String(hash.prefix(12)) }

  /// The number of each entity of a schema, by dense index.
  func numbers(_ model: CompiledModel, _ path: String) throws -> [Int64] {
    try model.entities.map { entity in
      guard let stored = entities[entity.name] else {
        throw PersistenceError(
          .notAStore,
          "the store '\(path)' has no number for the entity '\(entity.name)' in '_oxbow_entities', "
            + "though its model hash says that it knows it; restore a backup")
      }
      return stored.number
    }
  }
}

extension Connection {
  /// Checks that the database keeps text in UTF-8, by whose bytes predicates and orders compare.
  func requireUTF8() throws {
    let encoding = try text("PRAGMA encoding") ?? "unknown"
    guard encoding != "UTF-8" else { return }
    throw PersistenceError(
      .notAStore,
      "the database '\(path)' keeps its text in \(encoding), and Oxbow needs UTF-8; the encoding of a "
        + "database cannot be changed: remove the file, or choose another path")
  }
}

/// Makes a new store's tables and facts; inside a write transaction.
func createStore(_ model: CompiledModel, _ connection: Connection) throws {
  let mapping = PlainLayout.mapping(of: model)
  for table in MetadataTables.all + mapping.tables {
    for definition in table.definitions { try connection.execute(definition) }
  }
  let facts: [(MetadataTables.Fact, SQLValue)] = [
    (.identifier, .text(UUID().uuidString)), (.modelHash, .text(model.versionHash)),
    (.layout, .text(mapping.layout)), (.layoutVersion, .integer(Int64(mapping.layoutVersion))),
    (.saves, .integer(0)),
  ]
  for (fact, value) in facts {
    try connection.run(MetadataTables.writeFact, [.text(fact.rawValue), value])
  }
  // Only a migration without a folder needs it, so a model that no document can hold (control
  // characters in a default value) is no reason to refuse the store.
  if let document = try? ModelWriter.text(model.source) {
    try connection.run(
      MetadataTables.writeFact,
      [.text(MetadataTables.Fact.model.rawValue), .text(document)])
  }
  for entity in model.entities {
    let number = SQLValue.integer(mapping.entities[entity.index].number)
    try connection.run(
      MetadataTables.writeEntity,
      [number, .text(entity.name), .text(entity.description.versionHash)])
    if entity.root == entity.index {
      try connection.run(MetadataTables.writeKeys, [number, .integer(0)])
    }
  }
}
