internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational

struct MigrateNewCommand: ToolCommand {
  static let words = "migrate new"
  static let configuration = help(
    abstract:
      "Writes the next step: from the model that the folder leads to, to the one given.",
    discussion: """
      A renamed entity or property keeps its data when its renaming identifier names it. With --sql \
      the step is a script to be filled in; with --code it is the stub of a step in Swift, which the \
      project's own tool has (OxbowTool.main(types:steps:)).
      """
  )

  @Argument(help: "The name of the step: letters, digits, \"-\" and \"_\".")
  var name: String
  @Option(
    name: .long, parsing: .upToNextOption,
    help: "The model documents; several are merged. The program's own classes when it is left out.",
    completion: .file())
  var model: [String] = []
  @OptionGroup var folder: MigrationsFolder
  @Flag(name: .long, help: "Write a script.")
  var sql = false
  @Flag(name: .long, help: "Write the stub of a step in Swift.")
  var code = false
  @Option(
    name: .long,
    help: """
      With --code: the command that applies the step, for those without it \
      ('\(ToolName.runningSteps)' unless given).
      """)
  var run: String?
  @Flag(
    name: .customLong("allow-loss"), help: "Record in the file that the data that goes may go.")
  var allowsLoss = false
  @Flag(
    name: .customLong("no-sum"), help: "Write no oxbow.sum with the first step.")
  var leavesSum = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if sql, code { throw ValidationError("Give --sql or --code, not both.") }
    if sql || code, !model.isEmpty {
      throw ValidationError("--model is for model steps; leave it out with --sql and --code.")
    }
    if !code, run != nil { throw ValidationError("--run is for --code.") }
    if sql || code, allowsLoss {
      throw ValidationError("--allow-loss is for model steps; leave it out with --sql and --code.")
    }
    if !sql, !code, model.isEmpty, ModelSource.classes == nil {
      throw ValidationError("Give --model PATH, or --sql, or --code.")
    }
  }

  func result(_ console: Console) throws -> MigrateNewResult {
    // What is wrong with the name or the model leaves no folder behind.
    try MigrationSequence.requireName(name)
    let target = try target()
    try makeFolder()
    return try WrittenFile.takingTurns(in: folder.path) {
      let sequence = try MigrationSequence(folder: folder.path)
      var result = try add(to: sequence, target)
      if result.path != nil, sequence.files.isEmpty, !leavesSum {
        result.sum = try MigrationSequence.writeSum(folder: folder.path)
      } else if result.path != nil, !leavesSum, !sequence.hasSum {
        console.note(
          "note: the folder has no oxbow.sum, and none was written; to have one: "
            + "\(ToolName.current) migrate sum --migrations \(folder.path.shellWord)")
      }
      return result
    }
  }

  private func target() throws -> ManagedObjectModel? {
    guard !sql, !code else { return nil }
    let target =
      model.isEmpty ? try ModelSource.ofClasses() : try ManagedObjectModel(contentsOf: model)
    try target.validate()
    return target
  }

  private func add(
    to sequence: MigrationSequence, _ target: ManagedObjectModel?
  ) throws -> MigrateNewResult {
    guard let target else {
      let path =
        sql
        ? try sequence.addScript(named: name)
        : try sequence.addCodeStep(named: name, run: run ?? ToolName.runningSteps)
      return MigrateNewResult(
        path: path, model: sequence.lastModel,
        advice: code ? "give OxbowTool.main(steps:) a step .plain(\"\(name)\") { rows in … }" : nil)
    }
    let file = try sequence.addModelStep(named: name, to: target, allowsLoss: allowsLoss)
    return MigrateNewResult(
      path: file?.path, model: target.versionHash,
      changes: file?.difference.changes.map(\.description) ?? [],
      modelChanges: file?.difference.changes ?? [], losses: file?.losses ?? [],
      hints: file?.hints.map { "\($0.message); \($0.advice)" } ?? [], lossAllowed: allowsLoss,
      ignored: file == nil ? Self.renames(sequence, target) : [])
  }

  /// The renames that identifiers ask for in a model whose hash is that of the folder's last one:
  /// two names that were exchanged with each other are the same names.
  private static func renames(
    _ sequence: MigrationSequence, _ target: ManagedObjectModel
  ) -> [String] {
    guard let last = sequence.lastModel.flatMap({ sequence.models[$0] }) else { return [] }
    return ModelDifference(from: last, to: target).changes.filter { $0.kind == .renamed }
      .map(\.description)
  }

  private func makeFolder() throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    try TextFile.makeFolder(folder.path, withParents: false)
  }
}

struct MigrateNewResult: ToolResult {
  let path: String?
  let model: String?

  /// The file of checksums, when it was made.
  var sum: String?
  var changes: [String] = []

  /// The same as ``changes``, for programs.
  var modelChanges: [ModelChange] = []

  /// What goes where a store has any.
  var losses: [String] = []

  var hints: [String] = []

  /// Whether the file allows that it goes.
  var lossAllowed = false

  /// Renames that identifiers ask for and that change no hash.
  var ignored: [String] = []

  var advice: String?

  var hint: String? { advice.map { "next: \($0)" } }

  var lines: [String] {
    guard let path else {
      return ["nothing to do: the migrations lead to the model \(short(model)) already"]
        + (ignored.isEmpty ? [] : Self.explanation(ignored))
    }
    let losses = losses.map { "  removes \($0), where there are any" }
    let consent =
      losses.isEmpty || lossAllowed
      ? []
      : [
        "  apply refuses that in stores that have some, unless --allow-loss is given there or here"
      ]
    return ["wrote \(path)"] + (sum.map { ["wrote \($0)"] } ?? []) + changes.map { "  \($0)" }
      + losses + consent
      + hints.map { "  \($0)" }
  }
}

extension MigrateNewResult {
  fileprivate static func explanation(_ ignored: [String]) -> [String] {
    ignored.map { "  not done: \($0)" } + [
      "  The names are the same as before, and so is the hash. Give one of the items a hash "
        + "modifier (Xcode: versioning hash modifier), so that there is another version."
    ]
  }
}
