internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform
internal import OxbowRuntime
internal import OxbowSQLite

/// `store history`: shows the saves where no other command is given.
struct StoreHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Shows and keeps the history of a store's saves.",
    discussion: "A file alone shows its saves.",
    subcommands: [
      StoreHistoryShowCommand.self, StoreHistoryConsumersCommand.self,
      StoreHistoryForgetCommand.self, StoreHistoryPurgeCommand.self, StoreHistoryOnCommand.self,
      StoreHistoryOffCommand.self,
    ], defaultSubcommand: StoreHistoryShowCommand.self)
}

struct StoreHistoryShowCommand: ToolCommand {
  static let words = "store history show"

  static let configuration = help(
    abstract: "Shows the saves in a store's history, and who reads them. Writes nothing.",
    discussion: """
      A store has a history when programs open it with one (history: keys or values). Exit code 2 \
      where saves are missing.

      With --follow it shows what is saved from now on, or after a number, until Ctrl-C; with --json \
      each save, and what is missing, is one line.

      On a server, saves that have no number yet get theirs.
      """)

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @Option(name: .long, help: "Show the saves after a number only.")
  var after: Int64?
  @Option(name: .long, help: "Show the saves of an author only.")
  var author: String?
  @Option(name: .long, help: "Show the changes of an entity's objects only.")
  var entity: String?
  @Option(name: .long, help: "Show so many saves at most.")
  var limit: Int?
  @Flag(name: .long, help: "Go on with new saves as they are made.")
  var follow = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if follow, limit != nil { throw ValidationError("Give --follow or --limit, not both.") }
    if let after, after < 0 { throw ValidationError("--after wants the number of a save.") }
  }

  func result(_ console: Console) throws -> StoreHistoryResult {
    let coordinator = try PersistentStoreCoordinator.ofHistory(at: file, isReadOnly: true)
    defer { coordinator.close() }
    let current = try coordinator.currentHistoryToken()
    let start = after.map { current.at(min($0, current.number)) } ?? (follow ? current : nil)
    var history = try coordinator.history(after: start, where: filter)
    var result = StoreHistoryResult(
      store: ServerStore(file)?.shown ?? file, token: current.description,
      consumers: try coordinator.historyConsumers().map(StoreHistoryResult.Consumer.init))
    if follow {
      result.missing = try self.follow(&history, console)
      result.isWritten = true
      return result
    }
    while let element = try history.next() {
      result.add(element)
      if let limit, result.count > limit { break }
    }
    if let limit { result.keep(limit) }
    return result
  }

  /// Writes saves as they come, until Ctrl-C or until the reader has gone.
  ///
  /// - Returns: What is missing.
  private func follow(
    _ history: inout History, _ console: Console
  ) throws -> [StoreHistoryResult.Gap] {
    Interruption.watch()
    var missing: [StoreHistoryResult.Gap] = []
    let pipe = WakingPipe()
    let watch = try history.coordinator.store.requireHistory().watch { _ in
      pipe.wake()
      return false
    }
    defer { withExtendedLifetime(watch) {} }
    while !Interruption.isRequested {
      while !Interruption.isRequested, let element = try next(of: &history) {
        var result = StoreHistoryResult(store: file, token: "", consumers: [])
        result.add(element)
        missing += result.missing
        guard try write(result, console) else { return missing }
      }
      pipe.wait()
    }
    return missing
  }

  /// What comes next; nothing while a server cannot be reached, or is busy.
  private func next(of history: inout History) throws(PersistenceError) -> HistoryElement? {
    do { return try history.next() } catch {
      guard error.code == .storeUnreachable || error.code == .storeLocked else { throw error }
      return nil
    }
  }

  /// - Returns: Whether the reader is still there.
  private func write(_ result: StoreHistoryResult, _ console: Console) throws -> Bool {
    guard output.json else { return try console.write(lines: result.lines) }
    for save in result.saves {
      guard try console.write(json: save, onOneLine: true) else { return false }
    }
    for gap in result.missing {
      guard try console.write(json: gap, onOneLine: true) else { return false }
    }
    return true
  }

  private var filter: HistoryFilter? {
    switch (author, entity) {
    case (nil, nil): nil
    case (let author?, nil): .author(author)
    case (nil, let entity?): .entity(entity)
    case (let author?, let entity?): .author(author) && .entity(entity)
    }
  }
}

