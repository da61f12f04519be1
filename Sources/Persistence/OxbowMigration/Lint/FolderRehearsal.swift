internal import OxbowModel
internal import OxbowRelational

/// Tries the steps of a folder in an empty store, one after the other, and reports what of a script
/// fails there: it fails in any other store too.
struct FolderRehearsal {
  private let store: any MigrationRehearsal
  private var resolver: StepResolver

  /// Whether the steps behind cannot be tried: one before them failed.
  private(set) var isOver = false

  /// Whether a step in Swift may have made tables that the store has not.
  private var lacksTables = false

  init(_ store: any MigrationRehearsal, _ sequence: MigrationSequence) throws(PersistenceError) {
    self.store = store
    resolver = try StepResolver(nil, sequence: sequence, target: nil)
  }

  mutating func findings(_ file: MigrationFile) throws -> [LintFinding] {
    guard !isOver else { return [] }
    do {
      let step = try resolver.next(file)
      switch step.action {
      case .tables(let migration):
        try store.run(migration)
        return []
      case .script(let script): return try findings(script, of: file, step)
      case .code:
        lacksTables = true
        isOver = step.modelBefore != step.record.hash
        return []
      }
    } catch let error as PersistenceError {
      isOver = true
      return [
        LintFinding(
          rule: .failingStatement, file: file.fileName, line: nil,
          message: "the step fails in an empty store already: \(error.message)",
          advice: "mend it, or the steps before it")
      ]
    }
  }

  private mutating func findings(
    _ script: MigrationScript, of file: MigrationFile, _ step: ResolvedStep
  ) throws -> [LintFinding] {
    var trial = ScriptTrial(store: store, file: file, lacksTables: lacksTables)
    try trial.run(script, to: step.tablesAfter, model: step.record.hash)
    // What is wrong here would be wrong in every step behind.
    isOver = trial.leavesOtherTables
    if !isOver, case .script(_, let down?) = file.content {
      try store.takingBack {
        try trial.run(down, to: step.tablesBefore, model: step.modelBefore ?? "")
      }
    }
    return trial.findings
  }
}

private struct ScriptTrial {
  let store: any MigrationRehearsal
  let file: MigrationFile
  let lacksTables: Bool
  private(set) var findings: [LintFinding] = []
  private(set) var leavesOtherTables = false

  init(store: any MigrationRehearsal, file: MigrationFile, lacksTables: Bool) {
    (self.store, self.file, self.lacksTables) = (store, file, lacksTables)
  }

  private mutating func add(
    _ rule: LintFinding.Rule, _ line: Int, _ message: String, _ advice: String
  ) {
    findings.append(
      LintFinding(
        rule: rule, file: file.fileName, line: line, message: message, advice: advice))
  }

  /// Runs the statements, and compares the tables that they leave behind with those of a model.
  mutating func run(_ script: MigrationScript, to tables: [TableSchema], model: String) throws {
    // What is wrong before the script is not its fault.
    let known = Set(try store.differences(from: tables))
    var since: [String: Int] = [:]
    var version = try store.schemaVersion()
    for statement in ScriptStatement.all(in: script) {
      try run(statement, of: script)
      guard statement.changesTables else { continue }
      let now = try store.schemaVersion()
      guard now != version else { continue }
      version = now
      let differences = try store.differences(from: tables)
      let lines = differences.map { ($0, since[$0] ?? statement.line) }
      since = Dictionary(lines) { first, _ in first }
    }
    try store.endScript()
    let left = since.filter { !known.contains($0.key) }
    let missing = known.intersection(try store.differences(from: tables))
    leavesOtherTables = !left.isEmpty || !missing.isEmpty
    for (line, differences) in Dictionary(grouping: left, by: \.value).sorted(by: {
      $0.key < $1.key
    }) {
      add(
        .otherTables, line,
        "the script would not leave the tables of the model \(model.prefix(12))… behind: "
          + differences.map(\.key).sorted().joined(separator: "; "),
        "leave it to a model step, or say in the header which model the script leaves behind "
          + "(-- oxbow: model <hash>)")
    }
    if left.isEmpty, !missing.isEmpty {
      add(
        .otherTables, script.firstLine,
        "the script does not leave the tables of the model \(model.prefix(12))… behind: "
          + missing.sorted().joined(separator: "; "), "write the statements that are missing")
    }
  }

  private mutating func run(_ statement: ScriptStatement, of script: MigrationScript) throws {
    let text = MigrationScript(
      file: script.file, text: statement.text(statement.tokens), firstLine: statement.line)
    guard let failure = try store.run(text) else { return try checkTypes(statement) }
    if failure.isRefused {
      return add(.refusedStatement, statement.line, failure.text, "take the statement out")
    }
    guard !lacksTables || !failure.text.hasPrefix("no such ") else { return }
    guard !failure.text.hasPrefix("cannot store ") else {
      return add(.wrongType, statement.line, failure.text, Self.typeAdvice)
    }
    add(
      .failingStatement, statement.line,
      "the statement fails in an empty store already: \(failure.text)",
      "mend it; 'migrate apply' refuses the script")
  }

  /// Whether an `UPDATE` writes values of another type, whichever rows it is for.
  private mutating func checkTypes(_ statement: ScriptStatement) throws {
    guard let (table, assignments) = statement.assignments,
      let problem = try store.assign(assignments, to: table)
    else { return }
    add(.wrongType, statement.line, problem, Self.typeAdvice)
  }

  private static let typeAdvice =
    "write a value of the column's type; a date is the number of seconds since 2001, "
    + "(julianday('now') - 2451910.5) * 86400"
}

extension ScriptStatement {
  fileprivate var changesTables: Bool { ["create", "drop", "alter"].contains(word(0)) }

  /// The table of an `UPDATE`, and the text of its assignments; `nil` for other statements.
  fileprivate var assignments: (table: String, text: String)? {
    guard word(verb) == "update", let set = first(["set"], from: verb) else { return nil }
    let name = table(at: verb + (word(verb + 1) == "or" ? 3 : 1)).name
    let end = first(["where", "from", "returning", "order", "limit"], from: set) ?? tokens.count
    return name.isEmpty || set + 1 >= end ? nil : (name, text(tokens[(set + 1)..<end]))
  }
}
