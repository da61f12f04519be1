internal import ArgumentParser
internal import OxbowMigration
internal import OxbowSQLite

/// The command `oxbowctl migrate plan`.
struct MigratePlanCommand: ToolCommand {
  static let words = "migrate plan"

  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Tells what apply would do: the statements, the rows, what is lost. Writes nothing.",
    discussion: """
      For each step: whether tables are changed in place or written anew, with rows and bytes; what \
      goes; how it can be taken back. It works on a store that cannot be written. The numbers of \
      bytes are estimates. It counts the rows of the tables that change, which takes as long as \
      reading them: a second for some hundred megabytes. With --no-count it reads none, and tells \
      neither rows nor bytes, nor whether there is anything of what would go.

      With --json it is a plan for 'apply --plan FILE', which refuses when the steps, their texts, \
      the store's history or the number of its rows are not the same any more.

      \(ToolName.current) migrate plan --store catalog.sqlite --migrations Migrations \\
        --json > plan.json
      \(ToolName.current) migrate apply --store catalog.sqlite --migrations Migrations \\
        --plan plan.json
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step.")
  var last: Int?
  @Flag(name: .customLong("no-count"), help: "Count no rows, for a store that takes long to read.")
  var countsNothing = false
  @OptionGroup var output: OutputOptions

  func validate() throws { try options.requireSteps() }

  func result(_ console: Console) throws -> MigratePlanResult {
    let plan = try options.migrator().plan(upTo: last, countsRows: !countsNothing)
    return MigratePlanResult(plan, options, upTo: last)
  }
}

/// What a migration would do.
struct MigratePlanResult: ToolResult {
  struct Operation: Encodable {
    let kind: MigrationPlan.Operation.Kind
    let table: String
    let rows: Int?
    let bytes: Int?
    let statements: [String]
  }

  /// The store's file and its disk.
  struct Space: Encodable {
    let bytes: Int
    let logBytes: Int
    let freeBytes: Int?

    /// About how much the steps need at most at one moment; `nil` when nothing was counted.
    let neededBytes: Int?
  }

  struct Loss: Encodable {
    let subject: String
    let count: Int?
  }

  struct Step: Encodable {
    let id: String
    let name: String
    let kind: MigrationStepKind
    let path: String?
    let checksum: String?
    let modelBefore: String?
    let modelAfter: String
    let changes: [String]

    /// The same as ``changes``, for programs.
    let modelChanges: [ModelDiffResult.Change]
    let operations: [Operation]
    let script: String?
    let run: String?
    let rows: Int?
    let bytes: Int?
    let destructive: Bool
    let losses: [Loss]
    let lossAllowed: Bool
    let replacesValues: Bool
    let reversible: MigrationPlan.Reversibility
    let refusesUndo: [String]
    let checks: [String]
  }

  let store: String

  /// What the store was; `nil` when there is none yet.
  let state: MigrationPlan.Store?

  /// The number of the last step, when one was asked for.
  let upTo: Int?
  let countsRows: Bool
  let space: Space
  let steps: [Step]

  private let next: String

  enum CodingKeys: CodingKey {
    case store, state, upTo, countsRows, space, steps
  }

  init(_ plan: MigrationPlan, _ options: MigrationOptions, upTo last: Int?) {
    store = options.store
    state = plan.store
    upTo = last
    countsRows = plan.countsRows
    let space = StoreSpace(path: options.store)
    self.space = Space(
      bytes: space.bytes, logBytes: space.logBytes, freeBytes: space.freeBytes,
      neededBytes: plan.countsRows ? RoomOnDisk(plan, space).needed : nil)
    next = options.command("apply")
    steps = plan.steps.map { step in
      Step(
        id: step.id, name: step.name, kind: step.kind, path: step.path,
        checksum: step.checksum, modelBefore: step.modelBefore, modelAfter: step.modelAfter,
        changes: step.changes.map(\.description),
        modelChanges: step.changes.map { ModelDiffResult.Change($0) },
        operations: step.operations.map {
          Operation(
            kind: $0.kind, table: $0.table, rows: $0.rows, bytes: $0.bytes,
            statements: $0.statements)
        },
        script: step.script, run: step.run, rows: step.rows, bytes: step.bytes,
        destructive: step.isDestructive,
        losses: step.losses.map { Loss(subject: $0.subject, count: $0.count) },
        lossAllowed: step.allowsLoss,
        replacesValues: step.replacesValues, reversible: step.reversibility,
        refusesUndo: step.refusesUndo, checks: step.checks)
    }
  }

  var hint: String? { steps.isEmpty ? nil : "next: \(next)" }

  var lines: [String] {
    guard !steps.isEmpty else { return ["nothing to do"] }
    return [spaceLine, ""] + steps.flatMap { lines(for: $0) + [""] }.dropLast()
  }

  private var spaceLine: String {
    let size = state == nil ? "there is no store yet" : "the store has \(byteCount(space.bytes))"
    let log = space.logBytes > 0 ? " and a log of \(byteCount(space.logBytes))" : ""
    let bytes = space.neededBytes ?? 0
    let needed = bytes > 0 ? ", the steps need about \(byteCount(bytes))" : ""
    let free = space.freeBytes.map { ", its disk has \(byteCount($0)) free" } ?? ""
    return size + log + needed + free
  }

  private func lines(for step: Step) -> [String] {
    let models = "\(short(step.modelBefore)) → \(short(step.modelAfter))"
    var lines = ["step \(step.id) \(step.name) (\(step.kind)): model \(models)"]
    lines += step.changes.map { "  \($0)" }
    lines += ["  " + facts(step).joined(separator: ", "), "  undo: \(undo(step))"]
    if let run = step.run { lines.append("  this program does not have the step; run: \(run)") }
    lines += step.losses.map { loss in
      let unknown = countsRows ? "as many as there are then" : "not counted"
      return "  REMOVES \(loss.subject): " + (loss.count.map(String.init) ?? unknown)
    }
    if step.destructive {
      lines.append(
        step.lossAllowed
          ? "  allowed by the file" : "  refused where there are any, without --allow-loss")
    }
    lines += step.checks.map { "  refused if there are: \($0)" }
    for operation in step.operations {
      lines.append("  -- \(operation.kind) \(operation.table.oneLine)\(rows(operation.rows))")
      lines += operation.statements.flatMap { Self.indented($0 + ";") }
    }
    if let script = step.script { lines += Self.indented(script) }
    return lines
  }

  private func facts(_ step: Step) -> [String] {
    let rebuilt = step.operations.filter { $0.kind == .rebuild }.map { operation in
      let bytes = operation.bytes.map { $0 > 0 ? " (about \(byteCount($0)))" : "" } ?? ""
      return operation.table.oneLine + bytes
    }
    let way =
      step.kind == .code
      ? "in Swift"
      : step.script != nil
        ? "script"
        : rebuilt.isEmpty ? "in place" : "writes anew: \(rebuilt.joined(separator: ", "))"
    let data =
      switch step.kind {
      case _ where step.destructive: "REMOVES DATA"
      case .sql, .code: "what it removes is not known"
      default: step.replacesValues ? "puts values in place of missing ones" : "keeps all data"
      }
    return [way, data]
  }

  private func undo(_ step: Step) -> String {
    guard step.refusesUndo.isEmpty else {
      return "none while there are " + step.refusesUndo.joined(separator: "; ")
    }
    return switch step.reversible {
    case .lossless: "without loss"
    case .lossy: "the tables of before; what it removes or replaces does not come back"
    case .scripted: step.kind == .sql ? "the section \"down\"" : "the step's own"
    case .none: "none"
    }
  }

  private func rows(_ rows: Int?) -> String {
    guard let rows else {
      return countsRows ? ", rows not known before the steps ahead" : ", rows not counted"
    }
    return rows == 0 ? "" : ", " + counted(rows, "row")
  }

  private static func indented(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { "  \($0)" }
  }
}
