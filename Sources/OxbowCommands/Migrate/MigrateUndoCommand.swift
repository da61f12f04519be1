internal import ArgumentParser
internal import OxbowMigration
internal import OxbowSQLite

/// The command `oxbowctl migrate undo`.
struct MigrateUndoCommand: ToolCommand {
  static let words = "migrate undo"

  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Takes back the last step that a store has had.",
    discussion: """
      For a model step the way back follows from the two models; a script says it in its section \
      "down", a step in Swift in its undo. What a step removed does not come back: plan says before \
      which steps can be taken back, and how.
      """)

  @OptionGroup var options: MigrationOptions
  @Flag(name: .customLong("allow-loss"), help: "Remove what was entered for what the step added.")
  var allowsLoss = false
  @Flag(
    name: .customLong("while-open"),
    help: "Migrate although other processes have the store open; their next save fails.")
  var sharesStore = false
  @Option(name: .long, help: "Copy the store to this path before.")
  var backup: String?
  @Option(name: .long, help: "How many seconds to wait for the store.")
  var wait = 5.0
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard wait >= 0, wait <= 86_400 else {
      throw ValidationError("--wait is a number of seconds from 0 to 86400.")
    }
  }

  func result(_ console: Console) throws -> MigrateUndoResult {
    let migrator = try options.migratorOfStore(
      busyMilliseconds: Int(wait * 1000), sharesStore: sharesStore)
    if let backup {
      try SQLiteStoreFile(options.store).backUp(to: backup)
      console.note("copied '\(options.store)' to '\(backup)'")
    }
    return MigrateUndoResult(options.store, try migrator.undo(allowsLoss: allowsLoss))
  }
}

/// The step that was taken back.
struct MigrateUndoResult: ToolResult {
  let store: String
  let id: String
  let name: String
  let kind: MigrationStepKind
  let modelBefore: String?
  let modelAfter: String
  let seconds: Double

  init(_ store: String, _ step: AppliedStep) {
    self.store = store
    (id, name, kind) = (step.id, step.name, step.kind)
    (modelBefore, modelAfter, seconds) = (step.modelBefore, step.modelAfter, step.seconds)
  }

  var lines: [String] { ["took back \(id) \(name)", "model \(short(modelAfter))"] }
}
