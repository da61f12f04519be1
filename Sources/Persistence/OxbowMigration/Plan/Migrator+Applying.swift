internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// A step that was applied.
public struct AppliedStep: Sendable, Hashable, Codable {
  /// The number of the file, or "-" for an inferred step.
  public let id: String
  /// The name of the step.
  public let name: String
  /// What kind of step it is.
  public let kind: MigrationStepKind
  /// The model hash before, `nil` for a new store.
  public let modelBefore: String?
  /// The model hash after.
  public let modelAfter: String
  /// How long it took, commit included.
  public let seconds: Double
  /// Whether it ran: a step in Swift that the program does not have counts as done in a store that
  /// the program makes and that has no objects yet.
  public let hasRun: Bool

  private init(_ step: ResolvedStep, seconds: Double) {
    (id, name, kind, self.seconds) = (step.id, step.name, step.kind, seconds)
    (modelBefore, modelAfter) = (step.modelBefore, step.record.hash)
    hasRun = !step.isWithoutCode
  }

  /// The steps of one transaction, which is over now: the commit counts to the last one.
  static func timed(_ steps: [(step: ResolvedStep, start: Date)]) -> [AppliedStep] {
    let ends = steps.dropFirst().map(\.start) + [Date()]
    return zip(steps, ends).map { step, end in
      AppliedStep(step.step, seconds: end.timeIntervalSince(step.start))
    }
  }
}

/// What a migration reports while it runs.
public enum MigrationProgress: Sendable {
  /// A step begins; its number among those to be applied, and how many these are.
  case began(name: String, number: Int, count: Int)
  /// A batch of a step is durable; how many objects are done, and how many there are.
  case advanced(name: String, objects: Int, count: Int)
  /// A table is written anew; how many of its rows are, and how many there are. They are durable
  /// with the step.
  case copied(name: String, table: String, rows: Int, count: Int)
  /// A statement of a script has run; how many bytes of the script have, and how many it has.
  case ran(name: String, bytes: Int, count: Int)
  /// A part of a step that is made beside programs is durable; how many are, of how many.
  case prepared(name: String, parts: Int, count: Int)
  /// A step is durable.
  case finished(AppliedStep)
}

extension MigrationProgress {
  fileprivate init(_ progress: StepProgress, of step: String) {
    switch progress {
    case .rows(let table, let rows, let count):
      self = .copied(name: step, table: table, rows: rows, count: count)
    case .bytes(let bytes, let count): self = .ran(name: step, bytes: bytes, count: count)
    }
  }
}

