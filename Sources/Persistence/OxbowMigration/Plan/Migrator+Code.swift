internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// Stops a step in Swift before its next statement.
private struct StoppingEditor: RowEditing {
  let base: any RowEditing
  let isInterrupted: () -> Bool

  func stop() throws(PersistenceError) {
    guard !isInterrupted() else { throw PersistenceError.interrupted }
  }

  func rows(_ statement: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
    try stop()
    return try base.rows(statement, values)
  }

  func run(_ statement: String, _ values: [SQLValue]) throws -> Int {
    try stop()
    return try base.run(statement, values)
  }

  var changes: Int { base.changes }
}

/// How far a step of many transactions is, as the history's entry of its last one keeps it.
struct StepPosition: CustomStringConvertible {
  /// The last key that is done.
  let last: Int64

  /// The largest key when the step began; `nil` where the entry does not have it.
  let end: Int64?

  var description: String { end.map { "\(last)/\($0)" } ?? "\(last)" }

  init(last: Int64, end: Int64) { (self.last, self.end) = (last, end) }

  init?(_ text: String) {
    let parts = text.split(separator: "/").map { Int64($0) }
    guard let last = parts.first ?? nil else { return nil }
    (self.last, end) = (last, parts.count > 1 ? parts[1] : nil)
  }
}

extension Migrator {
  func run(
    _ code: CodeStep?, _ step: ResolvedStep, in store: any MigrationTransaction
  ) throws -> WrittenColumns {
    guard let code, case .plain(let body) = code.work, let mapping = step.before?.mapping else {
      throw PersistenceError(.migrationRefused, "\(step.label) cannot be run in one transaction")
    }
    return try store.edit { editor in
      let editor = StoppingEditor(base: editor) { backend.isInterrupted }
      try Self.calling(step) { try body(MigrationRows(mapping, editor)) }
      // The step may have gone on after the error.
      try editor.stop()
    }
  }

  /// Runs a step in Swift batch by batch, from where the store's history says that it is; says
  /// whether anything was left to do.
  ///
  /// The history's entry of a batch is in the batch's transaction, so that the next one finds out
  /// about a commit whose outcome is unknown.
  func applyBatches(
    of step: ResolvedStep, baseline: MigrationFile?, _ session: any MigrationSession,
    _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    let start = Date()
    var hasRun = false
    var unknown: (batch: Batch, error: PersistenceError)?
    var previous: Batch?
    while true {
      var batch: Batch?
      do {
        try session.transaction { store in
          batch = try apply(of: step, baseline, started: start, after: previous, in: store)
        }
        unknown = nil
      } catch let error as PersistenceError where error.code == .commitUnknown {
        // Twice at the same batch: the disk does not recover.
        guard let batch, unknown?.batch.last != batch.last else { throw error }
        // The next one may come behind this one, whose writing would be missing.
        (unknown, previous, hasRun) = ((batch, error), nil, true)
        continue
      } catch {
        // It could not be seen whether the batch before is there.
        throw unknown?.error ?? error
      }
      guard let batch else { return hasRun }
      (previous, hasRun) = (batch, true)
      progress(.advanced(name: step.label, objects: batch.done, count: batch.count))
      if batch.isLast { return true }
      guard !backend.isInterrupted else { throw PersistenceError.interrupted }
    }
  }

  private struct Batch {
    var last = Int64.min
    /// The largest key when the step began: what the step itself inserts is not visited.
    var end = Int64.min
    var done = 0
    var count = 0
    var isLast = false

    /// What the step wrote so far; what it wrote before it was cut off is not known.
    var written: WrittenColumns
  }

  /// One transaction; `nil` when the step is done already.
  private func apply(
    of step: ResolvedStep, _ baseline: MigrationFile?, started: Date, after previous: Batch?,
    in store: any MigrationTransaction
  ) throws -> Batch? {
    guard case .code(_, let code?) = step.action,
      case .batched(let entity, let size, let body) = code.work, let mapping = step.before?.mapping,
      let state = try store.state()
    else { return nil }
    let history = HistoryCheck(state.history)
    if history.hasApplied(step.id) { return nil }
    try check(step, in: store)
    try beforeChange?()
    let position = history.position(of: step.id)
    var batch = previous ?? Batch(written: .init(allOf: position == nil ? [] : mapping.tables))
    batch.last = position?.last ?? .min
    batch.written.formUnion(
      try store.edit { editor in
        let rows = MigrationRows(mapping, editor)
        let reader = try rows.reader(entity)
        if previous == nil {
          batch.end = try position?.end ?? rows.largestKey(reader)
          batch.done = try rows.count(reader, upTo: batch.last)
          batch.count = try rows.count(reader, upTo: batch.end)
        }
        let read = try Self.calling(step) {
          try rows.edit(reader, after: batch.last, upTo: batch.end, limit: size) {
            try body(&$0, rows)
          }
        }
        batch.last = read.last
        batch.done += read.count
        batch.isLast = read.count < size
      })
    // Rows are checked one by one; what else the step wrote is looked at once. What a batch has
    // added may be gone before the next one.
    if batch.isLast {
      try check(batch.written, of: step, in: store)
    } else {
      try noteKeys(batch.written, of: step, in: store)
    }
    if position == nil, let baseline {
      try append(.baselined, baseline, model: step.modelBefore, to: store)
    }
    try store.removeProgress()
    if batch.isLast {
      try finish(step, in: store)
      try append(step, started: started, to: store)
    } else {
      var progress = entry(of: step)
      progress.event = HistoryEntry.Event.progressed.rawValue
      progress.cursor = StepPosition(last: batch.last, end: batch.end).description
      try append(progress, started, to: store)
    }
    return batch
  }

  /// Gives an error of the step's own the name of the step.
  private static func calling<R>(_ step: ResolvedStep, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as PersistenceError where error.code == .interrupted {
      throw error
    } catch let error as PersistenceError {
      throw error.adding("in", step.label)
    } catch {
      throw PersistenceError(
        .migration, "\(step.label) threw an error and was rolled back",
        details: [.init(label: "error", text: "\(error)")])
    }
  }
}
