internal import ArgumentParser
internal import OxbowDocuments
internal import OxbowModel

struct ModelCheckCommand: ToolCommand {
  static let words = "model check"
  static let configuration = help(
    abstract: "Reports everything that is wrong with model documents, and what is not used.",
    discussion: """
      Exit code 2 when something is wrong, also when the model is valid and no store can keep it. \
      Notes name what is valid and not used.
      """)

  @OptionGroup var documents: ModelPaths
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ModelCheckResult {
    var result = ModelCheckResult(documents: documents.paths.count)
    do throws(PersistenceError) {
      let read = try ModelDocument.read(documents.paths)
      result.notes = read.flatMap(\.notes).map {
        ModelCheckResult.Note(location: $0.location?.description ?? "", message: $0.text)
      }
      let model = try ManagedObjectModel.merging(read.map(\.model))
      result.entities = model.entities.count
      try model.validate()
      result.hash = model.versionHash
      try model.requireStorable()
    } catch {
      result.problems = (error.problems.isEmpty ? [error] : error.problems).map(ToolFailure.init)
    }
    return result
  }
}

struct ModelCheckResult: ToolResult {
  struct Note: Encodable {
    let location: String
    let message: String
  }

  var documents: Int
  var entities = 0
  var hash: String?
  var notes: [Note] = []
  var problems: [ToolFailure] = []

  var lines: [String] {
    let found =
      problems.map { problem in
        let location = problem.location.map { "\($0): " } ?? ""
        return "\(location)error: \(problem.message)\(problem.afterMessage)"
      } + notes.map { ($0.location.isEmpty ? "" : "\($0.location): ") + "note: \($0.message)" }
    let whole = counted(documents, "document") + ", " + counted(entities, "entity", "entities")
    guard let hash else {
      return found + ["not valid: " + counted(problems.count, "problem") + " in " + whole]
    }
    let verdict = problems.isEmpty ? "valid" : "valid, but no store can keep it"
    return found + ["\(verdict): \(whole), \(counted(notes.count, "note"))", "hash   \(hash)"]
  }

  var exitCode: Int32 { problems.isEmpty ? 0 : 2 }
}
