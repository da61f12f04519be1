public import Logging
public import OxbowMigration
public import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

/// What opening a store does when the store has not had all its migrations.
public enum MigrationPolicy: String, Sendable, Hashable, CaseIterable {
  /// Applies what is pending, as `oxbowctl migrate apply` does.
  ///
  /// With a folder, its steps; without one, the step that can be inferred from the model that the
  /// store keeps, unless it would remove data.
  case automatic

  /// Refuses to open the store while anything is pending, and says how to apply it.
  case requireUpToDate

  /// Never migrates and does not look at a folder: opens a store of exactly this model.
  case never
}

/// The migrations of a store in a file, for the model that a program has.
public struct StoreMigrations: Sendable {
  /// What opening the store does about pending steps.
  public var policy: MigrationPolicy

  /// The folder of the migration files; `nil` to infer the step from the store's model.
  public var folder: String?

  /// Whether the store is migrated although others have it open.
  ///
  /// Their next save or fetch throws `storeWasMigrated` and writes nothing. Otherwise a store in
  /// use is refused, with the processes that use it.
  public var sharesStore: Bool

  /// Whether steps may remove data.
  ///
  /// Otherwise a step is refused with the data that it would remove, unless its file allows the
  /// loss.
  public var allowsLoss: Bool

  /// The steps in Swift that the folder has stubs of.
  public var steps: [CodeStep]

  /// Creates a description of the migrations of a store.
  public init(
    _ policy: MigrationPolicy, folder: String? = nil, sharesStore: Bool = false,
    allowsLoss: Bool = false, steps: [CodeStep] = []
  ) {
    self.steps = steps
    self.policy = policy
    self.folder = folder
    self.sharesStore = sharesStore
    self.allowsLoss = allowsLoss
  }

  /// Brings the store at a path to the model, as the policy says; before the store is opened.
  ///
  /// A store that does not exist yet is made by the steps of the folder, whatever the policy, so
  /// that its history says that it is at the folder's end; without a folder, opening the store
  /// makes it. Where `makesStore` is false, none is made. A step in Swift that the program does not
  /// have counts as done there as long as no step before it has made objects. Each step that was
  /// applied is logged at `notice`.
  ///
  /// A store without a history, whose model several places of the folder's line have, is refused:
  /// steps that its data has had already would change the data again.
  ///
  /// - Throws: ``PersistenceError``: `modelMismatch` when steps are pending and the policy is
  ///   ``MigrationPolicy/requireUpToDate``, and all that
  ///   ``Migrator/apply(upTo:allowsLoss:approved:progress:)`` throws.
  public func prepare(
    _ path: String, for model: ManagedObjectModel, makesStore: Bool = true,
    busyMilliseconds: Int = 5000, logger: Logger? = nil,
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws {
    guard policy != .never else { return }
    try prepare(
      migrator(path, for: model, busyMilliseconds: busyMilliseconds), named: path,
      makesStore: makesStore, logger, progress)
  }

  /// Brings a store of any kind to the model of its migrator, as the policy says; before the store
  /// is opened.
  ///
  /// Folder and steps are those of the migrator. Otherwise this is
  /// ``prepare(_:for:makesStore:busyMilliseconds:logger:progress:)``.
  public func prepare(
    _ migrator: Migrator, logger: Logger? = nil,
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws {
    guard policy != .never else { return }
    try prepare(migrator, named: migrator.store, makesStore: true, logger, progress)
  }

  private func prepare(
    _ migrator: Migrator, named path: String, makesStore: Bool, _ logger: Logger?,
    _ progress: (MigrationProgress) -> Void
  ) throws {
    let folder = migrator.folder
    let status = try migrator.status()
    if status.model == nil, folder == nil || !makesStore { return }
    guard status.leadsToTarget else { throw leadsElsewhere(path, status, folder) }
    guard !status.pending.isEmpty else { return }
    if status.origin == .several { try migrator.requirePlace() }
    guard policy == .automatic || status.model == nil else { throw pending(path, status, folder) }
    _ = try migrator.apply(allowsLoss: allowsLoss, makesStore: true) { step in
      if case .finished(let applied) = step { logger?.notice(applied, path) }
      progress(step)
    }
  }

  /// What plans the migrations of the store at a path, applies them and takes them back, whatever
  /// the policy.
  ///
  /// A plan is a value: keep it, have it reviewed, and apply exactly that one.
  ///
  /// ```swift
  /// let migrator = try migrations.migrator("notes.sqlite", for: model)
  /// let plan = try migrator.plan()
  /// let text = try JSONEncoder().encode(plan)
  /// _ = try migrator.apply(approved: JSONDecoder().decode(MigrationPlan.self, from: text))
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile`, with every problem of the folder.
  public func migrator(
    _ path: String, for model: ManagedObjectModel, busyMilliseconds: Int = 5000
  ) throws(PersistenceError) -> Migrator {
    try Migrator(
      SQLiteMigrationBackend(
        path: path, busyMilliseconds: busyMilliseconds, sharesStore: sharesStore),
      folder: folder, target: model, code: steps)
  }

  private func pending(
    _ path: String, _ status: MigrationStatus, _ folder: String?
  ) -> PersistenceError {
    let steps = folder == nil ? "a step" : status.pending.map { "'\($0)'" }.joined(separator: ", ")
    let target = folder.map { "--migrations \($0.shellWord)" } ?? "--model MODEL"
    // Where steps are in Swift, only the tool that has them can go all the way.
    let run = status.run ?? "oxbowctl migrate apply --store \(path.shellWord) \(target)"
    return PersistenceError(
      .modelMismatch, "the store '\(path)' has not had \(steps) yet; run: \(run)")
  }

  private func leadsElsewhere(
    _ path: String, _ status: MigrationStatus, _ folder: String?
  ) -> PersistenceError {
    PersistenceError(
      .modelMismatch,
      "the migrations in '\(folder ?? "")' do not lead the store '\(path)' to the model of this "
        + "program (\((status.targetModel ?? "").prefix(12))…); write the step that is missing: "
        + "oxbowctl migrate new NAME --model MODEL --migrations \(folder?.shellWord ?? "DIR")")
  }
}

extension Logger {
  fileprivate func notice(_ step: AppliedStep, _ path: String) {
    let text =
      step.hasRun
      ? "applied migration '\(step.name)'"
      : "migration '\(step.name)' counts as done: the new store has no objects, and this program "
        + "does not have the step"
    notice(
      "\(text)",
      metadata: ["store": "\(path)", "seconds": "\(step.seconds)"])
  }
}
