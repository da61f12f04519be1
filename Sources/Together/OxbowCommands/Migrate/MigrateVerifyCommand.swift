internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowSQLite

struct MigrateVerifyCommand: ToolCommand {
  static let words = "migrate verify"
  static let configuration = help(
    abstract: "Tries on a copy whether each pending step can be taken back.",
    discussion: """
      The store is copied into a temporary folder, or on a server into a schema beside. There each pending step is applied, taken back and \
      applied again: tables and rows must be the same as after applying it once, and for a step that \
      loses nothing the same as before after taking it back. Exit code 2 when they are not. A step \
      without a way back is reported and is not a finding.
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step.")
  var last: Int?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try options.requireStore()
    if options.migrations == nil { throw ValidationError("Give --migrations DIR.") }
  }

  func result(_ console: Console) throws -> MigrateVerifyResult {
    // Ctrl-C must not leave the copy behind.
    Interruption.watch()
    // A refusal names the store, and not its copy.
    try options.migrator().requirePlace()
    if let server = options.server {
      let steps = try server.withCopy { try options.migrator(over: $0).verify(upTo: last) }
      return MigrateVerifyResult(store: options.shown, steps: steps)
    }
    let steps = try WrittenFile.withTemporaryFolder("verify") { folder in
      let copy = folder.appending(path: "store.sqlite").path
      if FileManager.default.fileExists(atPath: options.store) {
        try Waiting.stopping(when: { Interruption.isRequested }) {
          try SQLiteStoreFile(options.store).backUp(to: copy)
        }
      }
      return try options.migrator(over: options.file(at: copy)).verify(upTo: last)
    }
    return MigrateVerifyResult(store: options.shown, steps: steps)
  }
}

struct MigrateVerifyResult: ToolResult {
  let store: String
  let steps: [VerifiedStep]

  var exitCode: Int32 { steps.contains { [.differs, .failed].contains($0.outcome) } ? 2 : 0 }

  var lines: [String] {
    guard !steps.isEmpty else { return ["nothing is pending"] }
    return steps.flatMap { step in
      ["\(step.name): \(words(step))"] + step.details.map { "  \($0)" }
    }
  }

  private func words(_ step: VerifiedStep) -> String {
    switch step.outcome {
    case .proved:
      step.reversibility == .lossless
        ? "can be taken back without loss" : "can be taken back, not without loss"
    case .irreversible: "cannot be taken back"
    case .differs: "DIFFERS"
    case .failed: "CANNOT BE TAKEN BACK: its way back fails"
    }
  }
}
