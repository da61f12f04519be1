internal import ArgumentParser

/// The command `oxbowctl store …`.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Describes stores.", subcommands: [StoreInfoCommand.self])
}
