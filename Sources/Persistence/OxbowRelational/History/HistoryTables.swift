// The history of a store's saves: one row for each save, written in its transaction.
//
// The number of a row is the store's count of saves after it, so a number that is missing is a save
// without a row. A save with a row is counted by it alone, because each page that a save writes
// costs a save of many threads a tenth: the count is the larger one of the last number and of
// `MetadataTables.Fact.saves` (0559). What is beyond 256 KiB of a save is in parts.
// Entities and properties are named by a dictionary that only grows, because the numbers of
// entities are given again.
//
// A store has these tables from the moment on when it is first opened with a history, and is of
// version 5 then.

/// The tables of a history, and their statements.
package enum HistoryTables {
  package static let saves = TableSchema(
    name: MetadataTables.prefix + "saves",
    columns: [
      ColumnSchema("number", .integer, isRequired: true),
      ColumnSchema("time", .integer, isRequired: true),
      ColumnSchema("author", .text), ColumnSchema("context", .text),
      ColumnSchema("session", .blob), ColumnSchema("kind", .integer, isRequired: true),
      ColumnSchema("inserted", .integer, isRequired: true),
      ColumnSchema("updated", .integer, isRequired: true),
      ColumnSchema("deleted", .integer, isRequired: true), ColumnSchema("changes", .blob),
    ], primaryKey: ["number"])

  /// What follows the first part of a save; the key is ``partKey(_:_:)``.
  package static let parts = TableSchema(
    name: MetadataTables.prefix + "save_parts",
    columns: [
      ColumnSchema("id", .integer, isRequired: true),
      ColumnSchema("changes", .blob, isRequired: true),
    ], primaryKey: ["id"])

  /// What the numbers in rows mean: an entity, or a property of one, by the names that they had
  /// when it was added, and by those of now; `NULL` for what the model no longer has.
  package static let names = TableSchema(
    name: MetadataTables.prefix + "names",
    columns: [
      ColumnSchema("id", .integer, isRequired: true),
      ColumnSchema("entity", .text, isRequired: true), ColumnSchema("property", .text),
      ColumnSchema("now_entity", .text), ColumnSchema("now_property", .text),
    ], primaryKey: ["id"])

  /// Who reads the history, and how far: the number of the last save that it has seen.
  package static let consumers = TableSchema(
    name: MetadataTables.prefix + "consumers",
    columns: [
      ColumnSchema("name", .text, isRequired: true),
      ColumnSchema("number", .integer, isRequired: true),
      ColumnSchema("since", .integer, isRequired: true),
      ColumnSchema("seen", .integer, isRequired: true),
    ], primaryKey: ["name"], isWithoutRowID: true)

  package static let all = [saves, parts, names, consumers]

  /// The facts of a history.
  package enum Fact: String, Sendable, CaseIterable {
    /// Which history of the store it is, as UUID text: another one after a backup was restored.
    case instance = "history_instance"
    /// The number of the first save that is kept.
    case from = "history_from"
  }

  /// How many bytes of a save's changes are in one row.
  package static let partBytes = 256 << 10

  private static let partBits: Int64 = 20

  /// The key of a part of a save, the first of the parts being 1.
  package static func partKey(_ number: Int64, _ part: Int) -> Int64 {
    number << partBits | Int64(part)
  }

  /// The most parts that a save can have.
  package static let largestPart = 1 << partBits - 1
}

// MARK: - Statements

extension HistoryTables {
  private static let save = quoted(saves.name)
  private static let part = quoted(parts.name)
  private static let name = quoted(names.name)
  private static let consumer = quoted(consumers.name)
  private static let facts = quoted(MetadataTables.metadata.name)

  /// 1 where the store has a history.
  package static let exists =
    "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '\(saves.name)'"

  package static let raiseLayout = MetadataTables.raiseLayout(to: PlainLayout.versionWithHistory)

  private static let lastNumber = "(SELECT max(\"number\") FROM \(save))"
  private static let counted = "max(\"value\", coalesce(\(lastNumber), 0))"
  private static let ofSaves = "WHERE \"name\" = '\(MetadataTables.Fact.saves.rawValue)'"

  /// How many saves there are.
  package static let readSaves = "SELECT \(counted) FROM \(facts) \(ofSaves)"

  /// Counts a save that has no row.
  package static let countSave =
    "UPDATE OR ABORT \(facts) SET \"value\" = \(counted) + 1 \(ofSaves)"

  /// Keeps the count where rows go.
  package static let keepCount = "UPDATE OR ABORT \(facts) SET \"value\" = \(counted) \(ofSaves)"

  /// The version of the layout of a store that no longer has a history.
  package static let lowerLayout =
    "UPDATE OR ABORT \(facts) SET \"value\" = ? WHERE \"name\" = "
    + "'\(MetadataTables.Fact.layoutVersion.rawValue)'"

  package static let removeFacts =
    "DELETE FROM \(facts) WHERE \"name\" IN ("
    + Fact.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"

  /// How many saves are kept.
  package static let count = "SELECT count(*) FROM \(save)"

