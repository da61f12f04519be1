internal import OxbowModel
internal import OxbowSQL

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
    try backend.exclusively { session in
      let start = Date()
      var undone: ResolvedStep?
      do {
        try session.transaction { store in
          let step = try undoing(store.state())
          undone = step
          try refuseLoss(step, allowsLoss, in: store)
          try run(step, in: store)
          try append(step, started: start, to: store)
        }
      } catch let error as PersistenceError where error.code == .commitUnknown {
        guard let step = undone, (try? isDone(step, session)) == true else { throw error }
      }
      guard let step = undone else { throw Self.nothingToUndo }
      return AppliedStep(
        id: step.id, name: step.name, kind: step.kind, modelBefore: step.modelBefore,
        modelAfter: step.record.hash, seconds: Date().timeIntervalSince(start), hasRun: true)
    }
  }

  private func undoing(_ state: MigrationState?) throws(PersistenceError) -> ResolvedStep {
    guard let state, let entry = HistoryCheck.lastDone(state.history) else {
      throw Self.nothingToUndo
    }
    if let unfinished = HistoryCheck(state.history).unfinished {
      throw StepResolver.refused(
        entry,
        "the step \(unfinished.id) '\(unfinished.name)' behind it is not over; finish it first with "
          + "'migrate apply'")
    }
    guard entry.event == HistoryEntry.Event.applied.rawValue else {
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
    var resolver = try StepResolver(state, sequence: sequence, target: target, code: code)
    return try resolver.undo(entry, file)
  }

  private static var nothingToUndo: PersistenceError {
    PersistenceError(.migrationRefused, "the store has had no step that could be taken back")
  }
}
