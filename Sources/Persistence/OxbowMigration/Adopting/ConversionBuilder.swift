internal import OxbowModel
internal import OxbowRelational

/// Makes the statements that fill a store's tables from those of another tool, and those that find
/// the rows for which that is not possible.
struct ConversionBuilder {
  let schema: ForeignSchema
  let mapping: StoreMapping
  let values: ForeignValues
  let match: ForeignMatch

  var fills: [TableConversion.Fill] = []
  var checks: [DataCheck] = []
  var losses: [ForeignLoss] = []
  var problems: [String]

  init(
    _ schema: ForeignSchema, _ mapping: StoreMapping, _ values: ForeignValues, _ map: ForeignMap
  ) {
    self.schema = schema
    self.mapping = mapping
    self.values = values
    match = ForeignMatcher.match(schema, mapping, map)
    problems = match.problems
    if match.objects.isEmpty {
      let tables = schema.tables.filter { $0.kind == .ordinary }.map(\.name)
      refuse(
        "no table has the name of an entity: the tables are \(PersistenceError.listed(tables)), the "
          + "entities \(PersistenceError.listed(mapping.model.entities.map(\.name))); is it the right "
          + "model? Otherwise say what is what (--map TABLE=Entity)")
    }
    if !schema.isUTF8 {
      refuse(
        "the database keeps its text in UTF-16, and a store in UTF-8; write it anew with 'sqlite3 "
          + "OLD .dump | sqlite3 NEW', and convert that")
    }
    for objects in match.objects { add(objects) }
    for links in match.links { add(links) }
    addLosses()
  }

  var model: CompiledModel { mapping.model }

  /// The conversion; only without ``problems``.
  var conversion: TableConversion {
    let filled = Set(fills.map(\.table.name))
    return TableConversion(
      fills: fills, emptyTables: mapping.tables.filter { !filled.contains($0.name) },
      removals: removals)
  }

  /// What removes the other tool's tables, with views and triggers first, which refer to them.
  ///
  /// A module removes its own tables.
  private var removals: [String] {
    let tables = schema.tables.filter { $0.kind != .shadow }
    let virtual = tables.filter { $0.kind == .virtual } + tables.filter { $0.kind != .virtual }
    return schema.parts.map { "DROP \($0.type.uppercased()) \(quoted($0.name))" }
      + virtual.map { "DROP TABLE \(quoted($0.name))" }
  }

  mutating func refuse(_ problem: String) { problems.append(problem) }

  mutating func check(_ statement: String, _ subject: String, advice: String) {
    checks.append(DataCheck(.counted(by: statement), .init(subject, advice: advice)))
  }

  mutating func lose(
    _ kind: ForeignLoss.Kind, _ subject: String, _ statement: String? = nil
  ) {
    losses.append(
      ForeignLoss(
        kind: kind, subject: subject, condition: statement.map { .counted(by: $0) }))
  }
}

/// What has no target in a model.
package struct ForeignLoss: Sendable, Encodable {
  /// What kind of thing it is.
  package enum Kind: String, Sendable, Encodable {
    case values, rows, links, table, index, view, trigger
  }

  package let kind: Kind
  package let subject: String

  /// What counts it; `nil` for what is one thing.
  let condition: DataCheck.Condition?

  /// How many there are.
  package var count = 1

  private enum CodingKeys: CodingKey {
    case kind, subject, count
  }
}

// MARK: - Names in statements

extension ConversionBuilder {
  /// A column of a table under a short name.
  func column(_ alias: String, _ name: String) -> String { "\"\(alias)\".\(quoted(name))" }

  /// The number of a row: the key of its object.
  func key(of table: ForeignSchema.Table, _ alias: String) -> String? {
    if let name = table.keyColumn { return column(alias, name) }
    if table.isWithoutRowID {
      let order = table.primaryKey.map { column(alias, $0) }.joined(separator: ", ")
      return "row_number() OVER (ORDER BY \(order))"
    }
    let name = ["rowid", "_rowid_", "oid"].first { table.column($0) == nil }
    return name.map { "\"\(alias)\".\($0)" }
  }

  /// What the order of the rows is that of, where nothing else says one.
  func order(of table: ForeignSchema.Table, _ alias: String) -> String {
    table.isWithoutRowID
      ? table.primaryKey.map { column(alias, $0) }.joined(separator: ", ")
      : key(of: table, alias) ?? "1"
  }

  /// Where a column of keys leads, or `nil` with a problem.
  mutating func foreignKey(
    _ name: String, of table: ForeignSchema.Table, to destination: CompiledEntity
  ) -> ForeignKey? {
    let reference = table.reference(of: name)
    let parent =
      reference.map { match.objects(of: $0.table) }
      ?? match.objects.first { $0.entity.isKind(of: destination) }
    guard let parent, parent.entity.isKind(of: destination) else {
      refuse(
        "the column '\(table.name).\(name)' has keys of "
          + (reference.map { "the table '\($0.table)', which" } ?? "a table that")
          + " does not become the entity '\(destination.name)'")
      return nil
    }
    let keys = reference.keys(in: parent.table)
    guard keys.count == 1 else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name)', whose primary key has "
          + "\(keys.count) columns; give that table an INTEGER PRIMARY KEY with the tool that made it"
      )
      return nil
    }
    guard let key = parent.table.column(keys[0]) else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name).\(keys[0])', which is not "
          + "there; mend the foreign key with the tool that made it")
      return nil
    }
    guard !parent.table.isWithoutRowID else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name)', which is WITHOUT ROWID "
          + "and has no numbers for its rows; make it a table with an INTEGER PRIMARY KEY with the "
          + "tool that made it")
      return nil
    }
    return ForeignKey(parent: parent, key: key.name)
  }

  /// The key of the object that a column leads to; NULL where there is none.
  func lookup(_ value: String, _ foreignKey: ForeignKey) -> String {
    let table = foreignKey.parent.table
    let key = key(of: table, "p") ?? "NULL"
    return "(SELECT \(key) FROM \(quoted(table.name)) AS \"p\" WHERE "
      + "\(column("p", foreignKey.key)) = \(value))"
  }

  func count(_ table: ForeignSchema.Table, where condition: String) -> String {
    "SELECT count(*) FROM \(quoted(table.name)) AS \"t\" WHERE \(condition)"
  }
}
