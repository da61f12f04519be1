internal import ArgumentParser
internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

struct MigratePlanCommand: ToolCommand {
  static let words = "migrate plan"
  static let configuration = help(
    abstract: "Shows what apply would do: the statements, the rows, what is lost. Writes nothing.",
    discussion: """
      For each step: whether tables are changed in place or written anew, with rows and bytes; what \
      goes; how it can be taken back. It works on a store that cannot be written. The numbers of \
      bytes are estimates. It counts the rows of the tables that change, which takes as long as \
      reading them: a second for some hundred megabytes. With --no-count it reads none, and tells \
      neither rows nor bytes, nor whether there is anything of what would go.

      With --json it is a plan for 'apply --plan FILE', which refuses when the steps, their texts, \
      the store's history or the number of its rows are not the same any more. With --format it \
      is a drawing of the model after the last step, with what is new, changed and gone.

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
  @Flag(help: "On a server: what 'apply --online' would do.")
  var online = false
  @Option(help: "Draw what the steps change in the model, in this language.")
  var format: DrawingFormat?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try options.requireStore()
    try options.requireSteps()
  }

  func result(_ console: Console) throws -> MigratePlanResult {
    let migrator = try options.migrator()
    let plan = try migrator.plan(upTo: last, countsRows: !countsNothing, online: online)
    let drawing = try format.map { format in
      let models = try migrator.models(upTo: last)
      return try ModelDrawing(from: models.before, to: models.after).text(format)
    }
    return MigratePlanResult(plan, options, online: online, drawing: drawing)
  }
}

struct MigratePlanResult: ToolResult {
  let store: String
  /// The disk of a store in a file.
  let space: RoomOnDisk?
  let plan: MigrationPlan
  let drawing: String?

  private let next: String

  private enum CodingKeys: CodingKey {
    case store, space, drawing
  }

  init(
    _ plan: MigrationPlan, _ options: MigrationOptions, online: Bool, drawing: String? = nil
  ) {
    (self.plan, self.drawing) = (plan, drawing)
    store = options.shown
    space = options.server == nil ? RoomOnDisk(plan, StoreSpace(path: options.store)) : nil
    next =
      options.command("apply") + (plan.upTo.map { " --up-to \($0)" } ?? "")
      + (online ? " --online" : "")
  }

  func encode(to encoder: any Encoder) throws {
    try plan.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(store, forKey: .store)
    try container.encodeIfPresent(space, forKey: .space)
    try container.encodeIfPresent(drawing, forKey: .drawing)
  }
}

// MARK: - An approved plan

extension MigratePlanResult {
  private struct Document: Decodable {
    let command: String
    let result: MigrationPlan
  }

  /// Reads the plan in a file that `migrate plan --json` wrote.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when it is not a plan.
  static func approved(in path: String) throws(PersistenceError) -> MigrationPlan {
    let bytes: [UInt8]
    do throws(DocumentError) {
      bytes = try DocumentFile.bytes(of: path)
    } catch {
      throw .migrationFile(error.message, at: error.location)
    }
    let document = try? JSONDecoder().decode(Document.self, from: Data(bytes))
    guard let document, document.command == MigratePlanCommand.words else {
      throw .migrationFile(
        "'\(path)' is not a plan of this version; write one with '\(ToolName.current) migrate plan … "
          + "--json > \(path)'")
    }
    return document.result
  }
}

// MARK: - For people

extension MigratePlanResult {
  var hint: String? { plan.steps.isEmpty ? nil : "next: \(next)" }

  var lines: [String] {
    if let drawing { return [drawing] }
    guard !plan.steps.isEmpty else { return ["nothing to do"] }
    return (space.map { [spaceLine($0), ""] } ?? [])
      + plan.steps.flatMap { lines(for: $0) + [""] }.dropLast()
  }

  private func spaceLine(_ space: RoomOnDisk) -> String {
    let size =
      plan.store == nil ? "there is no store yet" : "the store has \(byteCount(space.bytes))"
    let log = space.logBytes > 0 ? " and a log of \(byteCount(space.logBytes))" : ""
    let bytes = space.needed ?? 0
    let needed = bytes > 0 ? ", the steps need about \(byteCount(bytes))" : ""
    let free = space.free.map { ", its disk has \(byteCount($0)) free" } ?? ""
    return size + log + needed + free
  }

  private func lines(for step: MigrationPlan.Step) -> [String] {
    let models = "\(short(step.modelBefore)) → \(short(step.modelAfter))"
    var lines = ["step \(step.id) \(step.name) (\(step.kind)): model \(models)"]
    lines += step.summary.map { "  \($0)" }
    lines += ["  " + facts(step).joined(separator: ", "), "  undo: \(undo(step))"]
    if let run = step.run { lines.append("  this program does not have the step; run: \(run)") }
    lines += step.losses.map { loss in
      let unknown = plan.countsRows ? "as many as there are then" : "not counted"
      return "  REMOVES \(loss.subject): " + (loss.count.map(String.init) ?? unknown)
    }
    if step.isDestructive {
      lines.append(
        step.allowsLoss
          ? "  allowed by the file" : "  refused where there are any, without --allow-loss")
    }
    lines += step.checks.map { "  refused if there are: \($0)" }
    for operation in step.operations {
      lines.append("  -- \(operation.kind) \(operation.table.oneLine)\(rows(operation.rows))")
      for (number, statement) in operation.statements.enumerated() {
        lines += Self.indented(statement + ";") + lock(operation, number)
      }
      lines += operation.remarks?.map { "  \($0.rule.rawValue): \($0.message)" } ?? []
    }
    if let script = step.script { lines += Self.indented(script) }
    return lines
  }

  /// What a statement keeps from others, where it is on a server.
  private func lock(_ operation: MigrationPlan.Operation, _ number: Int) -> [String] {
    guard let lock = operation.locks?[number], let name = lock.lock else { return [] }
    let work =
      switch lock.work {
      case .brief: ""
      case .reads: ", reads all rows"
      case .writes: ", writes rows in one transaction"
      case .ranges: ", writes rows some thousand at a time"
      case .rewrites: ", writes the table anew"
      }
    return ["    -- \(name)\(work)"]
  }

  private func facts(_ step: MigrationPlan.Step) -> [String] {
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
      case _ where step.isDestructive: "REMOVES DATA"
      case .sql, .code: "what it removes is not known"
      default: step.replacesValues ? "puts values in place of missing ones" : "keeps all data"
      }
    return [way, data]
  }

  private func undo(_ step: MigrationPlan.Step) -> String {
    guard step.refusesUndo.isEmpty else {
      return "none while there are " + step.refusesUndo.joined(separator: "; ")
    }
    return switch step.reversibility {
    case .lossless: "without loss"
    case .lossy: "the tables of before; what it removes or replaces does not come back"
    case .scripted: step.kind == .sql ? "the section \"down\"" : "the step's own"
    case .none: "none"
    }
  }

  private func rows(_ rows: Int?) -> String {
    guard let rows else {
      return plan.countsRows ? ", rows not known before the steps ahead" : ", rows not counted"
    }
    return rows == 0 ? "" : ", " + counted(rows, "row")
  }

  private static func indented(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { "  \($0)" }
  }
}
