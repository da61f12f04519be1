internal import ArgumentParser

/// The command `oxbowctl store …`.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Describes, checks, backs up and restores stores.",
    subcommands: [
      StoreInfoCommand.self, StoreHistoryCommand.self, StoreDoctorCommand.self,
      StoreCheckCommand.self,
      StoreBackupCommand.self,
      StoreRestoreCommand.self, StoreCompactCommand.self,
    ])
}
