package import OxbowModel
internal import OxbowRelational

extension Migrator {
  /// Plans all steps that the store has not had, up to a number; reads only.
  ///
  /// Counting reads each table that changes. Without it, a plan of a large store takes no longer
  /// than one of a small store; what it says of losses is what may go.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` when the rows of the first step do
  ///   not allow it, as far as rows are counted. Rows behind earlier steps or scripts cannot be
  ///   looked at before those ran.
  public func plan(
    upTo last: Int? = nil, countsRows: Bool = true, online: Bool = false
  ) throws -> MigrationPlan {
    try backend.read { try plan(upTo: last, countsRows: countsRows, online: online, in: $0) }
  }

  /// The model that the store has, and the one that it would have after the steps of a plan; reads
  /// only.
  ///
  /// A model without entities is that of no store.
  package func models(
    upTo last: Int? = nil
  ) throws -> (before: ManagedObjectModel, after: ManagedObjectModel) {
    try backend.read { store in
      let state = try store.state()
      let after = try steps(state, upTo: last).steps.last?.after
      let before = try StepResolver(
        state, sequence: sequence, target: target, code: code, in: backend.dialect
      ).current
      let none = ManagedObjectModel(entities: [])
      return (before?.model.source ?? none, (after ?? before)?.model.source ?? none)
    }
  }

  func plan(
    upTo last: Int?, countsRows: Bool, online: Bool = false, in store: any MigrationReading
  ) throws -> MigrationPlan {
    let state = try store.state()
    let steps = try steps(state, upTo: last).steps
    // What is lost is in the plan, allowed or not.
    if online { try requireOnline(steps, true) }
    if let first = steps.first { try check(first, countsRows ? .all : .none, in: store) }
    var rows = TableCounts(store: store, isAsked: countsRows)
    return MigrationPlan(
      store: state.map {
        .init(
          identifier: $0.identifier, model: $0.modelHash,
          events: $0.history.count { $0.happened != .progressed })
      }, upTo: last, countsRows: countsRows,
      steps: try steps.map { step in
        let planned = try plan(step, online, &rows, store)
        rows.follow(step)
        return planned
      })
  }

  enum LookedAt {
    case all

    /// Looking for repeated values sorts what an index sorts again: who makes the index right away
    /// can leave it to it, and ask here when that fails.
    case allButRepeated
    case none

    fileprivate func includes(_ check: DataCheck) -> Bool {
      switch self {
      case .all: true
      case .allButRepeated: !check.isOfRepeated
      case .none: false
      }
    }
  }

  /// Refuses a step whose tables or rows are not as it needs them.
  func check(
    _ step: ResolvedStep, _ rows: LookedAt = .all, in store: any MigrationReading
  ) throws {
    if !step.createsStore {
      let differences = try store.differences(from: step.tablesBefore)
      try PersistenceError.refuse(
        differences, as: "difference", .migrationDrift,
        "the store's tables are not those of its model, so \(step.label) cannot start")
    }
    guard case .tables(let migration) = step.action else { return }
    var problems = try store.takenNames(migration).map {
      PersistenceError(
        .migrationRefused,
        "\(step.label) was refused: \($0); drop or rename it with a script before this step")
    }
    for check in migration.checks where rows.includes(check) {
      let count = try store.count(check.condition)
      guard count > 0 else { continue }
      problems.append(
        PersistenceError(
          .migrationRefused,
          "\(step.label) was refused: \(check.subject): \(count); "
            + (step.isUndo && check.isOfAllRows ? Self.adviceOfUndo : check.advice)))
    }
    guard problems.isEmpty else {
      throw PersistenceError.collecting(
        .migrationRefused, "\(step.label) was refused for \(problems.count) reasons", problems)
    }
  }

  // The check's own advice is about the earlier model, which the store has left.
  private static let adviceOfUndo =
    "what the step removed is not known any more; restore a backup that was made before it "
    + "('migrate apply --backup' makes one), or delete these objects"

