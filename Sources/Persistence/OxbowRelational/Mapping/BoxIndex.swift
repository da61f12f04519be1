// An index of boxes (docs/design/box-indexes.md). All of this is file format.
//
// It is a table of SQLite's R*Tree, with the key of each object and the smallest and the largest
// value of each dimension, and triggers of the table of objects that keep it: whatever writes the
// table keeps the index, and no function of ours is in the schema.
//
//   A value is rounded so that the box has all of it: down where it begins, up where it ends. A
//   box of whole numbers has dates as seconds and is clamped to 32 bits, because R*Tree takes the
//   lowest bits of a larger number without a word; others are clamped to the largest `Float`,
//   because R*Tree makes infinity of what is larger, and a condition would not find it. Numbers
//   near 0 are moved away from it, because R*Tree makes 0 of them.
//   An object whose end is before its begin has the box between them: conditions never miss it.
//   An object without a value at either end of each dimension has no box; where other dimensions
//   are whole, the one that is not has all numbers.
//   The trigger of an insert deletes first: `REPLACE` may have removed a row without a trigger, and
//   a conflict clause in a trigger is overruled by that of its statement.

/// An index of boxes and its statements.
package struct BoxIndex: Hashable, Sendable {
  package let table: String
  package let name: String

  /// The columns that it has, begin and end of each dimension.
  package let columns: [String]

  /// Whether it has whole numbers of 32 bits, and not such with a fraction.
  package let areWhole: Bool

  /// The index, if it is one of boxes.
  package init?(_ index: IndexSchema, on table: String) {
    guard case .boxes(let areWhole) = index.method else { return nil }
    (self.table, self.name, self.areWhole) = (table, index.name, areWhole)
    columns = index.columns.map(\.name)
  }

  init(name: String, columns: [String], areWhole: Bool, on table: String) {
    (self.table, self.name, self.columns, self.areWhole) = (table, name, columns, areWhole)
  }

  package static let prefix = MetadataTables.prefix + "boxes_"
  private static let suffix = "_tree"

  /// Whether a table is one of boxes, or belongs to one.
  package static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// The ends of the names of the tables that R*Tree itself makes.
  package static let innerSuffixes = ["_node", "_rowid", "_parent"].map { suffix + $0 }

  /// The name of an index, from one that no other has; what R*Tree appends for tables of its own
  /// ends otherwise.
  static func name(_ name: String) -> String { prefix + name + suffix }

  package var schema: IndexSchema {
    var schema = IndexSchema(name: name, columns: columns.map { IndexSchema.Column($0) })
    schema.method = .boxes(areWhole: areWhole)
    return schema
  }

  /// The columns of each dimension.
  var dimensions: [(begin: String, end: String)] {
    stride(from: 0, to: columns.count - 1, by: 2).map { (columns[$0], columns[$0 + 1]) }
  }

  /// The name of the module that keeps it.
  private var module: String { areWhole ? "rtree_i32" : "rtree" }

  /// Its triggers' names.
  package var triggerNames: [String] { Self.triggerNames(of: name) }

  package static func triggerNames(of name: String) -> [String] {
    Event.allCases.map { "\(name)_\($0)" }
  }

  enum Event: CaseIterable { case insert, update, delete }
}

// MARK: - Making it

extension BoxIndex {
  private static let key = quoted(PlainLayout.keyColumn)
  private var columnList: String {
    ([Self.key] + columns.map(quoted)).joined(separator: ", ")
  }

  /// Makes and fills it.
  package var creation: [String] { [tableDefinition] + triggers + [filling] }

  package var tableDefinition: String {
    "CREATE VIRTUAL TABLE \(quoted(name)) USING \(module)(\(columnList))"
  }

  /// Removes it; its table may be gone, and its triggers with it.
  package var removal: [String] { Self.removal(of: name) }

  package static func removal(of name: String) -> [String] {
    triggerNames(of: name).map { "DROP TRIGGER IF EXISTS \(quoted($0))" }
      + ["DROP TABLE IF EXISTS \(quoted(name))"]
  }

  /// Gives it the boxes of all objects.
  package var filling: String {
    insertion("") + " FROM \(quoted(table)) WHERE \(isBoxed(""))"
  }

  package var triggers: [String] { Event.allCases.map { trigger($0) } }

  /// Likewise, as they were before: they did not hear of a key that was set by another name.
  package var formerTriggers: [String] {
    Event.allCases.map { trigger($0, keyNames: []) }
  }

  /// The names by which SQLite lets statements set a key beside the column's.
  private static let keyNames = ["rowid", "oid", "_rowid_"]

  private func trigger(_ event: Event, keyNames: [String] = keyNames) -> String {
    let tree = quoted(name)
    let (when, condition, statements): (String, String, [String]) =
      switch event {
      case .insert:
        (
          "INSERT", isBoxed("NEW."),
          ["DELETE FROM \(tree) WHERE \(Self.key) = NEW.\(Self.key)", insertion("NEW.")]
        )
      case .update:
        (
          "UPDATE OF \(([columnList] + keyNames.map(quoted)).joined(separator: ", "))", hasChanged,
          [
            "DELETE FROM \(tree) WHERE \(Self.key) IN (OLD.\(Self.key), NEW.\(Self.key))",
            "\(insertion("NEW.")) WHERE \(isBoxed("NEW."))",
          ]
        )
      case .delete:
        ("DELETE", isBoxed("OLD."), ["DELETE FROM \(tree) WHERE \(Self.key) = OLD.\(Self.key)"])
      }
    return "CREATE TRIGGER \(quoted("\(name)_\(event)")) AFTER \(when) ON \(quoted(table)) "
      + "WHEN \(condition) BEGIN \(statements.map { $0 + "; " }.joined())END"
  }

