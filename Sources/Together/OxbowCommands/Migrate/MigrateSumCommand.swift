internal import ArgumentParser
internal import OxbowMigration

struct MigrateSumCommand: ToolCommand {
  static let words = "migrate sum"
  static let configuration = help(
    abstract: "Writes oxbow.sum, the checksums of all steps, anew.",
    discussion:
      "While the file is there, every command refuses a folder that does not agree with it.")

  @OptionGroup var folder: MigrationsFolder
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateSumResult {
    try WrittenFile.takingTurns(in: folder.path) {
      MigrateSumResult(path: try MigrationSequence.writeSum(folder: folder.path))
    }
  }
}

struct MigrateSumResult: ToolResult {
  let path: String

  var lines: [String] { ["wrote \(path)"] }
}
