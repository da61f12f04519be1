package import OxbowModel
package import OxbowSQL

/// Plans and runs the migrations of one store.
///
/// Either along a line of files, or, without one, by the step that can be inferred from the model
/// that the store keeps; never both.
public struct Migrator: Sendable {
  /// Where the steps come from.
  public enum Source: Sendable {
    /// A folder of files.
    case line(MigrationLine)
    /// The difference of the store's model and the one given.
    case inferred
  }

  let executor: any MigrationExecutor & Sendable
  let source: Source
  let target: ManagedObjectModel?

  /// The program that the history names.
  let tool: String

  package init(
    _ executor: any MigrationExecutor & Sendable, source: Source, target: ManagedObjectModel?,
    tool: String = "oxbow"
  ) {
    self.executor = executor
    self.source = source
    self.target = target
    self.tool = tool
  }

  var line: MigrationLine? {
    if case .line(let line) = source { line } else { nil }
  }

  /// Tells where the store stands; reads only.
  public func status() throws -> MigrationStatus {
    try executor.read { try status($0.state()) }
  }

  private func status(_ state: MigrationState?) throws(PersistenceError) -> MigrationStatus {
    let target = target?.versionHash
    var origin = "inferred"
    var last: String?
    var pending: [String] = []
    var end = state?.modelHash
    if let line {
      let position = try StorePosition(of: state, in: line)
      origin = position.origin.name
      last = position.last?.fileName
      pending = position.pending.map(\.fileName)
      end = position.pending.compactMap(\.modelAfter).last ?? end
    } else if state == nil || state?.modelHash != target {
      pending = target == nil ? [] : ["inferred"]
      end = target
    }
    return MigrationStatus(
      origin: state == nil ? "nothing" : origin, model: state?.modelHash, last: last,
      pending: pending, targetModel: target, leadsToTarget: target == nil || end == target,
      history: state?.history ?? [])
  }

  /// What distinguishes the store's tables from those of the model that it claims, in words; reads
  /// only.
  ///
  /// Whatever changed the tables was no migration; the next one would refuse to start.
  public func drift() throws -> [String] {
    try executor.read { store in
      guard let state = try store.state(), let walk = try walk(state), let model = walk.model
      else { return [] }
      return try store.differences(from: StoreNumbers.mapping(of: model, walk.entities).tables)
    }
  }

  /// `nil` when nobody has the store's model, so that nothing can be compared with it.
  private func walk(_ state: MigrationState) throws(PersistenceError) -> StepWalk? {
    do throws(PersistenceError) {
      return try StepWalk(state, line: line, target: target)
    } catch {
      guard error.code == .modelMismatch else { throw error }
      return nil
    }
  }

  /// Tells whether the store has the model given and all steps of the line; reads only.
  public func isUpToDate() throws -> Bool {
    let status = try status()
    return status.model != nil && status.pending.isEmpty && status.leadsToTarget
  }
}

extension StorePosition.Origin {
  var name: String {
    switch self {
    case .nothing: "nothing"
    case .history: "history"
    case .model: "model"
    }
  }
}

// MARK: - Steps

extension Migrator {
  /// All steps that the store has not had, resolved; in order, up to a number.
  func steps(_ state: MigrationState?, upTo last: Int?) throws(PersistenceError) -> (
    steps: [ResolvedStep], baseline: MigrationFile?
  ) {
    var walk = try StepWalk(state, line: line, target: target)
    guard let line else { return (try inferred(state, &walk), nil) }
    let position = try StorePosition(of: state, in: line)
    if let last, !line.files.contains(where: { $0.number == last }) {
      throw .migrationFile(
        "the folder '\(line.folder)' has no step \(last); it has "
          + PersistenceError.listed(line.files.map(\.id)))
    }
    var steps: [ResolvedStep] = []
    for file in position.pending where file.number <= last ?? .max {
      steps.append(try walk.next(file))
    }
    if last == nil { try requireTarget(steps.last?.record.hash ?? state?.modelHash, line) }
    if case .model(let file) = position.origin { return (steps, file) }
    return (steps, nil)
  }

  /// Refuses a line that leads elsewhere than to the model given: a step was not written.
  private func requireTarget(
    _ end: String?, _ line: MigrationLine
  ) throws(PersistenceError) {
    guard let target, let end, end != target.versionHash else { return }
    throw PersistenceError(
      .modelMismatch,
      "the migrations in '\(line.folder)' lead to the model \(end.prefix(12))… and not to the one "
        + "given (\(target.versionHash.prefix(12))…); write the step that is missing: oxbowctl migrate "
        + "new NAME --model MODEL --migrations \(line.folder)")
  }

  private func inferred(
    _ state: MigrationState?, _ walk: inout StepWalk
  ) throws(PersistenceError) -> [ResolvedStep] {
    guard let target else {
      throw PersistenceError(
        .migrationRefused,
        "without a migrations folder a model is needed, so that the step to it can be inferred")
    }
    if state?.modelHash == target.versionHash { return [] }
    return [try walk.inferred(to: target)]
  }
}
