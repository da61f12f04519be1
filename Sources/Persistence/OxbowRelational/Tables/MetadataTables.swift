/// Oxbow's own tables, in every store of the plain layout.
package enum MetadataTables {
  /// The prefix of the names of all of them.
  package static let prefix = "_oxbow_"

  /// Single facts by name.
  package static let metadata = TableSchema(
    name: prefix + "metadata",
    columns: [
      ColumnSchema("name", .text, isRequired: true), ColumnSchema("value", .any, isRequired: true),
    ], primaryKey: ["name"])

  /// The number that the store keeps for each entity, and the entity's version hash.
  package static let entities = TableSchema(
    name: prefix + "entities",
    columns: [
      ColumnSchema("number", .integer, isRequired: true),
      ColumnSchema("name", .text, isRequired: true), ColumnSchema("hash", .text, isRequired: true),
    ], primaryKey: ["number"],
    indexes: [
      IndexSchema(
        name: prefix + "entities_name_unique", columns: [IndexSchema.Column("name")],
        isUnique: true)
    ])

  /// The last key that was handed out below each root entity.
  package static let keys = TableSchema(
    name: prefix + "keys",
    columns: [
      ColumnSchema("root", .integer, isRequired: true),
      ColumnSchema("last", .integer, isRequired: true),
    ], primaryKey: ["root"])

  package static let all = [metadata, entities, keys]

  /// The names of the facts.
  package enum Fact: String, Sendable, CaseIterable {
    /// The store's identifier, as UUID text.
    case identifier = "store_uuid"
    /// The version hash of the model, in hexadecimal digits.
    case modelHash = "model_hash"
    /// The model document, so that a migration knows the model that the store has.
    case model = "model"
    /// The name of the table layout, and its version.
    case layout = "layout"
    case layoutVersion = "layout_version"
    /// The numbers and names of entities that the model has no more.
    case pastEntities = "past_entities"
    /// Counts the saves: shows after an I/O error in COMMIT whether the save is there. In a store
    /// with a history it may be behind (`HistoryTables.readSaves`).
    case saves = "saves"
    /// Counts what Oxbow writes beside saves: words into their indexes, and files that it forgets.
    /// By it, others tell that from what other programs write.
    case upkeep = "upkeep"
    /// What a store of Core Data said of its model, of which this one was made (`CoreDataVersion`).
    case coreData = "core_data"
  }
}

// MARK: - Facts

extension MetadataTables {
  private static let facts = quoted(metadata.name)

  package static let readFacts = "SELECT \"name\", \"value\" FROM \(facts)"
  package static let writeFact =
    "INSERT OR ABORT INTO \(facts) (\"name\", \"value\") VALUES (?, ?) "
    + "ON CONFLICT (\"name\") DO UPDATE SET \"value\" = excluded.\"value\""
  package static let readModelHash = read(.modelHash)
  package static let readCoreData = read(.coreData)
  package static let readPastEntities = read(.pastEntities)
  package static let readLayoutVersion = read(.layoutVersion)
  package static let readSaves = read(.saves)
  package static let countUpkeep =
    "INSERT INTO \(facts) (\"name\", \"value\") VALUES ('\(Fact.upkeep.rawValue)', 1) "
    + "ON CONFLICT (\"name\") DO UPDATE SET \"value\" = \"value\" + 1"
  /// Followed by ``readSaves``: a table for what RETURNING gives would cost more than a statement.
  package static let countSave =
    "UPDATE OR ABORT \(facts) SET \"value\" = \"value\" + 1 \(condition(.saves))"

  /// Counts a save where the count is known: the count with it, then the one before.
  ///
  /// If no row changes, others have saved since.
  package static let countNextSave =
    "UPDATE OR ABORT \(facts) SET \"value\" = ? \(condition(.saves)) AND \"value\" = ?"

  /// Makes the version of the layout a later one; one that is later still stays.
  package static func raiseLayout(to version: Int) -> String {
    "UPDATE OR ABORT \(facts) SET \"value\" = \(version) \(condition(.layoutVersion)) "
      + "AND \"value\" < \(version)"
  }

