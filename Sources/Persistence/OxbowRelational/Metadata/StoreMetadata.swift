package import OxbowFoundation
internal import OxbowModel

/// What a store says of itself.
///
/// The only reader; `StoreMetadata+Writing` is the only writer. A new fact is a case of
/// `MetadataTables.Fact`, a property here and a line in `init`.
package struct StoreMetadata: Sendable {
  package let identifier: UUID
  package let modelHash: String

  /// The model document; `nil` when no document could hold the model.
  package let model: String?
  package let layout: String
  package let layoutVersion: Int
  package let entities: [EntityRecord]

  /// The entities that the model no longer has, with their numbers, which are not given again.
  package let pastEntities: [EntityRecord]

  /// Reads the metadata of a store, or finds out that there is none; in one read transaction.
  ///
  /// Of a store of Core Data it reads the columns of all tables, or not.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` when text is not in UTF-8 or a fact is missing,
  ///   `storeNewer` when this version of Oxbow does not know the layout.
  package static func read(
    _ session: some Session & Catalogue, withColumns: Bool = true
  ) throws -> DatabaseContents {
    let tables = try session.tableNames()
    guard tables.contains(MetadataTables.metadata.name) else {
      if let found = try CoreDataTables.read(session, withColumns: withColumns) {
        try session.requireUTF8()
        return .coreData(found)
      }
      guard tables.isEmpty else { return .foreign(tables) }
      try session.requireUTF8()
      return .empty
    }
    try session.requireUTF8()
    let metadata = try StoreMetadata(session)
    try metadata.checkLayout(session.path)
    return .store(metadata)
  }

  private init(_ session: some Session) throws {
    let facts = try Facts(session)
    let identifier = try facts.text(.identifier)
    guard let uuid = UUID(uuidString: identifier) else { throw facts.unusable(.identifier) }
    self.identifier = uuid
    modelHash = try facts.text(.modelHash)
    model = try? facts.text(.model)
    layout = try facts.text(.layout)
    layoutVersion = try facts.integer(.layoutVersion)
    entities = try session.rows(MetadataTables.readEntities, []).compactMap { row in
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        case .text(let hash) = row[2]
      else { return nil }
      return EntityRecord(number: number, name: name, hash: hash)
    }
    pastEntities = try Self.pastEntities(session)
  }

  private func checkLayout(_ path: String) throws {
    guard layout == PlainLayout.name, (1...PlainLayout.lastVersion).contains(layoutVersion)
    else {
      throw PersistenceError(
        .storeNewer,
        "the store '\(path)' has the layout '\(layout)' version \(layoutVersion), and this "
          + "version of Oxbow reads '\(PlainLayout.name)' up to version "
          + "\(PlainLayout.lastVersion); use a newer one")
    }
  }
}

extension StoreMetadata {
  /// The metadata as migrations see it, with the store's history.
  package func state(history: [HistoryEntry]) -> MigrationState {
    MigrationState(
      layout: layout, layoutVersion: layoutVersion, identifier: identifier.uuidString,
      modelHash: modelHash, model: model, entities: entities + pastEntities,
      history: history)
  }
}

/// What kind of database a session sees.
package enum DatabaseContents {
  case empty
  case store(StoreMetadata)
  /// A store that Core Data wrote.
  case coreData(CoreDataTables)
  /// A database of something else; the names of its tables.
  case foreign([String])
}

/// The rows of the table of facts.
private struct Facts {
  private var values: [String: SQLValue] = [:]
  private let path: String

  init(_ session: some Session) throws {
    path = session.path
    values = try session.facts()
  }

  func text(_ fact: MetadataTables.Fact) throws -> String {
    guard case .text(let text) = values[fact.rawValue] else { throw unusable(fact) }
    return text
  }

  func integer(_ fact: MetadataTables.Fact) throws -> Int {
    guard case .integer(let integer) = values[fact.rawValue] else { throw unusable(fact) }
    return Int(integer)
  }

  func unusable(_ fact: MetadataTables.Fact) -> PersistenceError {
    let what = values[fact.rawValue] == nil ? "has no" : "has no usable"
    return PersistenceError(
      .notAStore,
      "'\(path)' has the tables of an Oxbow store, but '\(MetadataTables.metadata.name)' \(what) "
        + "'\(fact.rawValue)', which every store has; restore a backup")
  }
}
