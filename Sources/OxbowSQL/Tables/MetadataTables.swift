/// Oxbow's own tables, in every store of the plain layout.
package enum MetadataTables {
  /// Single facts by name.
  package static let metadata = TableSchema(
    name: "_oxbow_metadata",
    columns: [
      ColumnSchema("name", .text, isRequired: true), ColumnSchema("value", .any, isRequired: true),
    ], primaryKey: ["name"])

  /// The number that the store keeps for each entity, and the entity's version hash.
  package static let entities = TableSchema(
    name: "_oxbow_entities",
    columns: [
      ColumnSchema("number", .integer, isRequired: true),
      ColumnSchema("name", .text, isRequired: true), ColumnSchema("hash", .text, isRequired: true),
    ], primaryKey: ["number"],
    indexes: [
      IndexSchema(
        name: "_oxbow_entities_name_unique", columns: [IndexSchema.Column("name")], isUnique: true)
    ])

  /// The last key that was handed out below each root entity.
  package static let keys = TableSchema(
    name: "_oxbow_keys",
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
    /// Counts the saves: tells after an I/O error in COMMIT whether the save is there.
    case saves = "saves"
  }

  package static let readFacts = "SELECT \"name\", \"value\" FROM \"_oxbow_metadata\""
  package static let writeFact =
    "INSERT OR ABORT INTO \"_oxbow_metadata\" (\"name\", \"value\") VALUES (?, ?) "
    + "ON CONFLICT (\"name\") DO UPDATE SET \"value\" = excluded.\"value\""
  package static let readEntities =
    "SELECT \"number\", \"name\", \"hash\" FROM \"_oxbow_entities\" ORDER BY \"number\""
  package static let writeEntity =
    "INSERT OR ABORT INTO \"_oxbow_entities\" (\"number\", \"name\", \"hash\") VALUES (?, ?, ?)"
  package static let readModelHash =
    "SELECT \"value\" FROM \"_oxbow_metadata\" WHERE \"name\" = 'model_hash'"
  package static let readSaves =
    "SELECT \"value\" FROM \"_oxbow_metadata\" WHERE \"name\" = 'saves'"
  package static let countSave =
    "UPDATE OR ABORT \"_oxbow_metadata\" SET \"value\" = \"value\" + 1 WHERE \"name\" = 'saves'"
  package static let writeKeys =
    "INSERT OR ABORT INTO \"_oxbow_keys\" (\"root\", \"last\") VALUES (?, ?)"

  /// The last key that was handed out below a root, and the last that stands in its table; the
  /// parameter is the root's number.
  package static func readKeys(_ mapping: EntityMapping) -> String {
    "SELECT \"last\", coalesce((SELECT max(\(quoted(mapping.keyColumn))) FROM "
      + "\(quoted(mapping.table))), 0) FROM \"_oxbow_keys\" WHERE \"root\" = ?"
  }

  /// Notes the last key of a block that is handed out; the key, then the root's number.
  package static let reserveKeys =
    "UPDATE OR ABORT \"_oxbow_keys\" SET \"last\" = ? WHERE \"root\" = ?"
}