extension PersistentStoreCoordinator {
  /// Opens a store for its history, by the model that it keeps.
  ///
  /// On a server, one who reads gives the saves their numbers.
  static func ofHistory(
    at store: String, isReadOnly: Bool = false
  ) throws -> PersistentStoreCoordinator {
    try ServerStore(store)?.opened(isReadOnly: false)
      ?? ofStore(at: store, isReadOnly: isReadOnly)
  }

  /// Opens a store by the model that it keeps, without classes.
  static func ofStore(
    at file: String, isReadOnly: Bool = false, history: HistoryRecording = .off
  ) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      CompiledModel(try ModelSource.storedModel(at: file), classes: []), at: .file(file),
      options: SQLiteStoreOptions(
        isReadOnly: isReadOnly, createsStore: false, history: history))
  }
}

/// The history of a store, as far as it was asked for.
struct StoreHistoryResult: ToolResult {
  struct Change: Encodable {
    let object: String?
    let entity: String
    let kind: String
    let properties: [String]
    let before: [String: String]?
    let tombstone: [String: String]
    let omitted: [String]
  }

  struct Save: Encodable {
    let number: Int64
    let date: String
    let author: String?
    let context: String?
    let kind: String
    let inserted: Int
    let updated: Int
    let deleted: Int
    let changes: [Change]
    let metadata: [String]
    let notes: [String]
    let isContinued: Bool
  }

  struct Gap: Encodable {
    let first: Int64
    let last: Int64
  }

  struct Consumer: Encodable {
    let name: String
    let number: Int64
    let lag: Int
    let since: String
    let seen: String

    init(_ state: HistoryConsumerState) {
      (name, number, lag) = (state.name, state.token.number, state.lag)
      (since, seen) = (state.since.formatted(.iso8601), state.seen.formatted(.iso8601))
    }
  }

  let store: String
  let token: String
  let consumers: [Consumer]
  var saves: [Save] = []
  var missing: [Gap] = []
  var isWritten = false

  enum CodingKeys: CodingKey {
    case store, token, consumers, saves, missing
  }

  init(store: String, token: String, consumers: [Consumer]) {
    (self.store, self.token, self.consumers) = (store, token, consumers)
  }

  /// The number of saves; a large one is in several parts.
  var count: Int { Set(saves.map(\.number)).count }

  /// Keeps the first saves, whole.
  mutating func keep(_ count: Int) {
    let kept = Set(Set(saves.map(\.number)).sorted().prefix(max(0, count)))
    saves.removeAll { !kept.contains($0.number) }
  }

  mutating func add(_ element: HistoryElement) {
    switch element {
    case .saves(let saves): self.saves += saves.map(Save.init)
    case .migrated(let migration): saves.append(Save(migration))
    case .missed(let gap): missing.append(Gap(first: gap.first, last: gap.last))
    }
  }

  var exitCode: Int32 { missing.isEmpty ? 0 : 2 }

  var lines: [String] {
    var table = Table()
    for (index, save) in saves.enumerated()
    where index == 0 || saves[index - 1].number != save.number {
      table.add(
        "\(save.number)", save.date, save.author ?? save.context ?? "",
        save.kind == "save" ? save.counts : "\(save.kind) \(save.counts)")
    }
    let gaps = missing.map { gap in
      gap.first == gap.last
        ? "save \(gap.first) is missing" : "saves \(gap.first) to \(gap.last) are missing"
    }
    let readers = consumers.map {
      "consumer '\($0.name)' has \(counted($0.lag, "save")) to see"
    }
    let isEmpty = saves.isEmpty && missing.isEmpty
    return (isEmpty ? ["no saves"] : table.lines()) + gaps + readers
  }
}

extension StoreHistoryResult.Save {
  init(_ save: HistoryTransaction) {
    number = save.number
    date = save.date.formatted(.iso8601)
    (author, context) = (save.author, save.contextName)
    kind = save.kind.rawValue
    (inserted, updated, deleted) = (save.insertedCount, save.updatedCount, save.deletedCount)
    changes = save.changes.map(StoreHistoryResult.Change.init)
    (metadata, notes) = (save.metadataKeys, save.notes)
    isContinued = save.isContinued
  }

  var counts: String { "+\(inserted) ~\(updated) -\(deleted)" }
}

extension StoreHistoryResult.Change {
  init(_ change: HistoryChange) {
    object = change.objectID?.description
    entity = change.entityName
    kind = change.kind.rawValue
    properties = change.changedProperties
    before = change.before?.mapValues { "\($0)" }
    tombstone = change.tombstone.mapValues { "\($0)" }
    omitted = change.omittedProperties
  }
}
