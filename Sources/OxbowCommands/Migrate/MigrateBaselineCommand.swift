internal import ArgumentParser
internal import OxbowMigration
internal import OxbowSQLite

/// The command `oxbowctl migrate baseline`.
struct MigrateBaselineCommand: ToolCommand {
  static let words = "migrate baseline"

  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Notes in a store without a history that steps count as done.",
    discussion: """
      A store's model says by itself which steps it has had. This is for scripts that leave the model \
      as it is and whose work the store has already: without it they are pending. The store must \
      have the model that the steps lead to, and its tables.

      A database that another tool made becomes a store when its tables are those of the model that \
      the steps lead to: its rows stay as they are, and the names of the migrations that GRDB has \
      applied (grdb_migrations) are noted in the store's history. --show only tells what is there.
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step that counts as done.")
  var last: Int?
  @Flag(name: .customLong("show"), help: "Only tell what a database of another tool has.")
  var onlyShows = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if options.migrations == nil, !onlyShows {
      throw ValidationError("Give --migrations DIR, or --show.")
    }
  }

  func result(_ console: Console) throws -> MigrateBaselineResult {
    if let database = try ForeignDatabase.at(options.store) {
      return try result(database, console)
    }
    if onlyShows {
      _ = try options.migratorOfStore()
      return MigrateBaselineResult(store: options.store, onlyShows: true)
    }
    return MigrateBaselineResult(
      store: options.store, last: try options.migratorOfStore().baseline(upTo: last))
  }

  private func result(
    _ database: ForeignDatabase, _ console: Console
  ) throws -> MigrateBaselineResult {
    var result = MigrateBaselineResult(store: options.store, onlyShows: onlyShows)
    result.imported = .init(database)
    guard !onlyShows else { return result }
    result.imported?.lines.forEach { console.note($0) }
    result.last = try options.migrator().adopt(
      upTo: last, history: database.migrations, of: database.tool ?? "SQL")
    return result
  }
}

/// The steps that count as done.
struct MigrateBaselineResult: ToolResult {
  /// A database that another tool made.
  struct Imported: Encodable {
    struct Table: Encodable {
      let name: String
      let rows: Int
    }

    let tool: String?
    let migrations: [String]
    let tables: [Table]

    init(_ database: ForeignDatabase) {
      tool = database.tool
      migrations = database.migrations
      tables = database.tables.map { Table(name: $0.name, rows: $0.rows) }
    }

    var lines: [String] {
      let history = tool.map { "\($0) has applied \(counted(migrations.count, "migration"))" }
      return ["a database of another tool; \(history ?? "no history of migrations is recognised")"]
        + migrations.map { "  \($0)" }
        + tables.map { "table \($0.name): \(counted($0.rows, "row"))" }
    }
  }

  let store: String
  var last: String?

  /// What the database was; `nil` for a store.
  var imported: Imported?
  var onlyShows = false

  enum CodingKeys: CodingKey {
    case store, last, imported
  }

  var lines: [String] {
    if onlyShows { return imported?.lines ?? ["it is a store already; see 'migrate status'"] }
    return [
      last.map { "all steps up to \($0) count as done" } ?? "nothing to do: the store has a history"
    ]
  }
}
