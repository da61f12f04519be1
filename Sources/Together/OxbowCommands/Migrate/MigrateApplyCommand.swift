internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

struct MigrateApplyCommand: ToolCommand {
  static let words = "migrate apply"
  static let configuration = help(
    abstract: "Applies all pending steps, each in a transaction of its own.",
    discussion: """
      Killed at any moment, it leaves the store before or after a whole step; run it again. Ctrl-C \
      rolls back the step that runs, or stops a step in Swift behind its batch, and says what was \
      applied (exit code 130); a second one ends the program at once. The store must not be open \
      elsewhere: exit code 75 names the processes that have it open.

      A step that writes tables anew needs room for the new ones, in the file and in its log: it is \
      refused before it starts when the disk has less than that (exit code 73).

      With --all it applies what is pending to each store of a folder, one after the other, and \
      reports on each. One that fails does not keep others from their turn; the exit code is that of \
      the failures, or 1 where they are of several kinds. Run it again for what is left.
      """)

  @OptionGroup var options: MigrationOptions
  @OptionGroup var stores: StoresOption
  @Option(name: .customLong("up-to"), help: "The number of the last step.")
  var last: Int?
  @Flag(name: .customLong("dry-run"), help: "Only tell what would be done, as plan does.")
  var isDry = false
  @Flag(name: .customLong("allow-loss"), help: "Let steps remove data.")
  var allowsLoss = false
  @Option(
    name: .customLong("plan"),
    help: "A plan (plan --json): refuse when folder or store are not as they were then.",
    completion: .file())
  var plan: String?
  @Flag(name: .customLong("ignore-space"), help: "Do not look for room on the disk.")
  var ignoresSpace = false
  @Flag(
    help: """
      On a server: let programs read and save meanwhile, until the last, short transaction; refuse \
      what cannot be made so.
      """)
  var online = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try stores.require(options)
    try options.requireSteps()
    if stores.folder != nil, plan != nil || change.backup != nil {
      throw ValidationError(
        "--plan and --backup are for one store; give --store, or leave them out.")
    }
  }

  func result(_ console: Console) throws -> StoresResult<MigrateApplyResult> {
    try stores.results(options, console) { options, console in
      var command = self
      command.options = options
      return try command.oneResult(console)
    }
  }

  private func oneResult(_ console: Console) throws -> MigrateApplyResult {
    let migrator = try options.migrator(change)
    let approved = try plan.map { try MigratePlanResult.approved(in: $0) }
    let last = last ?? approved?.upTo
    if isDry { return .plan(try planned(by: migrator, upTo: last, approved)) }
    if !ignoresSpace, FileManager.default.fileExists(atPath: options.store) {
      try requireRoom(migrator, upTo: last)
    }
    return .applied(options.shown, try apply(migrator, upTo: last, approved, console))
  }

  private func planned(
    by migrator: Migrator, upTo last: Int?, _ approved: MigrationPlan?
  ) throws -> MigratePlanResult {
    let plan = try migrator.plan(
      upTo: last, countsRows: approved?.countsRows ?? true, online: online)
    if let approved { try plan.require(approved) }
    return MigratePlanResult(plan, options, online: online)
  }

  private func requireRoom(_ migrator: Migrator, upTo last: Int?) throws {
    let space = StoreSpace(path: options.store)
    // Most disks have room for all that could be written: then nothing is estimated.
    guard try !space.isPlenty(for: migrator.status().pending.count) else { return }
    try RoomOnDisk(migrator.plan(upTo: last), space).require(for: options.store)
  }

  private func apply(
    _ migrator: Migrator, upTo last: Int?, _ approved: MigrationPlan?, _ console: Console
  ) throws -> [AppliedStep] {
    var report = ApplyReport(console)
    do {
      return try change.backingUp(options.store, migrator, console) { migrator in
        try migrator.apply(
          upTo: last, allowsLoss: allowsLoss, approved: approved, online: online
        ) { report.follow($0) }
      }
    } catch let error as PersistenceError where error.code == .interrupted {
      throw report.interrupted(next: again(upTo: last))
    }
  }
}

extension MigrateApplyCommand {
  /// The command that goes on after an interruption; a plan does not fit any more.
  private func again(upTo last: Int?) -> String {
    options.command("apply") + (last.map { " --up-to \($0)" } ?? "")
      + (allowsLoss ? " --allow-loss" : "") + (ignoresSpace ? " --ignore-space" : "")
      + (online ? " --online" : "") + (change.sharesStore ? " --while-open" : "")
  }
}

private struct ApplyReport {
  private let console: Console
  private var pace = Pace()
  private var applied: [String] = []

  /// The pace of a table that is written anew, or of a script.
  private var part: PartPace

  /// The step that runs, and how many of its objects are durable.
  private var current: (name: String, done: String?)?

  init(_ console: Console) {
    self.console = console
    part = PartPace(console)
  }

  mutating func follow(_ progress: MigrationProgress) {
    switch progress {
    case .began(let name, let number, let count):
      // Before it, Ctrl-C may end the program at once: nothing was written.
      Interruption.watch()
      console.note("[\(number)/\(count)] \(name)")
      current = (name, nil)
      pace = Pace()
    case .advanced(let name, let objects, let count):
      current = (name, counted(objects, "object"))
      pace.line(objects, of: count).map { console.note("  \(name): \($0)") }
    case .copied(let name, let table, let rows, let count):
      part.follow("\(name): \(table)", rows, of: count, "rows")
    case .ran(let name, let bytes, let count):
      part.follow(name, bytes, of: count, "bytes")
    case .prepared(let name, let parts, let count):
      current = (name, counted(parts, "part"))
      pace.line(parts, of: count).map { console.note("  \(name): \($0)") }
    case .finished:
      current.map { applied.append($0.name) }
      current = nil
    }
  }

  /// Says what was applied, what was not, and how to go on.
  func interrupted(next: String) -> PersistenceError {
    let done =
      applied.isEmpty ? "no step was applied" : "applied: " + applied.joined(separator: ", ")
    var error = PersistenceError(.interrupted, "interrupted; \(done)")
    if let current, let done = current.done {
      error = error.adding(
        "stopped", "\(current.name), of which \(done) are done and stay so")
    } else if let current {
      error = error.adding("rolled back", current.name)
    }
    return error.adding("next", next)
  }
}

enum MigrateApplyResult: OneStoreResult {
  case plan(MigratePlanResult)
  case applied(String, [AppliedStep])

  private struct Applied: Encodable {
    let store: String
    let applied: [AppliedStep]
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .plan(let plan): try plan.encode(to: encoder)
    case .applied(let store, let steps):
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
