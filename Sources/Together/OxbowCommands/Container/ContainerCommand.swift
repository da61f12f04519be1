internal import ArgumentParser

/// The command `oxbowctl container …`.
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container", abstract: "Checks, explains and draws wiring files.",
    subcommands: [
      ContainerCheckCommand.self, ContainerExplainCommand.self, ContainerGraphCommand.self,
    ])
}
