internal import ArgumentParser
internal import OxbowMigration

struct MigrateUndoCommand: ToolCommand {
  static let words = "migrate undo"
  static let configuration = help(
    abstract: "Takes back the last step that a store has had, or all behind a number.",
    discussion: """
      For a model step the way back follows from the two models; a script says it in its section \
      "down", a step in Swift in its undo. What a step removed does not come back: plan says before \
      which steps can be taken back, and how.

      With --to all steps behind a number are taken back, the last one first, in one transaction: \
      when one of them cannot be, none is. --allow-loss is for all of them.
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("to"), help: "The number of the last step to keep.")
  var number: Int?
  @Flag(name: .customLong("allow-loss"), help: "Remove what was entered for what the step added.")
  var allowsLoss = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try options.requireStore() }

  func result(_ console: Console) throws -> MigrateUndoResult {
    let migrator = try options.migratorOfStore(change)
    Interruption.watch()
    let steps = try change.backingUp(options.store, migrator, console) { migrator in
      try number.map { try migrator.undo(to: $0, allowsLoss: allowsLoss) }
        ?? [try migrator.undo(allowsLoss: allowsLoss)]
    }
    return MigrateUndoResult(store: options.shown, steps: steps)
  }
}

struct MigrateUndoResult: ToolResult {
  let store: String
  let steps: [AppliedStep]

  var lines: [String] {
    steps.map { "took back \($0.id) \($0.name)" }
      + (steps.last.map { ["model \(short($0.modelAfter))"] } ?? [])
  }
}
