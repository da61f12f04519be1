internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

extension Migrator {
  /// Takes back the last step that the store has had, in one transaction.
  ///
  /// For a model step the way back follows from the two models; a script says it in its section
  /// "down". What a step removed does not come back, and what was entered since for what the step
  /// added goes: that is refused with its number unless `allowsLoss`.
  ///
  /// - Throws: ``PersistenceError``: `migrationRefused` when there is no way back, `storeLocked`
  ///   when the store is in use.
  public func undo(allowsLoss: Bool = false) throws -> AppliedStep {
    let steps = try undo(allowsLoss: allowsLoss) { _ in 1 }
    guard let step = steps.first else { throw Self.nothingToUndo }
    return step
  }

  /// Takes back all steps behind a number, the last one first, in one transaction: when one of
  /// them cannot be taken back, none is.
  ///
  /// Each of them goes as with ``undo(allowsLoss:)``.
  ///
  /// - Returns: The steps that were taken back, in that order.
  /// - Throws: ``PersistenceError``: `migrationRefused` when a step has no way back, when the store
  ///   has not had the step of that number, and when that is the last one; `storeLocked` when the
  ///   store is in use.
  public func undo(to number: Int, allowsLoss: Bool = false) throws -> [AppliedStep] {
    try undo(allowsLoss: allowsLoss) { history throws(PersistenceError) in
      try Self.count(behind: number, HistoryCheck.done(history))
    }
  }

  /// Takes back as many steps as `count` says of the store's history.
  private func undo(
    allowsLoss: Bool, _ count: ([HistoryEntry]) throws -> Int
  ) throws -> [AppliedStep] {
    try backend.exclusively { session in
      var undone: [(step: ResolvedStep, start: Date)] = []
      do {
        try session.transaction { store in
          undone = []
          for _ in 0..<(try count(store.state()?.history ?? [])) {
            let start = Date()
            let step = try undoing(store.state())
            undone.append((step, start))
            try run(step, allowsLoss: allowsLoss, in: store)
            try append(step, started: start, to: store)
          }
        }
      } catch let error as PersistenceError where error.code == .commitUnknown {
        guard let last = undone.last, (try? isDone(last.step, session)) == true else { throw error }
      }
      return AppliedStep.timed(undone)
    }
  }

  private static func count(
    behind number: Int, _ done: [HistoryEntry]
  ) throws(PersistenceError) -> Int {
    guard !done.isEmpty else { throw nothingToUndo }
    guard let index = done.lastIndex(where: { Int($0.id) == number }) else {
      throw PersistenceError(
        .migrationRefused,
        "the store has not had a step \(number), so it cannot be taken back to it; it has had "
          + PersistenceError.listed(done.map(\.id)))
    }
    guard index + 1 < done.count else {
      throw PersistenceError(
        .migrationRefused,
        "the step \(done[index].id) '\(done[index].name)' is the last one that the store has had: there "
          + "is nothing behind it to take back")
    }
    return done.count - index - 1
  }

  private func undoing(_ state: MigrationState?) throws(PersistenceError) -> ResolvedStep {
    guard let state, let entry = HistoryCheck.lastDone(state.history) else {
      throw Self.nothingToUndo
    }
    if let unfinished = HistoryCheck(state.history).unfinished {
      throw StepResolver.refused(
        entry,
        "the step \(unfinished.id) '\(unfinished.name)' behind it is not over; finish it first with "
          + "'migrate apply'"
          + (HistoryCheck(state.history).isPreparing
            ? ", or give it up: without its file, 'migrate apply' throws away what was prepared for it"
            : ""))
    }
    guard entry.happened == .applied else {
      throw StepResolver.refused(
        entry,
        entry.kind == MigrationStepKind.code.rawValue
          ? "it did not run: it counted as done"
          : "the store had its model already when the folder was first used with it")
    }
    if let sequence { _ = try SequenceStatus(of: state, in: sequence) }
    let file = Int(entry.id).flatMap { number in
      sequence?.files.first { $0.number == number }
    }
    if file?.isSquashed == true {
      throw StepResolver.refused(
        entry,
        "'\(file?.fileName ?? "")' replaces several steps, and the store has had them one by one; "
          + "use the folder as it was before they were put together, or restore a backup")
    }
    var resolver = try StepResolver(
      state, sequence: sequence, target: target, code: code, in: backend.dialect)
    return try resolver.undo(entry, file)
  }

  private static var nothingToUndo: PersistenceError {
    PersistenceError(.migrationRefused, "the store has had no step that could be taken back")
  }
}
