internal import ArgumentParser
internal import OxbowMigration

struct MigrateDriftCommand: ToolCommand {
  static let words = "migrate drift"
  static let configuration = help(
    abstract: "Compares a store's tables with those of its model. Writes nothing.",
    discussion: """
      Something else than a migration changed what is found; no step starts before it is put right. \
      Exit code 2 for differences. The model is the one that the store keeps, or is found among the \
      migrations.
      """)

  @OptionGroup var options: MigrationOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try options.requireStore() }

  func result(_ console: Console) throws -> MigrateDriftResult {
    MigrateDriftResult(store: options.shown, differences: try options.migratorOfStore().drift())
  }
}

struct MigrateDriftResult: ToolResult {
  let store: String
  let differences: [String]

  var exitCode: Int32 { differences.isEmpty ? 0 : 2 }

  var lines: [String] {
    differences.isEmpty ? ["the tables are those of the model"] : differences
  }
}
