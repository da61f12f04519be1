internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

struct StoreMigrateCommand: ToolCommand {
  static let words = "store migrate"
  static let configuration = help(
    abstract: "Gives a store of Core Data another version of its model.",
    discussion: """
      Where the versions differ in version hashes alone (what is optional, counts, hash modifiers), \
      the store is changed in place, in one transaction; no other program may have it open. With \
      --to a migrated copy is made instead.

      For everything else a new file is needed: with --to the store is converted to one of Oxbow, \
      migrated by an inferred step (renaming identifiers are followed), and converted back, with \
      the same identifier, keys and versions. Its history does not come along and is refused \
      without --drop-history; what the step or a conversion loses is refused without --allow-loss.

      A store keeps its model only where the new one is given as Xcode compiled it (.momd) and the \
      store is changed in place; otherwise it looks like one of before 2015, and commands need \
      --model. An app migrates its stores by itself, which is the safest way. Whether Apple's \
      framework accepts a store that was migrated here was not tried.
      """)

  @Argument(help: "The store.", completion: .file())
  var file: String
  @Option(
    name: .long,
    help: "The new model: .xcdatamodeld, .momd, a version, or a store of the app that keeps it.",
    completion: .file())
  var model: String
  @Option(
    name: .long, help: "The model that the store has, for one of before 2015.",
    completion: .file())
  var from: String?
  @Option(
    name: .customLong("to"), help: "The path of a migrated copy; nothing may exist there.",
    completion: .file())
  var destination: String?
  @Flag(name: .customLong("allow-loss"), help: "Leave out what the new store cannot keep.")
  var allowsLoss = false
  @Flag(name: .customLong("drop-history"), help: "Make a copy without the history of saves.")
  var dropsHistory = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreMigrateResult {
    let change = try CoreDataRehashing(of: file, to: model, from: from)
    var result = StoreMigrateResult(store: file, copy: destination)
    let obstacles = change.isDone ? [] : try change.obstacles()
    switch (destination, obstacles.isEmpty) {
    case (nil, true) where change.isDone: result.way = .nothing
    case (nil, true):
      try change.apply(to: file)
      (result.way, result.dropsModel) = (.inPlace, change.dropsModel)
    case (let destination?, true):
      Interruption.watch()
      try Self.inFolder(beside: destination) { folder in
        // Ended in between, it leaves nothing at the destination.
        let copy = folder + "/copy.sqlite"
        try Waiting.stopping(when: { Interruption.isRequested }) {
          try SQLiteStoreFile(file).backUp(to: copy)
        }
        guard !Interruption.isRequested else { throw PersistenceError.interrupted }
        if !change.isDone { try change.apply(to: copy) }
        try SQLiteStoreFile(copy).move(to: destination)
      }
      (result.way, result.dropsModel) = (.inPlace, !change.isDone && change.dropsModel)
    case (nil, false):
      throw PersistenceError(
        .migrationRefused,
        "'\(file)' was not changed: more than version hashes is different; give the path of a migrated "
          + "copy with --to",
        details: obstacles.map { .init(label: "different", text: $0) })
    case (let destination?, false):
      result.losses = try convert(to: destination, change)
      result.way = .converted
    }
    return result
  }

  /// Converts the store to one of Oxbow, migrates it, and converts it back.
  private func convert(to destination: String, _ change: CoreDataRehashing) throws -> [String] {
    guard dropsHistory || !change.hasHistory else {
      throw PersistenceError(
        .migrationRefused,
        "nothing was written to '\(destination)': the history of saves of '\(file)' cannot come along; "
          + "give --drop-history if it may go")
    }
    Interruption.watch()
    return try Self.inFolder(beside: destination) { try convert(to: destination, change, in: $0) }
  }

  private func convert(
    to destination: String, _ change: CoreDataRehashing, in folder: String
  ) throws -> [String] {
    let plain = folder + "/plain.sqlite"
    let out = try CoreDataConversion(of: file, model: from)
      .write(to: plain, allowsLoss: allowsLoss) { _, _, _ in !Interruption.isRequested }
    let migrator = try Migrator(
      SQLiteMigrationBackend(path: plain), folder: nil, target: change.new)
    let steps = try migrator.plan().steps.flatMap { $0.losses }.map { loss in
      loss.count.map { "\(loss.subject), \($0)×" } ?? loss.subject
    }
    _ = try migrator.apply(allowsLoss: allowsLoss)
    let back = try CoreDataConversion(of: plain, to: .coreData, model: model)
      .write(to: destination, allowsLoss: allowsLoss) { _, _, _ in !Interruption.isRequested }
    return out.losses.all.map(\.description) + steps + back.losses.all.map(\.description)
  }
}

extension StoreMigrateCommand {
  /// Runs `body` with a folder for what it makes on its way, which goes afterwards.
  private static func inFolder<R>(
    beside destination: String, _ body: (_ folder: String) throws -> R
  ) throws -> R {
    let folder = "\(destination).migrating-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }
}

struct StoreMigrateResult: ToolResult {
  enum Way: String, Encodable { case nothing, inPlace, converted }

  let store: String
  let copy: String?
  var way = Way.nothing
  var losses: [String] = []

  /// Whether the store kept its model before.
  var dropsModel = false

  var lines: [String] {
    let done: String =
      switch (way, copy) {
      case (.nothing, _): "'\(store)' has this version already"
      case (_, nil): "migrated '\(store)' in place"
      case (.inPlace, let copy?): "copied '\(store)' to '\(copy)' and migrated the copy"
      case (_, let copy?): "migrated '\(store)' to '\(copy)'"
      }
    return [done] + losses.map { "lost: \($0)" }
      + (dropsModel ? ["it no longer keeps its model: give --model to other commands"] : [])
  }
}
