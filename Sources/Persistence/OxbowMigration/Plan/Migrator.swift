package import OxbowModel
package import OxbowRelational

/// Plans and runs the migrations of one store.
///
/// The steps are the files of a migrations folder. Without a folder there is at most one step,
/// which is inferred: from the model that the store keeps to the one given.
public struct Migrator: Sendable {
  let backend: any MigrationBackend & Sendable

  /// The steps; `nil` for an inferred one.
  let sequence: MigrationSequence?
  let target: ManagedObjectModel?
  let code: [CodeStep]
  let tool: String

  /// Called in the lock of the store before each change of it, behind all checks that can be made
  /// before it.
  package var beforeChange: (@Sendable () throws -> Void)?

  /// What commands call the store.
  package var store: String { backend.store }

  /// The folder of the migration files; `nil` for an inferred step.
  package var folder: String? { sequence?.folder }

  package init(
    _ backend: any MigrationBackend & Sendable, sequence: MigrationSequence? = nil,
    target: ManagedObjectModel?, code: [CodeStep] = [], tool: String = "oxbow"
  ) {
    (self.code, self.backend, self.sequence) = (code, backend, sequence)
    (self.target, self.tool) = (target, tool)
  }

  /// Reads the migrations folder, when there is one.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile`, with every problem of the folder.
  package init(
    _ backend: any MigrationBackend & Sendable, folder: String?, target: ManagedObjectModel?,
    code: [CodeStep] = [], tool: String = "oxbow"
  ) throws(PersistenceError) {
    let sequence = try folder.map { folder throws(PersistenceError) in
      try MigrationSequence(folder: folder)
    }
    self.init(backend, sequence: sequence, target: target, code: code, tool: tool)
  }

  /// Returns which steps the store has had and which are pending; reads only.
  public func status() throws -> MigrationStatus {
    try backend.read { try status($0.state()) }
  }

  private func status(_ state: MigrationState?) throws(PersistenceError) -> MigrationStatus {
    let target = target?.versionHash
    let model = state?.modelHash
    guard let sequence else {
      let isPending = target != nil && target != model
      return MigrationStatus(
        origin: state == nil ? .nothing : .inferred, model: model, last: nil, places: [],
        pending: isPending ? ["inferred"] : [], run: nil, targetModel: target, leadsToTarget: true,
        history: state?.history ?? [])
    }
    let status = try SequenceStatus(of: state, in: sequence)
    let end = status.pending.compactMap(\.modelAfter).last ?? model
    return MigrationStatus(
      origin: status.origin, model: model, last: status.last?.fileName,
      places: status.places.map { $0?.fileName ?? "" }, pending: status.pending.map(\.fileName),
      run: status.pending.lazy.compactMap(\.run).first, targetModel: target,
      leadsToTarget: target == nil || end == target, history: state?.history ?? [])
  }

  /// Refuses a store that may be at several places of the folder's line; reads only.
  package func requirePlace() throws {
    guard let sequence else { return }
    try backend.read { store in
      let state = try store.state()
      try SequenceStatus(of: state, in: sequence)
        .requirePlace(state, in: sequence, of: backend.store)
    }
  }

  /// What distinguishes the store's tables from those of the model that it claims, in words; reads
  /// only.
  ///
  /// Whatever changed the tables was no migration; the next one would refuse to start.
  public func drift() throws -> [String] {
    try backend.read { store in
      guard let state = try store.state() else { return [] }
      guard let resolver = try resolver(state), resolver.current != nil else {
        return [
          "nothing was compared: the model that the store names (\(state.modelHash.prefix(12))…) is "
            + "neither in the store nor in the folder"
        ]
      }
      return try resolver.differences(in: store)
    }
  }

  /// The rows with keys, versions or links that no object can have, in words; reads only.
  ///
  /// For tables that are those of the model; of another store, there is nothing to say.
  package func rowProblems() throws -> [String] {
    try backend.read { store in
      guard let state = try store.state(), let resolver = try resolver(state) else { return [] }
      return try resolver.rowProblems(in: store)
    }
  }

  /// Whether there is a store yet; reads only.
  public var hasStore: Bool {
    get throws { try backend.state() != nil }
  }

  /// `nil` when the store's model is not known, so that nothing can be compared with it.
  private func resolver(_ state: MigrationState) throws(PersistenceError) -> StepResolver? {
    do throws(PersistenceError) {
      return try StepResolver(state, sequence: sequence, target: target, in: backend.dialect)
    } catch {
      guard error.code == .modelMismatch else { throw error }
      return nil
    }
  }