  private func plan(
    _ step: ResolvedStep, _ online: Bool, _ rows: inout TableCounts,
    _ store: any MigrationReading
  ) throws -> MigrationPlan.Step {
    let changes = step.difference.changes
    var operations: [MigrationOperation] = []
    var script: String?
    var run: String?
    var checks: [String] = []
    var losses: [MigrationPlan.Loss] = []
    switch step.action {
    case .tables(let migration):
      let change = online ? step.onlineChange(backend) : nil
      let fills = (change == nil ? step.fills : []).map(backend.operation(of:))
      let statements =
        (change?.parts.map(\.operation) ?? [])
        + backend.statements(of: change?.closing ?? migration)
      operations = try (statements + fills).map {
        try counting($0, migration.originsByTable[$0.table] ?? [$0.table], &rows)
      }
      losses = try migration.losses.map { loss in
        MigrationPlan.Loss(
          subject: loss.subject, count: rows.isLive ? try store.count(loss.condition) : nil)
      }.filter { $0.count != 0 }
      checks = migration.checks.map(\.subject)
    case .script(let text): script = text.text
    case .code(let stub, let code):
      run = code == nil ? stub.run : nil
    }
    let known = operations.compactMap(\.rows)
    return MigrationPlan.Step(
      id: step.id, name: step.name, kind: step.kind, path: step.file?.path,
      checksum: step.file?.checksum.description, modelBefore: step.modelBefore,
      modelAfter: step.record.hash, changes: changes, summary: changes.map(\.description),
      operations: operations, script: script, run: run,
      rows: script == nil && step.kind != .code && known.count == operations.count
        ? known.reduce(0, +) : nil,
      bytes: operations.bytesWritten, isDestructive: !losses.isEmpty, losses: losses,
      allowsLoss: step.allowsLoss, replacesValues: step.replacesValues,
      reversibility: step.reversibility, refusesUndo: step.refusalsOfUndo, checks: checks)
  }

  /// An operation with the rows and bytes of the tables that it reads.
  private func counting(
    _ operation: MigrationOperation, _ tables: [String], _ rows: inout TableCounts
  ) throws -> MigrationOperation {
    var operation = operation
    operation.rows = operation.kind.touchesRows ? try rows.count(of: tables) : 0
    operation.bytes = operation.kind.writesRows ? try rows.bytes(of: tables) : nil
    if operation.locks != nil {
      let isBrief = operation.locks?.allSatisfy { $0.work == .brief } != false
      operation.remarks = operation.remarks(rows: isBrief ? 0 : try rows.size(of: tables))
    }
    return operation
  }
}

extension [MigrationOperation] {
  /// About how many bytes they write anew, in tables and indexes; `nil` when steps ahead decide.
  var bytesWritten: Int? {
    var tables: [String: Int] = [:]
    for operation in self where operation.rows != 0 {
      guard let bytes = operation.bytes else {
        guard operation.kind == .rebuild else { continue }
        return nil
      }
      // The indexes of a table are among its bytes.
      tables[operation.table] = Swift.max(tables[operation.table] ?? 0, bytes)
    }
    return tables.values.reduce(0, +)
  }
}

extension MigrationOperation.Kind {
  fileprivate var touchesRows: Bool {
    switch self {
    case .rebuild, .index, .fill, .drop, .delete: true
    case .create, .rename, .alter: false
    }
  }

  /// Whether the operation writes each row, or an entry for it.
  fileprivate var writesRows: Bool {
    switch self {
    case .rebuild, .index, .fill: true
    case .create, .rename, .alter, .drop, .delete: false
    }
  }
}

extension TableMigration {
  /// The tables that each table's rows come from, where there are some.
  fileprivate var originsByTable: [String: [String]] {
    var result: [String: [String]] = [:]
    for lookup in lookups { result[lookup.table] = lookup.links.sources.map(\.table) }
    for target in targets {
      switch target.origin {
      case .table(let name), .rows(let name, _): result[target.table.name] = [name]
      case .links(let links): result[target.table.name] = links.sources.map(\.table)
      case .none: break
      }
    }
    return result
  }
}

/// The rows and bytes of tables that are not there yet, by the tables that they come from.
private struct TableCounts {
  private let store: any MigrationReading
  private let isAsked: Bool

  /// The live table behind each table; `nil` for one that is empty.
  private var live: [String: String?]?

