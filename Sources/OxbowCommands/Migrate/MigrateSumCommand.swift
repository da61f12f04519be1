internal import ArgumentParser
internal import OxbowMigration

/// The command `oxbowctl migrate sum`.
struct MigrateSumCommand: ToolCommand {
  static let words = "migrate sum"

  static let configuration = CommandConfiguration(
    commandName: "sum",
    abstract: "Writes oxbow.sum, the checksums of all steps, anew.",
    discussion:
      "While the file is there, every command refuses a folder that does not agree with it.")

  @Option(name: .long, help: "The folder of the migration files.")
  var migrations: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateSumResult {
    try WrittenFile.takingTurns(in: migrations) {
      MigrateSumResult(path: try MigrationSequence.writeSum(folder: migrations))
    }
  }
}

/// The file that was written.
struct MigrateSumResult: ToolResult {
  let path: String

  var lines: [String] { ["wrote \(path)"] }
}
