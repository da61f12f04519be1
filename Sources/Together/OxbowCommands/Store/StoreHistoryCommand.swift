internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRuntime
internal import OxbowSQLite

struct StoreHistoryCommand: ToolCommand {
  static let words = "store history"

  static let configuration = help(
    abstract: "Shows the saves in a store's history, and who reads them. Writes nothing.",
    discussion: """
      A store has a history when programs open it with one (history: keys or values). Exit code 2 \
      where saves are missing.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Option(name: .long, help: "Show the saves after a number only.")
  var after: Int64?
  @Option(name: .long, help: "Show the saves of an author only.")
  var author: String?
  @Option(name: .long, help: "Show the changes of an entity's objects only.")
  var entity: String?
  @Option(name: .long, help: "Show so many saves at most.")
  var limit: Int?
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreHistoryResult {
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(try ModelSource.storedModel(at: file), classes: []), at: .file(file),
      options: SQLiteStoreOptions(isReadOnly: true, createsStore: false))
    defer { coordinator.close() }
    var history = try coordinator.history(after: start(coordinator), where: filter)
    var result = StoreHistoryResult(
      store: file, token: try coordinator.currentHistoryToken().description,
      consumers: try coordinator.historyConsumers().map(StoreHistoryResult.Consumer.init))
    while let element = try history.next() {
      result.add(element)
      if let limit, result.count > limit { break }
    }
    if let limit { result.keep(limit) }
    return result
  }

  private func start(_ coordinator: PersistentStoreCoordinator) throws -> HistoryToken? {
    guard let after else { return nil }
    return try coordinator.currentHistoryToken().at(after)
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
    let lag: Int
    let seen: String

    init(_ state: HistoryConsumerState) {
      (name, lag, seen) = (state.name, state.lag, state.seen.formatted(.iso8601))
    }
  }

  let store: String
  let token: String
  let consumers: [Consumer]
  var saves: [Save] = []
  var missing: [Gap] = []

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
    return (saves.isEmpty ? ["no saves"] : table.lines()) + gaps + readers
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
