internal import ArgumentParser
internal import OxbowModel

/// The command `oxbowctl model …`.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Checks and shows model documents.",
    subcommands: [ModelCheckCommand.self, ModelShowCommand.self])
}

/// The documents that a command is about.
struct ModelPaths: ParsableArguments {
  @Argument(help: "An .xcdatamodeld or .xcdatamodel folder, or a file of one; several are merged.")
  var paths: [String]
}
