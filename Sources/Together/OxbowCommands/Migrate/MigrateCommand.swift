internal import ArgumentParser

/// The command `oxbowctl migrate …`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Changes a store from one version of its model to another.",
    discussion: """
      With --migrations the steps of that folder are applied in order. Without it, the step is \
      inferred from the model that the store keeps and the one given.

      \(ToolName.current) migrate new initial \\
        --model Catalog.xcdatamodeld --migrations Migrations
      \(ToolName.current) migrate plan --store catalog.sqlite --migrations Migrations
      \(ToolName.current) migrate apply --store catalog.sqlite --migrations Migrations
      """,
    subcommands: [
      MigrateStatusCommand.self, MigratePlanCommand.self, MigrateApplyCommand.self,
      MigrateUndoCommand.self, MigrateVerifyCommand.self, MigrateNewCommand.self,
      MigrateLintCommand.self, MigrateDriftCommand.self, MigrateBaselineCommand.self,
      MigrateRepairCommand.self, MigrateSquashCommand.self, MigrateSumCommand.self,
    ])
}
