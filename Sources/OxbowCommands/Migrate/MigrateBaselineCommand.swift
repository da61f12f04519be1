internal import ArgumentParser
internal import OxbowMigration

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
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step that counts as done.")
  var last: Int?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if options.migrations == nil { throw ValidationError("Give --migrations DIR.") }
  }

  func result(_ console: Console) throws -> MigrateBaselineResult {
    MigrateBaselineResult(
      store: options.store, last: try options.migratorOfStore().baseline(upTo: last))
  }
}

/// The steps that count as done.
struct MigrateBaselineResult: ToolResult {
  let store: String
  let last: String?

  var lines: [String] {
    [last.map { "all steps up to \($0) count as done" } ?? "nothing to do: the store has a history"]
  }
}