extension Migrator {
  /// Applies all steps that the store has not had, up to a number, each in a transaction of its
  /// own; a program that opens a store that does not exist makes it in one transaction, so that
  /// other programs see all of it or nothing.
  ///
  /// The steps that others applied meanwhile are looked up under the lock: no step is applied
  /// twice, and when others were faster there is nothing left to do. If the program is killed, the
  /// store is as before or after a whole step.
  ///
  /// A step that removes data is refused unless `allowsLoss` or its file allows it, with what would
  /// go and how much of it. A script may remove data: it says so itself.
  ///
  /// With an approved plan, nothing is done when the store, its history, the number
  /// of its rows, or the steps and their texts are no longer those of that plan. The first step
  /// is applied in the transaction that looks; on a server, programs may save between two steps.
  ///
  /// With `online`, on a server, programs with the model before read and save while columns are
  /// filled and indexes are made; they are refused from the last, short transaction on. A step that
  /// cannot be made so is refused. What is under way is in the store's history, and the next call
  /// goes on with it.
  ///
  /// - Returns: The steps that this call applied.
  /// - Throws: ``PersistenceError``: `migrationRefused` before anything starts when a step cannot
  ///   be run, and for another plan than the one approved, `storeLocked` when the store is in use.
  public func apply(
    upTo last: Int? = nil, allowsLoss: Bool = false, approved: MigrationPlan? = nil,
    online: Bool = false, progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> [AppliedStep] {
    try apply(
      upTo: last, allowsLoss: allowsLoss, approved: approved, online: online, makesStore: false,
      progress: progress)
  }

  package func apply(
    upTo last: Int? = nil, allowsLoss: Bool = false, approved: MigrationPlan? = nil,
    online: Bool = false, makesStore: Bool, progress: (MigrationProgress) -> Void
  ) throws -> [AppliedStep] {
    let last = last ?? approved?.upTo
    // Without a lock: when there is nothing to do, there is nothing to wait for.
    let first = try backend.read { store in
      var run = ApplyRun(last: last, allowsLoss: allowsLoss)
      let isNew = try store.state() == nil
      (run.makesStore, run.isOnline) = (makesStore && isNew, online && !isNew)
      try resolve(&run, in: store)
      if run.isOnline, let step = run.rest.first {
        // Later, programs would wait for the count.
        try check(step, in: store)
        if let approved {
          try plan(upTo: last, countsRows: approved.countsRows, online: true, in: store)
            .require(approved)
        }
      }
      return run
    }
    guard !first.rest.isEmpty else {
      if let approved { try plan(upTo: last).require(approved) }
      if first.isGivenUp { try discardPrepared() }
      return []
    }
    do { return try applyAlone(first, approved, progress) } catch let error as PersistenceError {
      guard error.code == .storeLocked, approved == nil, try isDone(first) else { throw error }
      return []
    }
  }

  private func applyAlone(
    _ first: ApplyRun, _ approved: MigrationPlan?, _ progress: (MigrationProgress) -> Void
  ) throws -> [AppliedStep] {
    try backend.exclusively { session in
      var run = first
      run.approved = run.isOnline ? nil : approved
      while !run.rest.isEmpty {
        let steps = try applyNext(session, &run, progress)
        run.applied += steps
        for step in steps { progress(.finished(step)) }
      }
      return run.applied
    }
  }

  /// Whether another program, which may have the store open since, has applied all steps.
  private func isDone(_ first: ApplyRun) throws -> Bool {
    var run = first
    return try backend.read { store in
      guard try store.state() != nil else { return false }
      try resolve(&run, in: store)
      return run.rest.isEmpty
    }
  }

  /// What is known of the steps between two transactions.
  private struct ApplyRun {
    /// Whether programs use the store meanwhile.
    var isOnline = false

    /// Whether something was prepared for a step that is not over.
    var isPreparing = false

    /// Whether that step will not be done, now or later.
    var isGivenUp = false

    let last: Int?
    let allowsLoss: Bool
    var applied: [AppliedStep] = []

    /// The plan that has to be that of the store, until a step is applied.
    var approved: MigrationPlan?

    /// Whether the store is new, so that a step in Swift that the program does not have counts as
    /// done while no table has a row.
    var makesStore = false

    /// The steps that are left and the state that they start from; resolved again only when
    /// another program changed the store meanwhile.
    var rest: [ResolvedStep] = []
    var baseline: MigrationFile?
    var mark: MigrationMark?
    var announced: String?
  }

  /// Applies the next step, whatever it is now; in a new store, all that one transaction can have.
  ///
  /// - Returns: The steps that are durable now by this call.
  private func applyNext(
    _ session: any MigrationSession, _ run: inout ApplyRun,
    _ progress: (MigrationProgress) -> Void
  ) throws -> [AppliedStep] {
    guard run.rest.isEmpty || !backend.isInterrupted else { throw PersistenceError.interrupted }
    var done: [(step: ResolvedStep, start: Date)] = []
    var next: ResolvedStep?
    if run.isOnline { try prepareNext(session, &run, progress) }
    do {
      // A session may run it again, after the look at what broke a constraint.
      try session.transaction { store in
        (done, next) = ([], nil)
        if let approved = run.approved {
          try plan(upTo: run.last, countsRows: approved.countsRows, in: store).require(approved)
        }
        if run.mark != (try store.mark()) { try resolve(&run, in: store) }
        // Without a mark there is no store yet.
        for step in run.rest.prefix(run.makesStore && run.mark == nil ? run.rest.count : 1) {
          if step.isBatched, !done.isEmpty { break }
          next = step
          announce(step, done.count, &run, progress)
          done.append((step, Date()))
          if step.isBatched {
            if run.isPreparing { try discardPrepared(in: store) }
            break
          }
          try apply(
            run.isOnline ? step.closing(backend) : step,
            baseline: done.count == 1 ? run.baseline : nil, run, in: store, progress)
        }
        run.mark = try store.mark()
      }
    } catch let error as PersistenceError where error.code == .commitUnknown {
      // When the store cannot be read, the outcome stays unknown.
      guard let step = next, (try? isDone(step, session)) == true else { throw error }
    } catch {
      throw next.flatMap { step in
        repeatedValues(step) { look in try session.transaction { try look($0) } }
      } ?? error
    }
    var isOurs = true
    if let step = next, step.isBatched {
      isOurs = try applyBatches(of: step, baseline: run.baseline, session, progress)
      // Without it, the steps that are left are resolved again.
      run.mark = try? session.transaction { try $0.mark() }
    }
    if !done.isEmpty { (run.baseline, run.approved) = (nil, nil) }
    run.rest.removeFirst(done.count)
    // Another program may have ended what it had begun.
    return AppliedStep.timed(isOurs ? done : done.dropLast())
  }

  /// Makes what the next step needs beside programs.
  private func prepareNext(
    _ session: any MigrationSession, _ run: inout ApplyRun,
    _ progress: (MigrationProgress) -> Void
  ) throws {
    try session.transaction { store in
      if run.mark != (try store.mark()) { try resolve(&run, in: store) }
    }
    guard let step = run.rest.first else { return }
    announce(step, 0, &run, progress)
    do { try prepare(step, baseline: run.baseline, session, progress) } catch {
      throw repeatedValues(step) { try backend.read($0) } ?? error
    }
  }

  /// Applies a step in a transaction, with its row of the history.
  private func apply(
    _ step: ResolvedStep, baseline: MigrationFile?, _ run: ApplyRun,
    in store: any MigrationTransaction, _ progress: (MigrationProgress) -> Void
  ) throws {
    let start = Date()
    if let file = try countsAsDone(step, in: store) {
      try append(.baselined, file, model: step.modelBefore, to: store)
    } else {
      try self.run(step, .allButRepeated, allowsLoss: run.allowsLoss, in: store) {
        progress(MigrationProgress($0, of: step.label))
      }
      if let baseline {
        try append(.baselined, baseline, model: step.modelBefore, to: store)
      }
      // A change of tables has thrown it away itself.
      if run.isPreparing, step.isDoneWithoutTables { try discardPrepared(in: store) }
      try store.removeProgress()
      try append(step, started: start, to: store)
    }
  }

  /// The words for values that a unique index did not take; `looking` gives a look at the rows.
  private func repeatedValues(
    _ step: ResolvedStep, _ looking: ((any MigrationReading) throws -> Void) throws -> Void
  ) -> PersistenceError? {
    guard step.makesUnique else { return nil }
    do {
      try looking { try check(step, in: $0) }
    } catch let error as PersistenceError where error.code == .migrationRefused {
      return error
    } catch {}
    return nil
  }

  /// The file of a step in Swift that the program does not have, and that counts as done in a new
  /// store because no table has a row yet.
  private func countsAsDone(
    _ step: ResolvedStep, in store: any MigrationReading
  ) throws -> MigrationFile? {
    guard case .code(let stub, nil) = step.action else { return nil }
    for table in step.tablesBefore where try store.rowCount(of: table.name) ?? 0 > 0 {
      throw StepResolver.missing(stub, step.label, code)
    }
    return step.file
  }

  /// Finds out which steps are left for a store, and what each of them does.
  ///
  /// All of them, not only the next: a step that this program cannot run stops the first one
  /// already.
  private func resolve(_ run: inout ApplyRun, in store: any MigrationReading) throws {
    let state = try store.state()
    let history = HistoryCheck(state?.history ?? [])
    (run.isPreparing, run.isGivenUp) = (history.isPreparing, history.isPreparing)
    if run.isPreparing, let sequence {
      run.isGivenUp = try !SequenceStatus(of: state, in: sequence).pending.contains {
        $0.id == history.unfinished?.id
      }
    }
    (run.rest, run.baseline) = try steps(state, upTo: run.last)
    for step in run.rest { try requireCode(step, orNoObjects: run.makesStore) }
    if run.isOnline { try requireOnline(run.rest, run.allowsLoss) }
    run.mark = try store.mark()
  }

  func requireCode(
    _ step: ResolvedStep, orNoObjects: Bool = false
  ) throws(PersistenceError) {
    guard case .code(let stub, let found) = step.action else { return }
    guard let found else {
      if orNoObjects, step.modelBefore == step.record.hash { return }
      throw StepResolver.missing(stub, step.label, code)
    }
    if case .batched = found.work, step.modelBefore != step.record.hash {
      throw .migrationFile(
        "'\(step.label)' says that it leaves another model behind, and its step in Swift is batched: "
          + "between two batches the store must have a model; write model=\"unchanged\", with a "
          + "model step before it and one behind it")
    }
  }

  private func announce(
    _ step: ResolvedStep, _ applied: Int, _ run: inout ApplyRun,
    _ progress: (MigrationProgress) -> Void
  ) {
    guard run.announced != step.label else { return }
    run.announced = step.label
    progress(
      .began(
        name: step.label, number: run.applied.count + applied + 1,
        count: run.applied.count + run.rest.count))
  }

  /// Whether a step is in the store after a commit that reported an error: such a commit can be
  /// durable all the same, and the history is in it or not with the rest.
  func isDone(_ step: ResolvedStep, _ session: any MigrationSession) throws -> Bool {
    try session.transaction { store in
      let state = try store.state()
      return state?.modelHash == step.record.hash && state?.history.last?.id == step.id
        && state?.history.last?.happened == step.event
    }
  }

  func run(
    _ step: ResolvedStep, _ rows: LookedAt = .all, allowsLoss: Bool,
    in store: any MigrationTransaction, progress: (StepProgress) -> Void = { _ in }
  ) throws {
    if step.createsStore { try store.createStore() }
    try check(step, rows, in: store)
    try refuseLoss(step, allowsLoss, in: store)
    try beforeChange?()
    switch step.action {
    case .tables(let migration): try store.run(migration, progress: progress)
    case .script(let script):
      try check(try store.run(script, progress: progress), of: step, in: store)
    case .code(_, let code): try check(try run(code, step, in: store), of: step, in: store)
    }
    try finish(step, in: store)
  }

  /// Refuses what a step wrote that the model does not allow.
  func check(
    _ written: WrittenColumns, of step: ResolvedStep, in store: any MigrationTransaction
  ) throws {
    try store.makeBoxes(of: step.tablesAfter)
    let tables = try store.differences(from: step.tablesAfter)
    guard tables.isEmpty else { return }
    let problems =
      try RowHeaderCheck(mapping: step.after.mapping).problems(in: store, after: written)
      + WrittenCheck(mapping: step.after.mapping, written: written).problems(in: store)
    try PersistenceError.refuse(
      problems, as: "found", .migrationRefused,
      "\(step.label) writes what the model does not allow, and was rolled back")
    try noteKeys(written, of: step, in: store)
  }

  /// Notes the keys of objects that a step has added, so that no other ones get them.
  func noteKeys(
    _ written: WrittenColumns, of step: ResolvedStep, in store: any MigrationTransaction
  ) throws {
    for root in step.after.mapping.entities
    where root.root == root.entity && written.contains(root.keyColumn, of: root.table) {
      try store.noteKeys(of: root)
    }
  }

  /// Ends a step: what is derived, the tables as the model wants them, the model's record.
  func finish(_ step: ResolvedStep, in store: any MigrationTransaction) throws {
    for fill in step.fills { try store.run(fill) }
    let differences = try store.differences(from: step.tablesAfter)
    try PersistenceError.refuse(
      differences, as: "difference", .migrationFile,
      "\(step.label) does not leave the tables of the model \(step.record.hash.prefix(12))… "
        + "behind, and was rolled back" + (step.kind == .sql ? "; \(headerAdvice)" : ""))
    // A step that leaves the model as it is leaves its record too.
    let isOwn = step.kind == .sql || step.kind == .code
    guard !isOwn || step.modelBefore != step.record.hash else { return }
    try store.setModel(step.record, step.renaming)
  }

  private var headerAdvice: String {
    "a script that changes tables must say in its header which model it leaves behind "
      + "(-- oxbow: model <hash>)"
  }

  private func refuseLoss(
    _ step: ResolvedStep, _ allowsLoss: Bool, in store: any MigrationReading
  ) throws {
    guard !allowsLoss, !step.allowsLoss else { return }
    let losses = try step.losses.compactMap { loss in
      let count = try store.count(loss.condition)
      return count == 0 ? nil : "\(loss.subject): \(count)"
    }
    guard !losses.isEmpty else { return }
    let lost = losses.joined(separator: "; ")
    guard !step.isUndo else {
      throw PersistenceError(
        .migrationRefused,
        "\(step.label) would remove data: \(lost). Copy what is needed before, or allow the loss "
          + "with --allow-loss")
    }
    guard let file = step.file else {
      throw PersistenceError(
        .migrationRefused,
        "the step to the model given would remove data: \(lost). Write it as a file with 'oxbowctl "
          + "migrate new', or allow the loss with --allow-loss (in a program: allowsLoss)")
    }
    if file.allowsLoss {
      throw PersistenceError(
        .migrationRefused,
        "'\(file.fileName)' would remove data: \(lost). What the file allows is for stores with the "
          + "model \((file.modelBefore ?? "").prefix(12))…, and this one has "
          + "\((step.modelBefore ?? "").prefix(12))…, which no step of the folder leaves behind. Copy "
          + "what is needed before, or allow the loss with --allow-loss (in a program: allowsLoss)")
    }
    throw PersistenceError(
      .migrationRefused,
      "'\(file.fileName)' would remove data: \(lost). Copy what is needed with a script before this "
        + "step, allow the loss with --allow-loss (in a program: allowsLoss), or for all stores "
        + "with loss=\"allowed\" in the file's element \"migration\"")
  }
}

// MARK: - History

extension Migrator {
  func append(
    _ step: ResolvedStep, started: Date, to store: any MigrationTransaction
  ) throws {
    try append(entry(of: step), started, to: store)
  }

