internal import OxbowFoundation
internal import OxbowModel
internal import OxbowSQL

/// What a store says of itself.
///
/// The only reader; `StoreMetadata+Writing` is the only writer. A new fact is a case of
/// `MetadataTables.Fact`, a property here and a line in `init`.
struct StoreMetadata: Sendable {
  let identifier: UUID
  let modelHash: String

  /// The model document; `nil` when no document could hold the model.
  let model: String?
  let layout: String
  let layoutVersion: Int
  let entities: [EntityRecord]

  /// The entities that the model has no more, with the numbers that nobody else gets.
  let pastEntities: [EntityRecord]

  /// Reads the metadata of a store, or finds out that there is none; in one read transaction.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` when text is not in UTF-8 or a fact is missing,
  ///   `storeNewer` when this version of Oxbow does not know the layout.
  static func read(_ connection: Connection) throws -> DatabaseContents {
    let tables = try LiveTables.names(connection)
    guard tables.contains(MetadataTables.metadata.name) else {
      guard tables.isEmpty else { return .foreign(tables) }
      try connection.requireUTF8()
      return .empty
    }
    try connection.requireUTF8()
    let metadata = try StoreMetadata(connection)
    try metadata.checkLayout(connection.path)
    return .store(metadata)
  }

  private init(_ connection: Connection) throws {
    let facts = try Facts(connection)
    let identifier = try facts.text(.identifier)
    guard let uuid = UUID(uuidString: identifier) else { throw facts.unusable(.identifier) }
    self.identifier = uuid
    modelHash = try facts.text(.modelHash)
    model = try? facts.text(.model)
    layout = try facts.text(.layout)
    layoutVersion = try facts.integer(.layoutVersion)
    entities = try connection.rows(MetadataTables.readEntities).compactMap { row in
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        case .text(let hash) = row[2]
      else { return nil }
      return EntityRecord(number: number, name: name, hash: hash)
    }
    pastEntities = try Self.pastEntities(connection)
  }

  private func checkLayout(_ path: String) throws {
    guard layout == PlainLayout.name, (1...PlainLayout.versionWithFiles).contains(layoutVersion)
    else {
      throw PersistenceError(
        .storeNewer,
        "the store '\(path)' has the layout '\(layout)' version \(layoutVersion), and this "
          + "version of Oxbow reads '\(PlainLayout.name)' up to version "
          + "\(PlainLayout.versionWithFiles); "
          + "use a newer one")
    }
  }
}

extension StoreMetadata {
  /// The metadata as migrations see it, with the store's history.
  func state(history: [HistoryEntry]) -> MigrationState {
    MigrationState(
      layout: layout, layoutVersion: layoutVersion, identifier: identifier.uuidString,
      modelHash: modelHash, model: model, entities: entities + pastEntities,
      history: history)
  }
}

/// What kind of database a connection sees.
enum DatabaseContents {
  case empty
  case store(StoreMetadata)
  /// A database of something else; the names of its tables.
  case foreign([String])
}

/// The rows of the table of facts.
private struct Facts {
  private var values: [String: SQLValue] = [:]
  private let path: String

  init(_ connection: Connection) throws {
    path = connection.path
    for row in try connection.rows(MetadataTables.readFacts) {
      if case .text(let name) = row[0] { values[name] = row[1] }
    }
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

// MARK: - Errors of more than one reader

extension Connection {
  /// Checks that the database keeps text in UTF-8, by whose bytes predicates and orders compare.
  func requireUTF8() throws {
    let encoding = try text("PRAGMA encoding") ?? "unknown"
    guard encoding != "UTF-8" else { return }
    throw PersistenceError(
      .notAStore,
      "the database '\(path)' keeps its text in \(encoding), and Oxbow needs UTF-8; the encoding "
        + "of a database cannot be changed: remove the file, or choose another path")
  }
}

extension PersistenceError {
  /// A database that has tables, and none of Oxbow's.
  static func foreignDatabase(_ tables: [String], _ path: String) -> PersistenceError {
    if tables.contains("Z_METADATA") {
      return PersistenceError(
        .notAStore, "'\(path)' is a store of Core Data, which Oxbow does not read yet")
    }
    return PersistenceError(
      .notAStore,
      "'\(path)' is a SQLite database, but no Oxbow store: it has the tables "
        + "\(listed(tables)); check the path"
        + (tables.contains("grdb_migrations")
          ? ". It has a history of GRDB: 'oxbowctl migrate baseline' shows it, and takes the database "
            + "over, with --convert also where its tables are not those of a model" : ""))
  }
}
