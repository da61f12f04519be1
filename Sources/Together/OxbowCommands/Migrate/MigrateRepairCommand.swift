internal import ArgumentParser
internal import OxbowMigration

struct MigrateRepairCommand: ToolCommand {
  static let words = "migrate repair"
  static let configuration = help(
    abstract: "Shows files that were changed after they were applied, and accepts them.",
    discussion: """
      The store keeps checksums and no texts: what changed is seen in the version control. With \
      --accept the store's history notes the texts of now; nothing of them is run, so do it for \
      comments only. Without it exit code 2 when there are such files.
      """)

  @OptionGroup var options: MigrationOptions
  @Flag(name: .long, help: "Accept the texts that the files have now.")
  var accept = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try options.requireStore()
    if options.migrations == nil { throw ValidationError("Give --migrations DIR.") }
  }

  func result(_ console: Console) throws -> MigrateRepairResult {
    let migrator = try options.migratorOfStore()
    let files = try accept ? migrator.acceptChangedFiles() : migrator.changedFiles()
    return MigrateRepairResult(
      store: options.shown, accepted: accept, files: files,
      next: options.command("repair") + " --accept")
  }
}

struct MigrateRepairResult: ToolResult {
  let store: String
  let accepted: Bool
  let files: [ChangedFile]

  let next: String

  enum CodingKeys: CodingKey {
    case store, accepted, files
  }

  var exitCode: Int32 { files.isEmpty || accepted ? 0 : 2 }
  var hint: String? {
    exitCode == 0 ? nil : "next: look at what changed; when nothing that runs did: \(next)"
  }

  var lines: [String] {
    guard !files.isEmpty else { return ["no applied file was changed"] }
    return files.map { file in
      accepted
        ? "accepted \(file.name)"
        : "\(file.name): applied \(file.applied) as \(short(file.checksumApplied)), is now "
          + short(file.checksum)
    }
  }
}
