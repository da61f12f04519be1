internal import ArgumentParser

/// The command `oxbowctl model …`.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Checks and shows model documents.",
    subcommands: [ModelCheckCommand.self, ModelShowCommand.self])
}
