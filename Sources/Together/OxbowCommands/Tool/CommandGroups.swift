internal import ArgumentParser

struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container", abstract: "Checks, explains and draws wiring files.",
    subcommands: [
      ContainerCheckCommand.self, ContainerExplainCommand.self, ContainerGraphCommand.self,
    ])
}

struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Checks, shows, compares, draws and writes models and their classes.",
    subcommands: [
      ModelCheckCommand.self, ModelShowCommand.self, ModelDiffCommand.self,
      ModelGraphCommand.self, ModelExportCommand.self, ModelGenerateCommand.self,
      ModelHashesCommand.self,
    ])
}

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

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Describes, checks, backs up and restores stores.",
    subcommands: [
      StoreCreateCommand.self,
      StoreInfoCommand.self, StoreFetchCommand.self, StoreExportCommand.self,
      StoreConvertCommand.self, StoreCopyCommand.self, StoreMigrateCommand.self,
      StoreHistoryCommand.self, StoreUndoCommand.self,
      StoreDoctorCommand.self, StoreCheckCommand.self, StoreBackupCommand.self,
      StoreRestoreCommand.self, StoreMoveCommand.self, StoreCompactCommand.self,
    ])
}