  /// Whether a script or a step in Swift is ahead, which may write any rows.
  private var isUncertain = false

  /// The bytes of the live tables, and their rows as the engine knows them; read on demand.
  private var bytes: [String: Int]?
  private var estimates: [String: Int]?

  init(store: any MigrationReading, isAsked: Bool) {
    self.store = store
    self.isAsked = isAsked
  }

  /// Whether the rows that the step finds are those of the store, because no step is ahead, and
  /// may be counted.
  var isLive: Bool { isAsked && live == nil && !isUncertain }

  func count(of tables: [String]) throws -> Int? {
    try isUncertain ? nil : sum(tables) { try store.rowCount(of: $0) ?? 0 }
  }

  mutating func bytes(of tables: [String]) throws -> Int? {
    guard isAsked else { return nil }
    let known = try bytes ?? store.bytesByTable()
    bytes = known
    return sum(tables) { known[$0] ?? 0 }
  }

  /// About how many rows tables have that are there: as counted, or as the engine knows.
  mutating func size(of tables: [String]) throws -> Int {
    if let count = try count(of: tables) { return count }
    let known = try estimates ?? store.estimatedRows()
    estimates = known
    return tables.reduce(0) { $0 + max(0, known[$1] ?? 0) }
  }

  private func sum(_ tables: [String], _ number: (String) throws -> Int) rethrows -> Int? {
    guard isAsked else { return nil }
    var sum = 0
    for table in tables {
      guard let live else {
        sum += try number(table)
        continue
      }
      guard let known = live[table] else { return nil }
      sum += try known.map(number) ?? 0
    }
    return sum
  }

  mutating func follow(_ step: ResolvedStep) {
    guard case .tables(let migration) = step.action else {
      isUncertain = true
      return
    }
    var next: [String: String?] = [:]
    for target in migration.targets {
      switch target.origin {
      case .none: next[target.table.name] = .some(nil)
      case .links, .rows: break
      case .table(let name):
        guard let live else {
          next[target.table.name] = name
          continue
        }
        if let known = live[name] { next[target.table.name] = known }
      }
    }
    live = next
  }
}

// MARK: - What a step costs

extension ResolvedStep {
  var losses: [DataLoss] {
    if case .tables(let migration) = action { migration.losses } else { [] }
  }

  var reversibility: MigrationPlan.Reversibility {
    switch action {
    case .script:
      guard let file, case .script(_, let down) = file.content else { return .none }
      return down == nil ? .none : .scripted
    case .code(_, let code): return code?.undo == nil ? .none : .scripted
    case .tables: break
    }
    guard inverse != nil else { return .none }
    return !losses.isEmpty || replacesValues ? .lossy : .lossless
  }

  /// Whether rows may have values that a new unique index does not take.
  var makesUnique: Bool {
    if case .tables(let migration) = action {
      migration.checks.contains(where: \.isOfRepeated)
    } else {
      false
    }
  }

  /// What takes a model step back; `nil` when nothing can.
  private var inverse: TableMigration? {
    guard case .tables = action, let before else { return nil }
    return try? TableMigrationBuilder.inverse(of: before.model, to: after).migration
  }

  /// Describes the objects that prevent the step from being taken back.
  var refusalsOfUndo: [String] {
    inverse?.checks.filter(\.isOfAllRows).map(\.subject) ?? []
  }

  /// Whether values are replaced by others, so that the old ones are not known afterwards.
  var replacesValues: Bool {
    if case .tables(let migration) = action { migration.replacesValues } else { false }
  }
}

extension DataCheck {
  /// Whether it refuses any object of an entity, whatever its values are.
  fileprivate var isOfAllRows: Bool {
    if case .rows = condition { true } else { false }
  }
}

extension TableMigration {
  /// Whether values are replaced by others, so that the old ones are not known afterwards.
  fileprivate var replacesValues: Bool {
    forgetsPlaces
      || targets.contains { target in
        target.sources.values.contains(where: \.replacesValues)
      }
  }
}

extension ColumnSource {
  fileprivate var replacesValues: Bool {
    switch self {
    case .filled: true
    case .typed(_, let source, let other): source.replacesValues || other?.replacesValues == true
    default: false
    }
  }
}
