internal import ArgumentParser
internal import OxbowMigration

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
  @OptionGroup var change: ChangeOptions
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateUndoResult {
    let migrator = try options.migratorOfStore(
      busyMilliseconds: change.busyMilliseconds, sharesStore: change.sharesStore)
    try change.backUp(options.store, console)
    Interruption.watch()
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
