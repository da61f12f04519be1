internal import ArgumentParser

/// The command `oxbowctl container …`.
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container", abstract: "Checks wiring files.",
    subcommands: [ContainerCheckCommand.self])
}
