/// The table of a store's migrations: append-only, one row for each event that is over.
///
/// A row is written in the same transaction as the change that it records, so there is no row of a
/// change that did not happen, and none of one that is half done.
package enum HistoryTable {
  package static let table = TableSchema(
    name: MetadataTables.prefix + "history",
    columns: [
      ColumnSchema("seq", .integer, isRequired: true),
      ColumnSchema("id", .text, isRequired: true),
      ColumnSchema("name", .text, isRequired: true),
      ColumnSchema("kind", .text, isRequired: true),
      ColumnSchema("event", .text, isRequired: true),
      ColumnSchema("checksum", .text),
      ColumnSchema("algorithm", .text),
      ColumnSchema("model_before", .text),
      ColumnSchema("model_after", .text),
      ColumnSchema("cursor", .text),
      ColumnSchema("started", .text, isRequired: true),
      ColumnSchema("finished", .text, isRequired: true),
      ColumnSchema("tool", .text, isRequired: true),
      ColumnSchema("engine", .text, isRequired: true),
      ColumnSchema("host", .text, isRequired: true),
      ColumnSchema("user", .text, isRequired: true),
      ColumnSchema("plan", .text),
    ], primaryKey: ["seq"])

  private static var names: String { table.columns.map { quoted($0.name) }.joined(separator: ", ") }

  package static var read: String {
    "SELECT \(names) FROM \(quoted(table.name)) ORDER BY \"seq\""
  }

  package static var last: String {
    "SELECT coalesce(max(\"seq\"), 0) FROM \(quoted(table.name))"
  }

  package static let removeProgress =
    "DELETE FROM \(quoted(table.name)) WHERE \"event\" = "
    + "'\(HistoryEntry.Event.progressed.rawValue)'"

  package static func append(in dialect: any Dialect) -> String {
    insertion("(SELECT coalesce(max(\"seq\"), 0) + 1 FROM \(quoted(table.name)))", dialect)
  }

  /// Writes a row of ``read`` as it is.
  package static func copy(in dialect: any Dialect) -> String { insertion("?", dialect) }

  private static func insertion(_ sequence: String, _ dialect: any Dialect) -> String {
    let values = [sequence] + repeatElement("?", count: table.columns.count - 1)
    return "\(dialect.insert) \(quoted(table.name)) (\(names)) "
      + "VALUES (\(values.joined(separator: ", ")))"
  }
}

/// An event of a store's history.
public struct HistoryEntry: Hashable, Sendable, Codable {
  /// What happened.
  package enum Event: String, Hashable, Sendable {
    case applied, undone, baselined, repaired
    /// A step of many transactions is not over; there is one such entry at most, and it moves.
    case progressed
    /// What another tool applied, before the database became a store.
    case imported
  }

  /// The number in the order of events; 0 before the entry is written.
  public package(set) var sequence: Int64 = 0
  /// The number of the migration's file, "-" for a step without one.
  public package(set) var id: String
  /// The name of the file, without number and extension.
  public package(set) var name: String
  /// What kind of step it was; text, because a newer version may know more.
  public package(set) var kind: String
  /// What happened to it: applied, undone, baselined, imported, repaired or progressed; text,
  /// because a newer version may know more.
  public package(set) var event: String
  /// The checksum of the file's text, when there is one.
  public package(set) var checksum: String?
  /// How the checksum was computed.
  public package(set) var algorithm: String?
  /// The hash of the store's model before.
  public package(set) var modelBefore: String?
  /// The hash of the store's model after.
  public package(set) var modelAfter: String?
  /// How far a step of many transactions is: the last key that it did.
  public package(set) var cursor: String?
  /// When it began, in ISO form, UTC.
  public package(set) var started = ""
  /// When it was over, likewise.
  public package(set) var finished = ""
  /// The program.
  public package(set) var tool = ""
  /// The database engine.
  public package(set) var engine = ""
  /// The computer.
  public package(set) var host = ""
  /// The user.
  public package(set) var user = ""
  /// Reserved for plans; always `nil` so far.
  package var plan: String?

  package init(
    id: String, name: String, kind: String, event: Event, checksum: String? = nil,
    algorithm: String? = nil, modelBefore: String? = nil, modelAfter: String? = nil
  ) {
    (self.id, self.name, self.kind) = (id, name, kind)
    self.event = event.rawValue
    (self.checksum, self.algorithm, self.modelBefore, self.modelAfter) = (
      checksum, algorithm, modelBefore, modelAfter
    )
  }

  /// Whether it says how far the parts are that are made beside programs: what names them is in
  /// front of the numbers.
  package var isOfParts: Bool {
    event == Event.progressed.rawValue && cursor?.contains(" ") == true
  }

  /// Reads a row of ``HistoryTable/read``; `nil` for any other row.
  package init?(row: [SQLValue]) {
    guard row.count == HistoryTable.table.columns.count, case .integer(let sequence) = row[0] else {
      return nil
    }
    let texts = row.map { value -> String? in
      if case .text(let text) = value { text } else { nil }
    }
    self.sequence = sequence
    id = texts[1] ?? ""
    name = texts[2] ?? ""
    kind = texts[3] ?? ""
    event = texts[4] ?? ""
    (checksum, algorithm, modelBefore, modelAfter) = (texts[5], texts[6], texts[7], texts[8])
    cursor = texts[9]
    (started, finished) = (texts[10] ?? "", texts[11] ?? "")
    (tool, engine, host, user) =
      (texts[12] ?? "", texts[13] ?? "", texts[14] ?? "", texts[15] ?? "")
    plan = texts[16]
  }

  /// The values for ``HistoryTable/append(in:)``.
  package var values: [SQLValue] {
    let texts: [String?] = [
      id, name, kind, event, checksum, algorithm, modelBefore, modelAfter, cursor, started,
      finished, tool, engine, host, user, plan,
    ]
    return texts.map { $0.map(SQLValue.text) ?? .null }
  }
}
