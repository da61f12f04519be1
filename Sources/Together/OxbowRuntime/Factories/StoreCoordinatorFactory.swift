public import Logging
public import OxbowContainer
internal import OxbowFoundation
public import OxbowModel
public import OxbowSQLite
public import OxbowStore

/// Makes the coordinator of an SQLite store.
///
/// In a file:
///
/// ```xml
/// <object id="coordinator" class="StoreCoordinatorFactory">
///   <property name="storePath" value="library.sqlite"/>
///   <property name="model" ref="model"/>
///   <property name="classes" ref="classes"/>
/// </object>
/// ```
public final class StoreCoordinatorFactory: FactoryObject {
  /// The path of the store's file, made if it does not exist; `:memory:` for a store in memory.
  public var storePath = ""

  /// Where the store is, for use in code; if set, it replaces ``storePath``.
  public var location: StoreLocation?

  /// Several stores, each for the entities of a configuration, for use in code; if set, they
  /// replace ``location``, ``storePath`` and ``options``.
  public var stores = [SQLiteStoreDescription]()

  /// The model; without one, a store that is only read is opened for the model that it keeps.
  public var model: ManagedObjectModel?

  /// ``model`` by the name that it has in the Oxen container.
  public var managedObjectModel: ManagedObjectModel? {
    get { model }
    set { model = newValue }
  }

  /// ``storePath`` by the name that it has in the Oxen container: a path, or a URL of a file.
  public var storeUrl: String {
    get { storePath }
    set {
      storePath = newValue.hasPrefix("file:") ? URL(string: newValue)?.path ?? newValue : newValue
    }
  }

  /// The classes of the model's entities.
  public var classes: EntityClasses = EntityClasses()

  /// Whether the store is only read.
  public var readOnly = false

  /// What happens when the store is not at its last migration: the name
  /// of a ``MigrationPolicy``.
  public var migrate: String = MigrationPolicy.never.rawValue

  /// The folder of the migration files; empty to infer the step from the store's own model.
  public var migrations = ""

  /// Whether a missing store is made.
  public var createsStore = true

  /// Whether the store keeps a write-ahead log, so that readers do not wait for the writer.
  public var usesWriteAheadLog = true

  /// On how many threads asynchronous callers use the store at once; 0 for what ``options`` say.
  public var workThreads = 0

  /// What the store notes of each save for its history; in files `off`, `keys` or `values`.
  public var history: HistoryRecording = .off

  /// Whether the saves of other processes are announced like those of this one; needs ``history``.
  public var followsOtherProcesses = false

  /// Where the store, its migrations and its contexts log; see ``SQLiteStoreOptions/logger``.
  public var logger: Logger?

  /// How the store is opened otherwise; for use in code.
  public var options = SQLiteStoreOptions()

  /// What happens when the store is not at its last migration, for use in code; if set, it replaces
  /// ``migrate`` and ``migrations``.
  public var storeMigrations: StoreMigrations?

  /// Creates a factory that is not complete yet.
  public init() {}

  /// Opens the store.
  ///
  /// - Throws: ``ContainerError`` with code `factoryIncomplete` without a path or a model;
  ///   ``PersistenceError`` as ``PersistentContainer/init(_:model:classes:options:contexts:)``.
  public func object() throws -> PersistentStoreCoordinator {
    let location = location ?? namedLocation
    guard location != nil || !stores.isEmpty else { throw incomplete("storePath") }
    let isStored = model == nil && stores.isEmpty && (readOnly || options.isReadOnly)
    guard let model = try isStored ? location?.storedModel() : model else {
      throw incomplete("model")
    }
    let compiled = try CompiledModel(model, classes: classes.types)
    let migrations = try storeMigrations ?? namedMigrations()
    guard stores.isEmpty, let location else {
      return try PersistentStoreCoordinator(
        compiled, stores: stores.map(completed), migrations: migrations)
    }
    return try PersistentStoreCoordinator(
      compiled, at: location, options: completed(options), migrations: migrations)
  }

  private func completed(_ store: SQLiteStoreDescription) -> SQLiteStoreDescription {
    var store = store
    store.options = completed(store.options)
    return store
  }

  /// The options with what the factory's properties say.
  private func completed(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions {
    var options = options
    if let logger { options.logger = logger }
    if readOnly { options.isReadOnly = true }
    if !createsStore { options.createsStore = false }
    if history != .off { options.history = history }
    if followsOtherProcesses { options.followsOtherProcesses = true }
    if workThreads != 0 { options.workThreads = workThreads }
    if !usesWriteAheadLog { options.usesWriteAheadLog = false }
    return options
  }

  private var namedLocation: StoreLocation? {
    switch storePath {
    case "": nil
    case ":memory:": .inMemory
    default: .file(storePath)
    }
  }

  private func namedMigrations() throws -> StoreMigrations {
    guard let policy = MigrationPolicy(rawValue: migrate) else {
      let names = MigrationPolicy.allCases.map(\.rawValue)
      throw PersistenceError(
        .migrationRefused,
        "'\(migrate)' of \"migrate\" is not one of \(PersistenceError.listed(names))",
        nearNames: PersistenceError.nearNames(to: migrate, among: names))
    }
    return StoreMigrations(policy, folder: migrations.isEmpty ? nil : migrations)
  }

  private func incomplete(_ property: String) -> ContainerError {
    ContainerError(
      .factoryIncomplete("StoreCoordinatorFactory", property: property), task: "open the store")
  }
}

extension PersistentStoreCoordinator: Disposable {
  /// Closes the store, when the container that keeps the coordinator is shut down.
  public func dispose() { close() }
}