  /// The row of a save, in the order of the table's columns.
  package static let add =
    "INSERT OR ABORT INTO \(save) (\"number\", \"time\", \"author\", \"context\", \"session\", "
    + "\"kind\", \"inserted\", \"updated\", \"deleted\", \"changes\") "
    + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  package static let addPart =
    "INSERT OR ABORT INTO \(part) (\"id\", \"changes\") VALUES (?, ?)"

  /// Saves after a number, in order: the number, then how many.
  package static let read =
    "SELECT \"number\", \"time\", \"author\", \"context\", \"session\", \"kind\", \"inserted\", "
    + "\"updated\", \"deleted\", \"changes\" FROM \(save) WHERE \"number\" > ? "
    + "ORDER BY \"number\" LIMIT ?"

  /// The number of the last save, and what changes with everything else that Oxbow writes: reserved
  /// keys, how far consumers are, what is kept, and the count of upkeeps.
  package static let look =
    "SELECT (\(readSaves)), (SELECT total(\"last\") FROM "
    + "\(quoted(MetadataTables.keys.name))) || ' ' || (SELECT total(\"number\") + count(*) FROM "
    + "\(consumer)) || ' ' || (SELECT \"value\" FROM \(facts) WHERE \"name\" = "
    + "'\(Fact.from.rawValue)') || ' ' || coalesce((SELECT \"value\" FROM \(facts) WHERE \"name\" = "
    + "'\(MetadataTables.Fact.upkeep.rawValue)'), 0)"

  /// The parts of a save: the keys before the first and of the last.
  package static let readParts =
    "SELECT \"changes\" FROM \(part) WHERE \"id\" > ? AND \"id\" <= ? ORDER BY \"id\""

  /// 1 for a save that has a row; its number.
  package static let hasSave = "SELECT count(*) FROM \(save) WHERE \"number\" = ?"

  /// The number of the last of some saves before a number, from the first on: number, then how
  /// many.
  package static let lastOfBlock =
    "SELECT max(\"number\") FROM (SELECT \"number\" FROM \(save) WHERE \"number\" < ? "
    + "ORDER BY \"number\" LIMIT ?)"

  /// The number of the first save that is not older than a moment; the moment.
  package static let firstSince =
    "SELECT \"number\" FROM \(save) WHERE \"time\" >= ? ORDER BY \"number\" LIMIT 1"

  /// Saves up to a number, and the parts up to a key.
  package static let removeSaves = "DELETE FROM \(save) WHERE \"number\" <= ?"
  package static let removeParts = "DELETE FROM \(part) WHERE \"id\" < ?"

  /// The number of the last save that is beyond so many bytes, counted from the newest, which
  /// stays; `NULL` where all are within them.
  package static let lastBeyond =
    "SELECT max(\"number\") FROM (SELECT \"number\", sum(coalesce(length(\"changes\"), 0) + "
    + "coalesce((SELECT sum(length(\(part).\"changes\")) FROM \(part) WHERE "
    + "\(part).\"id\" > \(save).\"number\" << \(partBits) AND "
    + "\(part).\"id\" < (\(save).\"number\" + 1) << \(partBits)), 0)) "
    + "OVER (ORDER BY \"number\" DESC) AS \"sum\" FROM \(save)) "
    + "WHERE \"sum\" > ? AND \"number\" < (SELECT max(\"number\") FROM \(save))"
}

// MARK: - Names

extension HistoryTables {
  package static let readNames =
    "SELECT \"id\", \"entity\", \"property\", \"now_entity\", \"now_property\" FROM \(name) "
    + "ORDER BY \"id\""

  /// A name and what it is now, which is the same; entity, then property.
  package static func addName(in dialect: any Dialect) -> String {
    let (entity, property) = (dialect.parameter(1), dialect.parameter(2))
    return "\(dialect.insert) \(name) (\"entity\", \"property\", \"now_entity\", \"now_property\") "
      + "VALUES (\(entity), \(property), \(entity), \(property))"
  }

  /// What a name means from now on: entity, property, then its number.
  package static func renameName(in dialect: any Dialect) -> String {
    "\(dialect.update) \(name) SET \"now_entity\" = ?, \"now_property\" = ? WHERE \"id\" = ?"
  }
}

// MARK: - Consumers

extension HistoryTables {
  package static let readConsumers =
    "SELECT \"name\", \"number\", \"since\", \"seen\" FROM \(consumer) ORDER BY \"name\""

  /// The number of a consumer; its name.
  package static let readConsumer = "SELECT \"number\" FROM \(consumer) WHERE \"name\" = ?"

  /// The number of the consumer that is behind all others.
  package static let slowest =
    "SELECT \"name\", \"number\" FROM \(consumer) ORDER BY \"number\", \"name\" LIMIT 1"

  /// A new consumer: name, number, since, seen.
  package static let addConsumer =
    "INSERT OR ABORT INTO \(consumer) (\"name\", \"number\", \"since\", \"seen\") "
    + "VALUES (?, ?, ?, ?) ON CONFLICT (\"name\") DO NOTHING"

  /// Moves a consumer: the new number, the time, its name, the old number.
  package static let acknowledge =
    "UPDATE OR ABORT \(consumer) SET \"number\" = ?, \"seen\" = ? "
    + "WHERE \"name\" = ? AND \"number\" = ?"

  package static let removeConsumer = "DELETE FROM \(consumer) WHERE \"name\" = ?"
}
