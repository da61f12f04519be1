internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The command `oxbowctl migrate new`.
struct MigrateNewCommand: ToolCommand {
  static let words = "migrate new"

  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract:
      "Writes the next model step: from the model that the folder leads to, to the one given.",
    discussion: "A renamed entity or property keeps its data when its renaming identifier names it."
  )

  @Argument(help: "The name of the step: letters, digits, \"-\" and \"_\".")
  var name: String
  @Option(
    name: .long, parsing: .upToNextOption, help: "The model documents; several are merged.")
  var model: [String]
  @Option(name: .long, help: "The folder of the migration files.")
  var migrations: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateNewResult {
    let target = try ManagedObjectModel(contentsOf: model)
    try makeFolder()
    let sequence = try MigrationSequence(folder: migrations)
    let file = try sequence.addModelStep(named: name, to: target)
    return MigrateNewResult(
      path: file?.path, model: target.versionHash,
      changes: file?.difference.changes.map(\.description) ?? [],
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

  /// Makes the folder for the first step of all.
  private func makeFolder() throws {
    guard !FileManager.default.fileExists(atPath: migrations) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: migrations, withIntermediateDirectories: false)
    } catch {
      throw PersistenceError(
        .migrationFile, "the migrations folder '\(migrations)' cannot be made; make it yourself")
    }
  }
}

/// The step that was written.
struct MigrateNewResult: ToolResult {
  let path: String?
  let model: String
  let changes: [String]

  /// Renames that identifiers ask for and that change no hash.
  let ignored: [String]

  var lines: [String] {
    guard let path else {
      return ["nothing to do: the migrations lead to the model \(short(model)) already"]
        + (ignored.isEmpty ? [] : Self.explanation(ignored))
    }
    return ["wrote \(path)"] + changes.map { "  \($0)" }
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
