internal import OxbowMigration
internal import OxbowSQLite

struct MigrateBaselineResult: ToolResult {
  let store: String
  var last: String?

  /// What the database was; `nil` for a store.
  var imported: ImportedDatabase?
  var onlyShows = false

  /// Whether its tables were written anew, and whether that was only planned.
  var converted = false
  var dryRun = false

  /// The command that does what was planned.
  var next: String?

  enum CodingKeys: CodingKey {
    case store, last, imported, converted, dryRun
  }

  var hint: String? { next.map { "next: \($0)" } }

  var lines: [String] {
    if onlyShows { return imported?.lines ?? ["it is a store already; see 'migrate status'"] }
    if dryRun { return imported?.lines ?? [] }
    let done = last.map { "all steps up to \($0) count as done" }
    if converted {
      let model = imported?.plan.map { "model \(short($0.model))" }
      return ["the tables were written anew, and '\(store)' is a store"]
        + [done, model].compactMap(\.self)
    }
    return [done ?? "nothing to do: the store has a history"]
  }
}

struct ImportedDatabase: Encodable {
  let tool: String?
  let migrations: [String]
  private let tables: [Table]

  private struct Table: Encodable {
    let name: String
    let rows: Int
  }

  /// How it becomes a store, where that is asked for.
  var plan: ForeignPlan?

  init(_ database: ForeignDatabase) {
    tool = database.tool
    migrations = database.migrations
    tables = database.tables.map { Table(name: $0.name, rows: $0.rows) }
  }

  enum CodingKeys: CodingKey {
    case tool, migrations, tables
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(tool, forKey: .tool)
    try container.encode(migrations, forKey: .migrations)
    if let plan { return try plan.encode(to: encoder) }
    try container.encode(tables, forKey: .tables)
  }

  var lines: [String] {
    let history = tool.map { "\($0) has applied \(counted(migrations.count, "migration"))" }
    return ["a database of another tool; \(history ?? "no history of migrations is recognised")"]
      + migrations.map { "  \($0)" }
      + (plan.map(lines) ?? tables.map { "table \($0.name): \(counted($0.rows, "row"))" })
  }

  private func lines(_ table: ForeignPlan.Table) -> [String] {
    let target = table.entity ?? table.relationship.map { "links of \($0)" } ?? "nothing"
    var list = OxbowCommands.Table()
    for column in table.columns {
      list.add(
        column.name,
        "→ " + (column.targets.isEmpty ? "nothing" : column.targets.joined(separator: ", ")))
    }
    return ["table \(table.name): \(counted(table.rows, "row")) → \(target)"]
      + list.lines(indentation: 2)
  }

  private func lines(_ plan: ForeignPlan) -> [String] {
    plan.tables.flatMap(lines) + plan.newEntities.map { "new, without objects: \($0)" }
      + plan.losses.map { "goes: \($0)" }
      + plan.hints.map { "did you mean: --map \($0)" }
  }
}