  func entry(of step: ResolvedStep) -> HistoryEntry {
    HistoryEntry(
      id: step.id, name: step.name, kind: step.kind.rawValue, event: step.event,
      checksum: step.file?.checksum.description,
      algorithm: step.file.map { _ in Checksum.algorithm }, modelBefore: step.modelBefore,
      modelAfter: step.record.hash)
  }

  /// Notes what happened to a file in a store that has a model and keeps it: that all steps up to
  /// it count as done, or that its text of now does.
  func append(
    _ event: HistoryEntry.Event, _ file: MigrationFile, model: String?,
    to store: any MigrationTransaction
  ) throws {
    let entry = HistoryEntry(
      id: file.id, name: file.name, kind: file.kind.rawValue, event: event,
      checksum: file.checksum.description, algorithm: Checksum.algorithm, modelBefore: model,
      modelAfter: model)
    try append(entry, Date(), to: store)
  }

  func append(
    _ entry: HistoryEntry, _ started: Date, to store: any MigrationTransaction
  ) throws {
    var entry = entry
    entry.started = started.formatted(.iso8601)
    entry.finished = Date().formatted(.iso8601)
    entry.tool = tool
    entry.engine = backend.engine
    entry.host = Self.host
    entry.user = Self.user
    try store.append(entry)
  }

  // Asking for a name can take as long as a small step.
  private static let host = ProcessInfo.processInfo.hostName
  private static let user = ProcessInfo.processInfo.userName
}