  /// Whether the store has the model given and all steps of the folder; reads only.
  public func isUpToDate() throws -> Bool {
    let status = try status()
    return status.model != nil && status.pending.isEmpty && status.leadsToTarget
  }
}

extension StepResolver {
  /// Describes how the store's tables differ from those of its model.
  func differences(in store: any MigrationReading) throws -> [String] {
    try current.map { try store.differences(from: $0.mapping.tables) } ?? []
  }

  /// The rows with keys, versions or links that no object can have.
  func rowProblems(in store: any MigrationReading) throws -> [String] {
    guard let mapping = current?.mapping else { return [] }
    return try RowHeaderCheck(mapping: mapping).problems(in: store)
      + LinkCheck(mapping: mapping).problems(in: store)
  }
}

// MARK: - Steps

extension Migrator {
  /// All steps that the store has not had, resolved; in order, up to a number.
  func steps(_ state: MigrationState?, upTo last: Int?) throws(PersistenceError) -> (
    steps: [ResolvedStep], baseline: MigrationFile?
  ) {
    var resolver = try StepResolver(
      state, sequence: sequence, target: target, code: code, in: backend.dialect)
    guard let sequence else { return (try inferred(state, &resolver), nil) }
    let status = try SequenceStatus(of: state, in: sequence)
    try status.requirePlace(state, in: sequence, of: backend.store)
    if let last, !sequence.files.contains(where: { $0.number == last }) {
      throw .migrationFile(
        "the folder '\(sequence.folder)' has no step \(last); it has "
          + PersistenceError.listed(sequence.files.map(\.id)))
    }
    var steps: [ResolvedStep] = []
    for file in status.pending where file.number <= last ?? .max {
      steps.append(try resolver.next(file))
    }
    if last == nil { try requireTarget(steps.last?.record.hash ?? state?.modelHash, sequence) }
    return (steps, status.origin == .model ? status.last : nil)
  }

  /// Refuses a folder that leads elsewhere than to the model given: a step was not written.
  func requireTarget(
    _ end: String?, _ sequence: MigrationSequence
  ) throws(PersistenceError) {
    guard let target, let end, end != target.versionHash else { return }
    throw PersistenceError(
      .modelMismatch,
      "the migrations in '\(sequence.folder)' lead to the model \(end.prefix(12))… and not to the "
        + "one given (\(target.versionHash.prefix(12))…); write the step that is missing: oxbowctl "
        + "migrate new NAME --model MODEL --migrations \(sequence.folder.shellWord)")
  }

  private func inferred(
    _ state: MigrationState?, _ resolver: inout StepResolver
  ) throws(PersistenceError) -> [ResolvedStep] {
    guard let target else {
      throw PersistenceError(
        .migrationRefused,
        "without a migrations folder a model is needed, so that the step to it can be inferred")
    }
    if state?.modelHash == target.versionHash { return [] }
    try requireAhead(target.versionHash, state)
    try requireNothingUnderWay(state)
    return [try resolver.inferred(to: target)]
  }

  /// Refuses to infer a step to a model that the store was migrated away from: that is the model of
  /// an older program, and the newer program would take the store forward again.
  private func requireAhead(
    _ hash: String, _ state: MigrationState?
  ) throws(PersistenceError) {
    guard let state, let left = HistoryCheck.left(state.history).last(where: { $0.model == hash })
    else { return }
    throw PersistenceError(
      .modelMismatch,
      "the store '\(backend.store)' had the model given (\(hash.prefix(12))…) until \(left.until), "
        + "and was migrated to \(state.modelHash.prefix(12))… since. This program is older than the "
        + "store, or the model was taken back: use the newer program, or take the steps back with "
        + "'oxbowctl migrate undo'")
  }

  /// Refuses to infer a step while one in Swift has more batches to come: the history would forget
  /// how far it is.
  private func requireNothingUnderWay(_ state: MigrationState?) throws(PersistenceError) {
    let history = HistoryCheck(state?.history ?? [])
    guard let step = history.unfinished, !history.isPreparing else { return }
    throw PersistenceError(
      .migrationRefused,
      "the step \(step.id) '\(step.name)' of the store '\(backend.store)' is not over, and would "
        + "begin again behind another one; finish it first with 'migrate apply' and its folder")
  }
}
