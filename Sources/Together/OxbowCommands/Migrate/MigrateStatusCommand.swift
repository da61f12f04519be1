internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational

/// The command `oxbowctl migrate status`.
struct MigrateStatusCommand: ToolCommand {
  static let words = "migrate status"

  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows which steps a store has had, and which are pending. Writes nothing.")

  @OptionGroup var options: MigrationOptions
  @Flag(
    name: .customLong("exit-code"),
    help: "Exit with 2 when steps are pending or the tables are not the model's.")
  var usesExitCode = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateStatusResult {
    let migrator = try options.migrator()
    return MigrateStatusResult(
      try migrator.status(), drift: try migrator.drift(), options, usesExitCode: usesExitCode)
  }
}

/// Which steps a store has had, and which are pending.
struct MigrateStatusResult: ToolResult {
  struct Event: Encodable {
    let id: String
    let name: String
    let kind: String
    let event: String
    let modelAfter: String?
    let finished: String
    let tool: String
    let host: String
    let user: String
  }

  let store: String
  let model: String?
  let position: MigrationStatus.Origin
  let last: String?
  let places: [String]
  let pending: [String]
  let target: String?
  let leadsToTarget: Bool
  let drift: [String]
  let history: [Event]

  private let hintText: String?
  private let usesExitCode: Bool

  enum CodingKeys: CodingKey {
    case store, model, position, last, places, pending, target, leadsToTarget, drift, history
  }

  init(
    _ status: MigrationStatus, drift: [String], _ options: MigrationOptions, usesExitCode: Bool
  ) {
    store = options.store
    model = status.model
    position = status.origin
    last = status.last
    places = status.places
    pending = status.pending
    target = status.targetModel
    leadsToTarget = status.leadsToTarget
    history = status.history.map {
      Event(
        id: $0.id, name: $0.name, kind: $0.kind, event: $0.event, modelAfter: $0.modelAfter,
        finished: $0.finished, tool: $0.tool, host: $0.host, user: $0.user)
    }
    self.drift = drift
    self.usesExitCode = usesExitCode
    if !drift.isEmpty {
      hintText =
        "next: restore the tables, or take back what changed them; no step starts before that"
    } else if !status.places.isEmpty {
      hintText =
        "next: say which steps it has had, for example all of them: \(options.command("baseline"))"
    } else if !status.pending.isEmpty {
      hintText = "next: \(options.command("plan"))"
    } else if !status.leadsToTarget, let folder = options.migrations {
      hintText =
        "next: \(ToolName.current) migrate new NAME"
        + (options.model.isEmpty
          ? "" : " --model \(options.model.map(\.shellWord).joined(separator: " "))")
        + " --migrations \(folder.shellWord)"
    } else {
      hintText = nil
    }
  }

  var hint: String? { hintText }
  var exitCode: Int32 {
    usesExitCode && !(pending.isEmpty && leadsToTarget && drift.isEmpty) ? 2 : 0
  }

  var lines: [String] {
    var table = Table()
    table.add("store", store)
    table.add("model", short(model))
    table.add("position", positionText)
    for (index, name) in pending.enumerated() { table.add(index == 0 ? "pending" : "", name) }
    if pending.isEmpty { table.add("pending", "nothing") }
    for (index, text) in drift.enumerated() { table.add(index == 0 ? "drift" : "", text) }
    for (index, event) in history.enumerated() {
      table.add(
        index == 0 ? "history" : "",
        "\(event.id) \(event.name): \(event.event) \(event.finished) by \(event.user)@\(event.host)"
          + ", \(event.tool)")
    }
    return table.lines()
      + (leadsToTarget
        ? [] : ["the model given is \(short(target)), and the migrations do not lead to it"])
  }

  private var positionText: String {
    switch position {
    case .nothing: "there is no store yet"
    case .history: "after \(last ?? "nothing"), by its history"
    case .model: "\(last.map { "after \($0)" } ?? "before the first step"), by its model"
    case .several:
      "not certain: its model is that "
        + places.map { $0.isEmpty ? "before the first step" : "behind \($0)" }
        .joined(separator: ", ")
    case .inferred: "by the model that the store keeps"
    }
  }
}
