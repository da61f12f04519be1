internal import OxbowModel
internal import OxbowSQL

/// What trying the way back of a step gave.
public struct VerifiedStep: Sendable {
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
    let pending = try status().pending
    return try sequence.files.filter { file in
      pending.contains(file.fileName) && file.number <= last ?? .max
    }.map { try verify($0) }
  }

  private func verify(_ file: MigrationFile) throws -> VerifiedStep {
    let before = try contents()
    let label = try reversibility(of: file)
    _ = try apply(upTo: file.number, allowsLoss: true)
    let once = try contents()
    func verified(_ outcome: VerifiedStep.Outcome, _ details: [String]) -> VerifiedStep {
      VerifiedStep(
        name: file.fileName, outcome: outcome, reversibility: label, details: details)
    }
    do {
      _ = try undo(allowsLoss: true)
    } catch let error as PersistenceError where error.code == .migrationRefused {
      return verified(.irreversible, [error.message])
    } catch let error as PersistenceError where error.code != .interrupted {
      let part = file.kind == .code ? "the step's undo" : "the section \"down\" of '\(file.path)'"
      return verified(
        .failed,
        [
          "\(part) fails: \(error)",
          "mend it, or take it out where there is no way back; the store itself was not touched",
        ])
    }
    var details: [String] = []
    if label == .lossless {
      details += Self.differences(before, try contents()).map { "taken back: \($0)" }
    }
    _ = try apply(upTo: file.number, allowsLoss: true)
    details += Self.differences(once, try contents()).map { "applied again: \($0)" }
    return verified(details.isEmpty ? .proved : .differs, details)
  }

  func contents() throws -> [String: TableContents] {
    try backend.read { try $0.contents() }
  }

  private func reversibility(of file: MigrationFile) throws -> MigrationPlan.Reversibility {
    try backend.read { store in
      let steps = try steps(store.state(), upTo: file.number).steps
      return steps.last?.reversibility ?? .none
    }
  }

  static func differences(
    _ expected: [String: TableContents], _ found: [String: TableContents]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().compactMap { name in
      switch (expected[name], found[name]) {
      case (nil, _): "the table '\(name)' is one too many"
      case (_, nil): "the table '\(name)' is missing"
      case (let old?, let new?) where old.structure != new.structure:
        "the table '\(name)' has other columns, keys or indexes"
      case (let old?, let new?) where old.rows != new.rows:
        "the table '\(name)' has \(new.rows) rows, not \(old.rows)"
      case (let old?, let new?) where old.hash != new.hash:
        "the table '\(name)' has other values"
      default: nil
      }
    }
  }
}
