internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel

struct ModelDiffCommand: ToolCommand {
  static let words = "model diff"
  static let configuration = help(
    abstract: "Compares two models.",
    discussion: """
      Each of the two is a model document, a store, or a folder of migrations, whose last model \
      counts. Exit code 0 when they say the same, 1 when they differ, 2 when one cannot be read (65 \
      for a migration file, 69 for a store).
      """)

  @Argument(
    help: "The model before: a document, a store's file or a folder of migrations.",
    completion: .file())
  var before: String
  @Argument(
    help: "The model after; the program's classes when it is left out.", completion: .file())
  var after: String?
  @Option(
    help: "Draw the model after, with what is new, changed and gone, in this language.")
  var format: DrawingFormat?
  @OptionGroup var output: OutputOptions

  static func exitCode(of failure: ToolFailure) -> Int32 {
    failure.exitCode == 1 ? 2 : failure.exitCode
  }

  func result(_ console: Console) throws -> ModelDiffResult {
    let old = try ModelSource.model(at: before)
    let new = try after.map(ModelSource.model) ?? ModelSource.ofClasses()
    let drawing = try format.map { try ModelDrawing(from: old, to: new).text($0) }
    return ModelDiffResult(from: old, to: new, drawing: drawing)
  }
}

struct ModelDiffResult: ToolResult {
  let equal: Bool
  let hashes: [String]
  let changes: [ModelChange]
  let drawing: String?

  init(from old: ManagedObjectModel, to new: ManagedObjectModel, drawing: String? = nil) {
    self.drawing = drawing
    changes =
      ModelDifference(from: old, to: new).changes + ModelRemarks(from: old, to: new).changes
    equal = changes.isEmpty
    hashes = [old.versionHash, new.versionHash]
  }

  var lines: [String] {
    if let drawing { return [drawing] }
    guard !equal else { return ["equal  \(short(hashes[0]))"] }
    let stored = changes.count(where: \.isStored)
    return changes.map(\.description.oneLine) + [
      "\(counted(changes.count, "change")), \(stored) of them in what a store keeps",
      "\(short(hashes[0])) → \(short(hashes[1]))",
    ]
  }

  var exitCode: Int32 { equal ? 0 : 1 }
}
