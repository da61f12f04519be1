internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

struct MigrateSquashCommand: ToolCommand {
  static let words = "migrate squash"
  static let configuration = help(
    abstract: "Puts all steps up to a number together into one.",
    discussion: """
      Stores that have had all of these steps go on as before; a store that has had some of them only \
      needs the folder as it was. The command makes a store by the steps and one by the new step and \
      compares them: steps whose scripts write rows into a new store are refused.
      """)

  @OptionGroup var folder: MigrationsFolder
  @Option(name: .customLong("up-to"), help: "The number of the last step that is put together.")
  var last: Int
  @Option(name: .long, help: "The name of the new step.")
  var name = "squashed"
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateSquashResult {
    // Before a copy is made, so that what is wrong is named by its own path.
    try MigrationSequence(folder: folder.path).squashable(upTo: last)
    Interruption.watch()
    return try WrittenFile.takingTurns(in: folder.path) {
      try WrittenFile.withTemporaryFolder("squash") { try requireSameStore($0) }
      let sequence = try MigrationSequence(folder: folder.path)
      let count = sequence.files.count { $0.number <= last }
      return MigrateSquashResult(
        path: try sequence.squash(upTo: last, named: name), steps: count)
    }
  }

  /// Makes a store by the steps and one by the new step, and compares them.
  private func requireSameStore(_ temporary: URL) throws {
    let copy = temporary.appending(path: "M").path
    try copySteps(to: copy)
    _ = try MigrationSequence(folder: copy).squash(upTo: last, named: name)
    let long = try store(temporary.appending(path: "long.sqlite").path, folder.path)
    let short = try store(temporary.appending(path: "short.sqlite").path, copy)
    let differences = try long.differences(to: short)
    try PersistenceError.refuse(
      differences, as: "difference", .migrationRefused,
      "a new store would be another one: the steps up to \(last) write more than the tables of "
        + "their model; put fewer of them together")
  }

  /// Copies the steps alone, and of a link what it leads to: the copies are written to.
  private func copySteps(to copy: String) throws {
    try TextFile.makeFolder(copy)
    for file in try MigrationSequence(folder: folder.path).files {
      let text = URL(filePath: file.path).resolvingSymlinksInPath().path
      try FileManager.default.copyItem(atPath: text, toPath: "\(copy)/\(file.fileName)")
    }
  }

  private func store(_ path: String, _ folder: String) throws -> Migrator {
    let migrator = try Migrator(
      SQLiteMigrationBackend(path: path), folder: folder, target: nil, code: MigrationOptions.steps)
    _ = try migrator.apply(upTo: last, allowsLoss: true)
    return migrator
  }
}

struct MigrateSquashResult: ToolResult {
  let path: String
  let steps: Int

  var lines: [String] { ["put \(steps) steps together as \(path)"] }
}
