internal import OxbowMigration
internal import OxbowSQLite

/// The steps that count as done.
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

/// A database that another tool made.
struct ImportedDatabase: Encodable {
  struct Column: Encodable {
    let name: String
    let targets: [String]
  }

  struct Table: Encodable {
    let name: String
    let rows: Int
    var entity: String?
    var relationship: String?
    var columns: [Column]?
  }

  struct Loss: Encodable {
    let kind: ForeignLoss.Kind
    let subject: String
    let count: Int
  }

  let tool: String?
  let migrations: [String]
  private let shown: [Table]

  /// How it becomes a store, where that is asked for.
  var plan: ForeignPlan?

  init(_ database: ForeignDatabase) {
    tool = database.tool
    migrations = database.migrations
    shown = database.tables.map { Table(name: $0.name, rows: $0.rows) }
  }

  enum CodingKeys: CodingKey {
    case tool, migrations, tables, newEntities, losses
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(tool, forKey: .tool)
    try container.encode(migrations, forKey: .migrations)
    try container.encode(tables, forKey: .tables)
    try container.encodeIfPresent(plan?.newEntities, forKey: .newEntities)
    try container.encodeIfPresent(losses, forKey: .losses)
  }

  private var tables: [Table] {
    plan?.tables.map { table in
      Table(
        name: table.name, rows: table.rows, entity: table.entity, relationship: table.relationship,
        columns: table.columns.map { Column(name: $0.name, targets: $0.targets) })
    } ?? shown
  }

  private var losses: [Loss]? {
    plan?.losses.map { Loss(kind: $0.kind, subject: $0.subject, count: $0.count) }
  }

  var lines: [String] {
    let history = tool.map { "\($0) has applied \(counted(migrations.count, "migration"))" }
    return ["a database of another tool; \(history ?? "no history of migrations is recognised")"]
      + migrations.map { "  \($0)" } + tables.flatMap(lines) + (plan.map(lines) ?? [])
  }

  private func lines(_ table: Table) -> [String] {
    let line = "table \(table.name): \(counted(table.rows, "row"))"
    guard let columns = table.columns else { return [line] }
    let target = table.entity ?? table.relationship.map { "links of \($0)" } ?? "nothing"
    var list = OxbowCommands.Table()
    for column in columns {
      list.add(
        column.name,
        "→ " + (column.targets.isEmpty ? "nothing" : column.targets.joined(separator: ", ")))
    }
    return ["\(line) → \(target)"] + list.lines(indentation: 2)
  }

  private func lines(_ plan: ForeignPlan) -> [String] {
    plan.newEntities.map { "new, without objects: \($0)" } + plan.losses.map { "goes: \($0)" }
      + plan.hints.map { "did you mean: --map \($0)" }
  }
}