  private var hasChanged: String {
    ([PlainLayout.keyColumn] + columns).map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0))" }
      .joined(separator: " OR ")
  }

  /// Whether a row has a box.
  func isBoxed(_ row: String) -> String {
    let dimensions = dimensions.map {
      "\(row)\(quoted($0.begin)) IS NOT NULL AND \(row)\(quoted($0.end)) IS NOT NULL"
    }
    return dimensions.count == 1
      ? dimensions[0] : dimensions.map { "(\($0))" }.joined(separator: " OR ")
  }

  private func insertion(_ row: String) -> String {
    let list = ["\(row)\(Self.key)"] + bounds(row).flatMap { [$0.low, $0.high] }
    return "INSERT INTO \(quoted(name)) (\(columnList)) SELECT \(list.joined(separator: ", "))"
  }
}

// MARK: - Values

extension BoxIndex {
  /// The bounds of a row's box in each dimension.
  func bounds(_ row: String) -> [(low: String, high: String)] {
    dimensions.map { dimension in
      let ends = "\(row)\(quoted(dimension.begin)), \(row)\(quoted(dimension.end))"
      let (low, high) = (rounded("min(\(ends))", "<", "-"), rounded("max(\(ends))", ">", "+"))
      // What has no value in one dimension may be found by another one.
      return dimensions.count == 1
        ? (low, high) : ("coalesce(\(low), \(limits.low))", "coalesce(\(high), \(limits.high))")
    }
  }

  /// A value that R*Tree can have: outside of a cut value, and within the limits.
  private func rounded(_ value: String, _ isCut: String, _ step: String) -> String {
    let whole = "CAST(\(value) AS INTEGER)"
    let number =
      areWhole
      ? "\(whole) \(step) (\(value) \(isCut) \(whole))"
      : "\(value) \(step) (\(value) <> 0 AND \(value) BETWEEN -1e-37 AND 1e-37) * 1e-37"
    return "max(\(limits.low), min(\(limits.high), \(number)))"
  }

  private var limits: (low: String, high: String) {
    areWhole ? ("\(Int32.min)", "\(Int32.max)") : ("-\(Self.largest)", "\(Self.largest)")
  }

  private static let largest = Double(Float.greatestFiniteMagnitude)

  /// A bound of a question as the index compares it: it never excludes what the bound does not.
  func value(ofUpper bound: Double) -> SQLValue { value(bound, .down) }
  func value(ofLower bound: Double) -> SQLValue { value(bound, .up) }

  private func value(_ bound: Double, _ rule: FloatingPointRoundingRule) -> SQLValue {
    guard areWhole else { return .real(max(-Self.largest, min(Self.largest, bound))) }
    let number = max(Double(Int32.min), min(Double(Int32.max), bound)).rounded(rule)
    return .integer(Int64(number))
  }
}

// MARK: - What a database has

extension BoxIndex {
  /// The tables of boxes that a database has: name and definition.
  package static let readTables =
    "SELECT \"name\", \"sql\" FROM main.sqlite_schema WHERE \"type\" = 'table' AND "
    + "\"name\" GLOB '\(prefix)*\(suffix)' ORDER BY \"name\""

  /// The triggers that keep them: name, table, definition.
  package static let readTriggers =
    "SELECT \"name\", \"tbl_name\", \"sql\" FROM main.sqlite_schema WHERE \"type\" = 'trigger' AND "
    + "\"name\" GLOB '\(prefix)*' ORDER BY \"name\""

  /// 1 where the library has R*Tree.
  package static let arePossible =
    "SELECT count(*) FROM pragma_module_list WHERE name = 'rtree_i32'"

  /// An index as its table is declared, with triggers on another one.
  package init?(name: String, definition: String, on table: String) {
    let head = "CREATE VIRTUAL TABLE \(quoted(name)) USING rtree"
    guard definition.hasPrefix(head),
      let start = definition.dropFirst(head.count).firstIndex(of: "("),
      definition.hasSuffix(")")
    else { return nil }
    let list = definition[definition.index(after: start)...].dropLast()
    let names = list.split(separator: ", ").map { $0.dropFirst().dropLast() }
    self.init(
      name: name, columns: names.dropFirst().map(String.init),
      areWhole: definition[..<start].hasSuffix("_i32"), on: table)
    guard tableDefinition == definition else { return nil }
  }

  /// How many objects have a box that conditions could miss, or none.
  package var countMissed: String {
    let boxes = columns.map { "b.\(quoted($0))" }
    let bounds = bounds("r.").flatMap { [$0.low, $0.high] }
    let isMissed = zip(boxes, bounds).enumerated().map { place, pair in
      "\(pair.0) \(place.isMultiple(of: 2) ? ">" : "<") \(pair.1)"
    }
    return "SELECT count(*) FROM \(quoted(table)) AS r LEFT JOIN \(quoted(name)) AS b ON "
      + "b.\(Self.key) = r.\(Self.key) WHERE (\(isBoxed("r."))) AND (b.\(Self.key) IS NULL OR "
      + isMissed.joined(separator: " OR ") + ")"
  }

  /// How many boxes belong to no object, or to one that should have none.
  package var countSuperfluous: String {
    "SELECT count(*) FROM \(quoted(name)) WHERE \(Self.key) NOT IN (SELECT \(Self.key) FROM "
      + "\(quoted(table)) WHERE \(isBoxed("")))"
  }
}
