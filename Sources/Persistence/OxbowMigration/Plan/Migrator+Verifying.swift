internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// What trying the way back of a step gave.
public struct VerifiedStep: Sendable, Hashable, Codable {
  /// How it went.
  public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// Applied, taken back and applied again, the store is the same as applied once.
    case proved
    /// There is no way back.
    case irreversible
    /// The store is another one than it should be.
    case differs
    /// What should take the step back fails.
    case failed
  }

  /// The name of the step's file.
  public let name: String
  /// How it went.
  public let outcome: Outcome
  /// How the plan said that the step can be taken back.
  public let reversibility: MigrationPlan.Reversibility
  /// What is not as it should be, or why there is no way back.
  public let details: [String]

  private enum CodingKeys: String, CodingKey {
    case name, outcome, details
    case reversibility = "reversible"
  }
}

extension Migrator {
  /// Applies each pending step, takes it back and applies it again, and compares tables and rows.
  ///
  /// The store is changed: give this a copy. A step that the plan calls lossless must also leave
  /// the store as before when it is taken back.
  ///
  /// - Throws: ``PersistenceError``: what applying throws.
  public func verify(upTo last: Int? = nil) throws -> [VerifiedStep] {
    guard let sequence else {
      throw PersistenceError(
        .migrationRefused, "steps are verified from a folder; give one with --migrations")
    }
    var state = try backend.read { try $0.state() }
    if HistoryCheck(state?.history ?? []).isPreparing {
      // It would be missing where the step was taken back.
      try discardPrepared()
      state = try backend.read { try $0.state() }
    }
    let status = try SequenceStatus(of: state, in: sequence)
    try status.requirePlace(state, in: sequence, of: backend.store)
    // What a step starts from is what the one before it left: asking the store for all that it has
    // had would take longer with each step.
    var resolver = try StepResolver(
      state, sequence: sequence, target: target, code: code, in: backend.dialect)
    return try status.pending.filter { $0.number <= last ?? .max }.map { file in
      let step = try resolver.next(file)
      let way =
        isInTwoSteps(step, status.origin)
        ? WayThere(
          apply: { _ = try apply(upTo: file.number, allowsLoss: true) },
          undo: {
            _ = try undo(allowsLoss: true)
          }) : WayThere(apply: { try once(step) }, undo: { try once(wayBack(of: step, resolver)) })
      return try verify(step, file, way)
    }
  }

  /// Errors of the machine or of its user, which a step has not caused.
  private static let machineCodes: [PersistenceError.Code] = [
    .interrupted, .storeFull, .ioFailure, .storeLocked, .commitUnknown,
  ]

  private struct WayThere {
    let apply: () throws -> Void
    let undo: () throws -> Void
  }

  /// Whether a step is more than its own transaction: batches, or an entry of the history for the
  /// steps before it, or for those that it replaces.
  private func isInTwoSteps(_ step: ResolvedStep, _ origin: MigrationStatus.Origin) -> Bool {
    origin == .model || step.isBatched || step.file?.isSquashed == true
  }

  private func once(_ step: ResolvedStep) throws {
    guard !backend.isInterrupted else { throw PersistenceError.interrupted }
    try requireCode(step)
    try backend.exclusively { session in
      try session.transaction { store in
        try run(step, allowsLoss: true, in: store)
        try append(step, started: Date(), to: store)
      }
    }
  }

  private func wayBack(
    of step: ResolvedStep, _ resolver: StepResolver
  ) throws(PersistenceError) -> ResolvedStep {
    var resolver = resolver
    return try resolver.undo(entry(of: step), step.file)
  }

  private func verify(
    _ step: ResolvedStep, _ file: MigrationFile, _ way: WayThere
  ) throws -> VerifiedStep {
    let (label, moments) = (step.reversibility, step.moments)
    let start = label == .lossless ? try contents(leavingOut: moments) : [:]
    try way.apply()
    let once = try contents(leavingOut: moments)
    func verified(_ outcome: VerifiedStep.Outcome, _ details: [String]) -> VerifiedStep {
      VerifiedStep(
        name: file.fileName, outcome: outcome, reversibility: label, details: details)
    }
    do {
      try way.undo()
    } catch let error as PersistenceError where error.code == .migrationRefused {
      return verified(.irreversible, [error.message])
    } catch let error as PersistenceError where !Self.machineCodes.contains(error.code) {
      let part =
        switch file.kind {
        case .code: "the step's undo"
        case .sql: "the section \"down\" of '\(file.path)'"
        default: "the way back of '\(file.path)'"
        }
      let advice =
        file.kind == .model
        ? "a store with such rows cannot be taken back"
        : "mend it, or take it out where there is no way back"
      return verified(
        .failed, ["\(part) fails: \(error)", "\(advice); the store itself was not touched"])
    }
    var details: [String] = []
    if label == .lossless {
      details += Self.differences(start, try contents(leavingOut: moments)).map {
        "taken back: \($0)"
      }
    }
    try way.apply()
    details += Self.differences(once, try contents(leavingOut: moments)).map {
      "applied again: \($0)"
    }
    return verified(details.isEmpty ? .proved : .differs, details)
  }

  /// What distinguishes the tables and rows of this store from those of another one, in words;
  /// reads only.
  ///
  /// Versions of rows do not count.
  public func differences(to other: Migrator) throws -> [String] {
    Self.differences(try contents(), try other.contents())
  }

  private func contents(
    leavingOut columns: [String: Set<String>] = [:]
  ) throws -> [String: TableContents] {
    try backend.read { try $0.contents(leavingOut: columns) }
  }

  static func differences(
    _ expected: [String: TableContents], _ found: [String: TableContents]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().compactMap { name in
      switch (expected[name], found[name]) {
      case (nil, let new?): "the \(new.kind) '\(name)' is one too many"
      case (let old?, nil): "the \(old.kind) '\(name)' is missing"
      case (let old?, let new?) where old.kind != new.kind:
        "'\(name)' is a \(new.kind), and not a \(old.kind)"
      case (let old?, let new?) where old.structure != new.structure:
        "the table '\(name)' has other columns, keys or indexes"
      case (let old?, let new?) where old.triggers != new.triggers:
        "the \(old.kind) '\(name)' has other triggers"
      case (let old?, let new?) where old.rows != new.rows:
        "the table '\(name)' has \(new.rows) rows, not \(old.rows)"
      case (let old?, let new?) where old.hash != new.hash:
        "the table '\(name)' has other values"
      default: nil
      }
    }
  }
}
