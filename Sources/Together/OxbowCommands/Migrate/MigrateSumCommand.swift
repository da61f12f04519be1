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

  @OptionGroup var folder: MigrationsFolder
  @OptionGroup var output: OutputOptions

  private var migrations: String { folder.path }

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
