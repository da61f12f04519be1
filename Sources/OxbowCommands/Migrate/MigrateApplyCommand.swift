internal import ArgumentParser
internal import OxbowMigration
internal import OxbowSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The command `oxbowctl migrate apply`.
struct MigrateApplyCommand: ToolCommand {
  static let words = "migrate apply"

  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Applies all pending steps, each in a transaction of its own.",
    discussion: """
      Killed at any moment, it leaves the store before or after a whole step; run it again. The \
      store must not be open elsewhere: exit code 75 names the processes that have it open.
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step.")
  var last: Int?
  @Flag(name: .customLong("dry-run"), help: "Only tell what would be done, as plan does.")
  var isDry = false
  @Flag(name: .customLong("allow-loss"), help: "Let steps remove data.")
  var allowsLoss = false
  @Flag(
    name: .customLong("while-open"),
    help: "Migrate although other processes have the store open; their next save fails.")
  var sharesStore = false
  @Option(
    name: .customLong("plan"),
    help: "A plan (plan --json): refuse when something else would be done now.")
  var plan: String?
  @Option(name: .long, help: "Copy the store to this path before the first step.")
  var backup: String?
  @Option(name: .long, help: "How many seconds to wait for the store.")
  var wait = 5.0
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try options.requireSteps()
    guard wait >= 0, wait <= 86_400 else {
      throw ValidationError("--wait is a number of seconds from 0 to 86400.")
    }
  }

  func result(_ console: Console) throws -> MigrateApplyResult {
    let migrator = try options.migrator(
      busyMilliseconds: Int(wait * 1000), sharesStore: sharesStore)
    if isDry {
      return .plan(MigratePlanResult(try migrator.plan(upTo: last), options))
    }
    if let plan { try ApprovedPlan.read(plan).require(try migrator.plan(upTo: last)) }
    if let backup, FileManager.default.fileExists(atPath: options.store),
      try !migrator.plan(upTo: last).steps.isEmpty
    {
      try SQLiteStoreFile(options.store).backUp(to: backup)
      console.note("copied '\(options.store)' to '\(backup)'")
    }
    var pace = Pace()
    let steps = try migrator.apply(upTo: last, allowsLoss: allowsLoss) { progress in
      switch progress {
      case .began(let name, let number, let count):
        console.note("[\(number)/\(count)] \(name)")
        pace = Pace()
      case .advanced(let name, let objects, let count):
        pace.line(objects, of: count).map { console.note("  \(name): \($0)") }
      case .finished: break
      }
    }
    return .applied(options.store, steps)
  }
}

/// What was applied, or would be.
enum MigrateApplyResult: ToolResult {
  case plan(MigratePlanResult)
  case applied(String, [AppliedStep])

  private struct Step: Encodable {
    let id: String
    let name: String
    let kind: MigrationStepKind
    let modelBefore: String?
    let modelAfter: String
    let seconds: Double
  }

  private struct Applied: Encodable {
    let store: String
    let applied: [Step]
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .plan(let plan): try plan.encode(to: encoder)
    case .applied(let store, let steps):
      let steps = steps.map {
        Step(
          id: $0.id, name: $0.name, kind: $0.kind, modelBefore: $0.modelBefore,
          modelAfter: $0.modelAfter, seconds: $0.seconds)
      }
      try Applied(store: store, applied: steps).encode(to: encoder)
    }
  }

  var lines: [String] {
    switch self {
    case .plan(let plan): return plan.lines
    case .applied(_, let steps):
      guard let last = steps.last else { return ["nothing to do"] }
      return steps.map { "applied \($0.id) \($0.name)" } + ["model \(short(last.modelAfter))"]
    }
  }
}
