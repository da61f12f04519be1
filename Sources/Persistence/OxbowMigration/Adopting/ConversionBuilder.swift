internal import OxbowModel
internal import OxbowRelational

/// Decides how a store's tables are filled from those of another tool, and which rows prevent it.
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
    (self.schema, self.mapping, self.values) = (schema, mapping, values)
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
      removals: schema.removals)
  }

  mutating func refuse(_ problem: String) { problems.append(problem) }

  mutating func check(_ statement: String, _ subject: String, advice: String) {
    checks.append(DataCheck(.counted(by: statement), subject, advice: advice))
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
  package enum Kind: String, Sendable, Encodable {
    case values, rows, links, table, index, view, trigger
  }

  package let kind: Kind
  package let subject: String

  /// What counts it; `nil` for what is one thing.
  let condition: DataCheck.Condition?

  package var count = 1

  private enum CodingKeys: CodingKey {
    case kind, subject, count
  }
}

// MARK: - Foreign keys

extension ConversionBuilder {
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

  /// The key of the object that a column leads to; a row whose reference leads nowhere is refused.
  mutating func key(
    _ column: String, _ foreignKey: ForeignKey, in rows: ForeignRows, advice: String
  ) -> String {
    let (old, parent) = (rows.column(column), foreignKey.parent.table)
    let new = rows.lookup(old, in: parent, by: foreignKey.key)
    check(
      rows.count(losing: old, as: new),
      "rows of '\(rows.table.name)' whose '\(column)' leads to no row of '\(parent.name)'",
      advice: advice)
    return new
  }
}