  /// What a program keeps, by the names of its own that ``ownName(_:)`` makes.
  package static let readFact = "SELECT \"value\" FROM \(facts) WHERE \"name\" = ?"
  package static let removeOwn = "DELETE FROM \(facts) WHERE \"name\" = ?"
  package static let readOwnFacts =
    "SELECT \"name\", \"value\" FROM \(facts) WHERE \"name\" GLOB '\(ownPrefix)*'"

  private static let ownPrefix = "program:"

  /// The name of the fact that keeps a program's key.
  package static func ownName(_ key: String) -> String { ownPrefix + key }

  /// Whether a copy of the store has a fact as it is.
  package static func isCarried(_ name: String) -> Bool {
    name.hasPrefix(ownPrefix) || name == Fact.coreData.rawValue
  }

  /// The key of a name.
  package static func ownKey(_ name: String) -> String { String(name.dropFirst(ownPrefix.count)) }

  private static func read(_ fact: Fact) -> String {
    "SELECT \"value\" FROM \(facts) \(condition(fact))"
  }

  private static func condition(_ fact: Fact) -> String { "WHERE \"name\" = '\(fact.rawValue)'" }
}

// MARK: - Entities

extension MetadataTables {
  private static let numbers = quoted(entities.name)

  package static let readEntities =
    "SELECT \"number\", \"name\", \"hash\" FROM \(numbers) ORDER BY \"number\""
  /// What follows the word for an insert: number, name and hash of an entity.
  package static let entityRow = "\(numbers) (\"number\", \"name\", \"hash\") VALUES (?, ?, ?)"
  package static let clearEntities = "DELETE FROM \(numbers)"
}

// MARK: - Keys

extension MetadataTables {
  private static let lastKeys = quoted(keys.name)

  /// The last key that was handed out below a root, and the largest key in its table; the
  /// parameter is the root's number.
  package static func readKeys(table: String, keyColumn: String) -> String {
    "SELECT \"last\", coalesce((SELECT max(\(quoted(keyColumn))) FROM \(quoted(table))), 0) "
      + "FROM \(lastKeys) WHERE \"root\" = ?"
  }

  /// Notes the last key of a block that is handed out; the key, then the root's number.
  package static let reserveKeys = "UPDATE OR ABORT \(lastKeys) SET \"last\" = ? WHERE \"root\" = ?"

  /// Notes that all keys in a root's table were handed out.
  static func noteKeys(of root: Int64, table: String, keyColumn: String) -> String {
    "INSERT INTO \(lastKeys) (\"root\", \"last\") SELECT \(root), "
      + "coalesce((SELECT max(\(quoted(keyColumn))) FROM \(quoted(table))), 0) WHERE true "
      + "ON CONFLICT (\"root\") DO UPDATE SET \"last\" = excluded.\"last\" "
      + "WHERE excluded.\"last\" > \(lastKeys).\"last\""
  }

  /// All roots with the last keys that were handed out below them, and what notes one.
  package static let readAllKeys = "SELECT \"root\", \"last\" FROM \(lastKeys) ORDER BY \"root\""
  package static let writeKeys =
    "INSERT INTO \(lastKeys) (\"root\", \"last\") VALUES (?, ?) ON CONFLICT (\"root\") DO UPDATE "
    + "SET \"last\" = excluded.\"last\""

  /// Gives a root a row in the key table unless it has one.
  package static let addKeys =
    "INSERT INTO \(lastKeys) (\"root\", \"last\") VALUES (?, 0) ON CONFLICT DO NOTHING"

  /// Gives the keys of a hierarchy the number of its new root.
  package static func moveKeys(from root: Int64, to newRoot: Int64) -> String {
    "INSERT INTO \(lastKeys) (\"root\", \"last\") SELECT \(newRoot), \"last\" FROM \(lastKeys) "
      + "WHERE \"root\" = \(root) ON CONFLICT (\"root\") DO UPDATE "
      + "SET \"last\" = max(\"last\", excluded.\"last\")"
  }

  /// Lets all keys continue behind the last of all: an entity that comes again has its number, and
  /// its keys may have been handed out below another root.
  package static let raiseKeys =
    "UPDATE \(lastKeys) SET \"last\" = (SELECT max(\"last\") FROM \(lastKeys))"
}
