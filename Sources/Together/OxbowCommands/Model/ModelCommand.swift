internal import ArgumentParser

/// The command `oxbowctl model …`.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Checks, shows, compares and writes models and their classes.",
    subcommands: [
      ModelCheckCommand.self, ModelShowCommand.self, ModelDiffCommand.self,
      ModelExportCommand.self, ModelGenerateCommand.self,
    ])
}
