internal import OxbowModel

/// What a store of Core Data has in the tables that every such store has.
package struct CoreDataTables: Sendable {
  /// An entity of the store (`Z_PRIMARYKEY`).
  package struct Entity: Sendable {
    package let number: Int64
    /// Its name; after a migration that renamed it, the one before.
    package let name: String
    /// The number of the entity that it inherits from; 0 for a root.
    package let parent: Int64
  }

  /// The store's identifier.
  package let identifier: String

  /// The property list of the metadata.
  package let properties: [UInt8]

  /// The compressed archive of the model; `nil` in stores of before 2014 or so.
  package let model: [UInt8]?

  /// The entities by number, without those of the history.
  package let entities: [Entity]

  /// The names of all tables.
  package let names: [String]

  /// All tables, with their columns and primary keys; empty where they were not asked for.
  package let schemas: [TableSchema]

  /// The names by themselves in upper case.
  private let namesInUpperCase: [String: String]

  /// The largest model that is read, compressed.
  private static let largestModel: Int64 = 64 << 20

  /// Reads the tables of a database; `nil` if it is not a store of Core Data.
  ///
  /// Reading the columns of all tables takes longer than all the rest.
  ///
  /// - Throws: ``PersistenceError`` with code `storeCorrupt` for a store whose metadata are not one
  ///   row, and what the session throws.
  package static func read(
    _ session: some Session & Catalogue, withColumns: Bool = true
  ) throws -> CoreDataTables? {
    let names = try session.tableNames()
    guard names.contains("Z_METADATA") else { return nil }
    let columns = try session.texts("SELECT name FROM pragma_table_info('Z_METADATA')", [])
    guard columns.contains("Z_UUID"), columns.contains("Z_PLIST") else { return nil }
    return try CoreDataTables(session, names, withColumns ? session.tableColumns() : [])
  }

  init(_ session: some Session, _ names: [String], _ schemas: [TableSchema]) throws {
    (self.names, self.schemas) = (names, schemas)
    namesInUpperCase = Dictionary(names.map { ($0.uppercased(), $0) }) { first, _ in first }
    let rows = try session.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 2", [])
    guard rows.count == 1, case .text(let identifier) = rows[0][0],
      case .blob(let properties) = rows[0][1]
    else {
      throw PersistenceError(
        .storeCorrupt,
        "the table Z_METADATA of '\(session.path)' does not have one row with an identifier and a "
          + "property list, as every store of Core Data has; restore a copy")
    }
    (self.identifier, self.properties) = (identifier, properties)
    model = names.contains("Z_MODELCACHE") ? try Self.model(session) : nil
    entities = names.contains("Z_PRIMARYKEY") ? try Self.entities(session) : []
  }

  private static func model(_ session: some Session) throws -> [UInt8]? {
    let sizes = try session.rows("SELECT length(Z_CONTENT) FROM Z_MODELCACHE LIMIT 1", [])
    guard case .integer(let size)? = sizes.first?[0] else { return nil }
    guard size <= largestModel else {
      throw PersistenceError(
        .storeCorrupt,
        "the model in Z_MODELCACHE of '\(session.path)' has \(size) bytes, more than the limit of "
          + "\(largestModel)")
    }
    let rows = try session.rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", [])
    guard case .blob(let bytes)? = rows.first?[0] else { return nil }
    return bytes
  }

  private static func entities(_ session: some Session) throws -> [Entity] {
    try session.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1", []).compactMap {
      guard case .integer(let number) = $0[0], case .text(let name) = $0[1],
        case .integer(let parent) = $0[2], number < firstOfHistory
      else { return nil }
      return Entity(number: number, name: name, parent: parent)
    }
  }

  /// The last key that was handed out below a root entity; its number.
  package static let readLastKey = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?"

  /// The property list, as it is now.
  package static let readProperties = "SELECT Z_PLIST FROM Z_METADATA LIMIT 1"
  package static let replaceProperties = "UPDATE OR ABORT Z_METADATA SET Z_PLIST = ?"

  /// The names of tables that a module keeps, and of all triggers.
  package static let readVirtualTables =
    "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
  package static let readTriggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"

  /// The entities of the history are above all others.
  private static let firstOfHistory: Int64 = 16_000
}

// MARK: - Rows

extension CoreDataTables {
  /// The table of an entity that has no parent, which may be named as the model names the entity.
  package func table(of entity: Entity, named name: String) -> String? {
    namesInUpperCase["Z" + entity.name.uppercased()] ?? namesInUpperCase["Z" + name.uppercased()]
  }

  /// Counts the objects of each entity of a table, by number.
  ///
  /// The rows of a table of one entity are of that entity, whatever they say: after some migrations
  /// they say something else, and Core Data does not look.
  package func rows(
    of root: Entity, in table: String, _ session: some Session
  ) throws -> [Int64: Int] {
    let quotedName = quoted(table)
    guard entities.contains(where: { $0.parent == root.number }) else {
      return [root.number: try Self.count("SELECT count(*) FROM \(quotedName)", session)]
    }
    var counts: [Int64: Int] = [:]
    for row in try session.rows("SELECT Z_ENT, count(*) FROM \(quotedName) GROUP BY 1", []) {
      guard case .integer(let number) = row[0], case .integer(let count) = row[1] else { continue }
      counts[number] = Int(count)
    }
    return counts
  }

  /// The saves and the changes in the store's history; `nil` if it keeps none.
  package func history(_ session: some Session) throws -> (saves: Int, changes: Int)? {
    guard names.contains("ATRANSACTION"), names.contains("ACHANGE") else { return nil }
    return (
      try Self.count("SELECT count(*) FROM ATRANSACTION", session),
      try Self.count("SELECT count(*) FROM ACHANGE", session)
    )
  }

  /// Whether the store is mirrored to CloudKit.
  package var isMirrored: Bool { names.contains { $0.hasPrefix("ANSCK") } }

  private static func count(_ sql: String, _ session: some Session) throws -> Int {
    guard case .integer(let count)? = try session.rows(sql, []).first?[0] else { return 0 }
    return Int(count)
  }
}
