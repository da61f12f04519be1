public import Logging
public import OxbowMigration
public import OxbowModel
internal import OxbowSQLite
internal import OxbowSQL

/// The migrations of a store in a file, for the model that a program has.
public struct StoreMigrations: Sendable {
  /// What opening the store does about pending steps.
  public var policy: MigrationPolicy

  /// The folder of the migration files; `nil` to infer the step from the store's model.
  public var folder: String?

  /// Whether the store is migrated although others have it open.
  ///
  /// They learn it from their next save or fetch, which throws `storeWasMigrated` and writes
  /// nothing. Otherwise a store in use is refused, with the processes that use it.
  public var sharesStore: Bool

  /// Whether a step that is inferred, without a folder, may remove data.
  ///
  /// Otherwise it is refused with what would go and how much of it. Steps of a folder may: somebody
  /// wrote them.
  public var allowsLoss: Bool

  /// Creates a description of the migrations of a store.
  public init(
    _ policy: MigrationPolicy, folder: String? = nil, sharesStore: Bool = false,
    allowsLoss: Bool = false
  ) {
    self.policy = policy
    self.folder = folder
    self.sharesStore = sharesStore
    self.allowsLoss = allowsLoss
  }

  /// Brings the store at a path to the model, as the policy says; before the store is opened.
  ///
  /// A store that is not there yet is made by the steps of the folder, so that its history is
  /// whole; without a folder, opening the store makes it. Each step that was applied is logged at
  /// `notice`.
  ///
  /// - Throws: ``PersistenceError``: `modelMismatch` when steps are pending and the policy is
  ///   ``MigrationPolicy/require``, and all that ``Migrator/apply(upTo:allowsLoss:progress:)``
  ///   throws.
  public func prepare(
    _ path: String, for model: ManagedObjectModel, busyMilliseconds: Int = 5000,
    logger: Logger? = nil, progress: (MigrationProgress) -> Void = { _ in }
  ) throws {
    guard policy != .refuse else { return }
    let migrator = try migrator(path, model, busyMilliseconds)
    let status = try migrator.status()
    if status.model == nil, folder == nil { return }
    guard status.leadsToTarget else { throw leadsElsewhere(path, status) }
    guard !status.pending.isEmpty else { return }
    guard policy == .automatic || status.model == nil else { throw pending(path, status) }
    _ = try migrator.apply(allowsLoss: allowsLoss) { step in
      if case .finished(let applied) = step { logger?.notice(applied, path) }
      progress(step)
    }
  }

  private func migrator(
    _ path: String, _ model: ManagedObjectModel, _ busyMilliseconds: Int
  ) throws -> Migrator {
    var options = SQLiteMigrationExecutor.Options()
    options.busyMilliseconds = busyMilliseconds
    options.sharesStore = sharesStore
    let source = try folder.map { Migrator.Source.line(try MigrationLine(folder: $0)) }
    return Migrator(
      SQLiteMigrationExecutor(path: path, options: options), source: source ?? .inferred,
      target: model)
  }

  private func pending(_ path: String, _ status: MigrationStatus) -> PersistenceError {
    let steps = folder == nil ? "a step" : status.pending.map { "'\($0)'" }.joined(separator: ", ")
    let target = folder.map { "--migrations \($0)" } ?? "--model MODEL"
    return PersistenceError(
      .modelMismatch,
      "the store '\(path)' has not had \(steps) yet; run: oxbowctl migrate apply --store \(path) "
        + target)
  }

  private func leadsElsewhere(_ path: String, _ status: MigrationStatus) -> PersistenceError {
    PersistenceError(
      .modelMismatch,
      "the migrations in '\(folder ?? "")' do not lead the store '\(path)' to the model of this "
        + "program (\((status.targetModel ?? "").prefix(12))…); write the step that is missing: "
        + "oxbowctl migrate new NAME --model MODEL --migrations \(folder ?? "DIR")")
  }
}

extension Logger {
  fileprivate func notice(_ step: AppliedStep, _ path: String) {
    notice(
      "applied migration '\(step.name)'",
      metadata: ["store": "\(path)", "seconds": "\(step.seconds)"])
  }
}
