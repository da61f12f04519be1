internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational

struct MigrateStatusCommand: ToolCommand {
  static let words = "migrate status"
  static let configuration = help(
    abstract: "Shows which steps a store has had, and which are pending. Writes nothing.",
    discussion: """
      With --all it tells of each store of a folder what is pending. The exit code is then that of \
      the stores that could not be read, or 1 where they are of several kinds.
      """)

  @OptionGroup var options: MigrationOptions
  @OptionGroup var stores: StoresOption
  @Flag(
    name: .customLong("exit-code"),
    help: "Exit with 2 when steps are pending or the tables are not the model's.")
  var usesExitCode = false
  @OptionGroup var output: OutputOptions

  func validate() throws { try stores.require(options) }

  func result(_ console: Console) throws -> StoresResult<MigrateStatusResult> {
    try stores.results(options, console) { options, _ in
      let migrator = try options.migrator()
      return MigrateStatusResult(
        status: try migrator.status(), drift: try migrator.drift(), options: options,
        usesExitCode: usesExitCode)
    }
  }
}

struct MigrateStatusResult: OneStoreResult {
  let status: MigrationStatus
  let drift: [String]
  let options: MigrationOptions
  let usesExitCode: Bool

  private enum CodingKeys: CodingKey {
    case store, drift
  }

  func encode(to encoder: any Encoder) throws {
    try status.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(options.shown, forKey: .store)
    try container.encode(drift, forKey: .drift)
  }

  var hint: String? {
    if !drift.isEmpty {
      return "next: restore the tables, or take back what changed them; no step starts before that"
    }
    if !status.places.isEmpty {
      return
        "next: say which steps it has had, for example all of them: \(options.command("baseline"))"
    }
    if !status.pending.isEmpty { return "next: \(options.command("plan"))" }
    guard !status.leadsToTarget, let folder = options.migrations else { return nil }
    return "next: \(ToolName.current) migrate new NAME\(options.modelOption)"
      + " --migrations \(folder.shellWord)"
  }

  var exitCode: Int32 {
    usesExitCode && !(status.pending.isEmpty && status.leadsToTarget && drift.isEmpty) ? 2 : 0
  }

  var lines: [String] {
    var table = Table()
    table.add("store", options.shown)
    table.add("model", short(status.model))
    table.add("position", positionText)
    table.add("pending", status.pending.isEmpty ? ["nothing"] : status.pending)
    table.add("under way", status.underWay.map { ["\($0.id) \($0.name): \(way(of: $0))"] } ?? [])
    table.add("drift", drift)
    table.add(
      "history",
      status.history.map {
        "\($0.id) \($0.name): \($0.event) \($0.finished) by \($0.user)@\($0.host), \($0.tool)"
      })
    return table.lines() + misleading
  }

  /// What is pending, and what is wrong.
  var briefLines: [String] {
    (status.pending.isEmpty
      ? ["nothing pending"] : ["pending: \(status.pending.joined(separator: ", "))"])
      + drift.map { "drift: \($0)" } + misleading
  }

  /// How far a step is, and how to go on: a step in Swift counts keys, one that is made beside
  /// programs its parts.
  private func way(of entry: HistoryEntry) -> String {
    "begun \(entry.started), done \(entry.finished) up to '\(entry.cursor ?? "")'; go on with "
      + "'migrate apply\(entry.isOfParts ? " --online" : "")'"
  }

  private var misleading: [String] {
    status.leadsToTarget
      ? []
      : ["the model given is \(short(status.targetModel)), and the migrations do not lead to it"]
  }

  private var positionText: String {
    switch status.origin {
    case .nothing: "there is no store yet"
    case .history: "after \(status.last ?? "nothing"), by its history"
    case .model: "\(status.last.map { "after \($0)" } ?? "before the first step"), by its model"
    case .several:
      "not certain: its model is that "
        + status.places.map { $0.isEmpty ? "before the first step" : "behind \($0)" }
        .joined(separator: ", ")
    case .inferred: "by the model that the store keeps"
    }
  }
}
