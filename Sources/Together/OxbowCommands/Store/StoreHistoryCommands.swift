internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRuntime
internal import OxbowSQLite

// What keeps a store's history: its consumers, and how much of it there is.

struct StoreHistoryConsumersCommand: ToolCommand {
  static let words = "store history consumers"
  static let configuration = help(
    abstract: "Lists who reads a store's history, and how far they are. Writes nothing.",
    discussion: "On a server, saves that have no number yet get theirs.")

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreConsumersResult {
    let coordinator = try PersistentStoreCoordinator.ofHistory(at: file, isReadOnly: true)
    defer { coordinator.close() }
    let history = try coordinator.store.requireHistory()
    let consumers = try history.consumers().map { state in
      StoreConsumersResult.Consumer(
        state: StoreHistoryResult.Consumer(state), isAtWork: try history.isAtWork(state.name))
    }
    let holders = ServerStore(file) == nil ? try StoreInspection(path: file).holders : []
    return StoreConsumersResult(
      store: ServerStore(file)?.shown ?? file, consumers: consumers,
      openIn: holders.map(\.description))
  }
}

struct StoreConsumersResult: ToolResult {
  struct Consumer: Encodable {
    let state: StoreHistoryResult.Consumer
    let isAtWork: Bool

    enum CodingKeys: CodingKey {
      case isAtWork
    }

    func encode(to encoder: any Encoder) throws {
      try state.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(isAtWork, forKey: .isAtWork)
    }
  }

  let store: String
  let consumers: [Consumer]
  let openIn: [String]

  var lines: [String] {
    var table = Table()
    for consumer in consumers {
      let state = consumer.state
      table.add(
        state.name, "at \(state.number)", "\(counted(state.lag, "save")) to see",
        "last seen \(state.seen)", consumer.isAtWork ? "at work" : "")
    }
    return consumers.isEmpty ? ["no consumers"] : table.lines() + openIn.map { "open in \($0)" }
  }
}

struct StoreHistoryForgetCommand: ToolCommand {
  static let words = "store history forget"
  static let configuration = help(
    abstract: "Forgets a consumer; the history is no longer kept for it.")

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @Argument(help: "The consumer's name.")
  var name: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    let coordinator = try PersistentStoreCoordinator.ofHistory(at: file)
    defer { coordinator.close() }
    try coordinator.forgetHistoryConsumer(named: name)
    return StoreFileResult(
      store: ServerStore(file)?.shown ?? file, lines: ["forgot the consumer '\(name)'"])
  }
}

struct StoreHistoryPurgeCommand: ToolCommand {
  static let words = "store history purge"
  static let configuration = help(
    abstract: "Removes old saves from a store's history.",
    discussion: """
      Before a day, what a consumer has not seen stays. Before the save of a number, it is refused \
      where a consumer needs one of them; with --force it gets a gap.
      """)

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @Option(name: .long, help: "Remove the saves before a day (2026-11-28), a moment, or a number.")
  var before: String
  @Flag(name: .long, help: "Remove saves that a consumer has not seen.")
  var force = false
  @OptionGroup var output: OutputOptions

  /// What comes before a text: the save of a number, or a moment in Greenwich.
  private enum Limit {
    case number(Int64)
    case date(Date)

    init?(_ text: String) {
      if let number = Int64(text) {
        self = .number(number)
      } else if let date = try? Date(text, strategy: .iso8601) {
        self = .date(date)
      } else if let day = try? Date(text, strategy: .iso8601.year().month().day()) {
        self = .date(day)
      } else {
        return nil
      }
    }
  }

  func validate() throws {
    switch Limit(before) {
    case .number: return
    case .date:
      guard force else { return }
      throw ValidationError("--force goes with the number of a save: --before NUMBER.")
    case nil:
      throw ValidationError(
        "--before wants a day (2026-11-28), a moment (2026-11-28T12:00:00Z) or a number.")
    }
  }

  func result(_ console: Console) throws -> StoreHistoryChangeResult {
    let coordinator = try PersistentStoreCoordinator.ofHistory(at: file)
    defer { coordinator.close() }
    let count =
      switch Limit(before) {
      case .number(let number): try remove(before: number, coordinator)
      case .date(let date): try coordinator.deleteHistory(before: date)
      case nil: 0
      }
    return StoreHistoryChangeResult(
      store: ServerStore(file)?.shown ?? file, lines: ["removed \(counted(count, "save"))"],
      removed: count)
  }

  /// Removes the saves before the save of a number, which may be one that there is not yet.
  private func remove(
    before number: Int64, _ coordinator: PersistentStoreCoordinator
  ) throws -> Int {
    let now = try coordinator.currentHistoryToken()
    let place = now.at(min(max(number, 1) - 1, now.number))
    return try coordinator.deleteHistory(before: place, force: force)
  }
}

struct StoreHistoryOnCommand: ToolCommand {
  /// What is noted.
  enum Recording: String, EnumerableFlag {
    case keys, values

    static func help(for value: Self) -> ArgumentHelp? {
      value == .keys ? "Say how programs note names." : "Say how programs note values before, too."
    }
  }

  static let words = "store history on"
  static let configuration = help(
    abstract: "Gives a store a history, and says what programs have to set.",
    discussion: """
      The tables are made; what is noted in them is an option with which each program opens the \
      store. Older versions of Oxbow refuse the store from then on.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Flag var recording = Recording.keys
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreHistoryChangeResult {
    let coordinator = try PersistentStoreCoordinator.ofStore(
      at: file, history: recording == .keys ? .keys : .values)
    defer { coordinator.close() }
    let number = try coordinator.currentHistoryToken().number + 1
    return StoreHistoryChangeResult(
      store: file,
      lines: [
        "'\(file)' has a history; the next save is \(number)",
        "programs note their saves when they open it with 'options.history = .\(recording.rawValue)', "
          + "in a wiring file <property name=\"history\" value=\"\(recording.rawValue)\"/>",
      ], next: number)
  }
}

struct StoreHistoryOffCommand: ToolCommand {
  static let words = "store history off"
  static let configuration = help(
    abstract: "Removes a store's history with its tables.",
    discussion: """
      Programs that have the store open with a history save nothing until they open it again; \
      opened with a history, it gets a new one.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Flag(name: .customLong("allow-loss"), help: "Remove the saves that the history has.")
  var allowsLoss = false
  @Flag(name: .long, help: "Forget the consumers, who need the history.")
  var force = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreHistoryChangeResult {
    let count = try SQLiteStoreFile(file).removeHistory(allowsLoss: allowsLoss, force: force)
    return StoreHistoryChangeResult(
      store: file, lines: ["removed the history of '\(file)', with \(counted(count, "save"))"],
      removed: count)
  }
}

/// What was done to a store's history.
struct StoreHistoryChangeResult: ToolResult {
  let store: String
  let lines: [String]
  var removed: Int?
  var next: Int64?

  enum CodingKeys: CodingKey {
    case store, removed, next
  }
}
