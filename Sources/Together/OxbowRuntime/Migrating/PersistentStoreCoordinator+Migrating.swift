public import OxbowModel
public import OxbowSQLite
public import OxbowStore

extension PersistentStoreCoordinator {
  /// Opens a SQLite store after its migrations.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   model, at: .file("catalog.sqlite"),
  ///   migrations: StoreMigrations(.automatic, folder: "Migrations"))
  /// ```
  ///
  /// - Throws: ``PersistenceError``: what migrating throws, then what opening throws.
  public convenience init(
    _ model: CompiledModel, at location: StoreLocation, options: SQLiteStoreOptions = .init(),
    migrations: StoreMigrations
  ) throws {
    if case .file(let path) = location, !options.isReadOnly {
      try migrations.prepare(
        path, for: model.source, makesStore: options.createsStore,
        busyMilliseconds: options.busyMilliseconds, logger: options.logger)
    }
    try self.init(model, at: location, options: options)
    if case .file(let path) = location { know(migrations, of: [(path, model.source)]) }
  }

  /// Opens several SQLite stores, each for the entities of a configuration of the model, after
  /// their migrations.
  ///
  /// Each store is brought to its part of the model by a step that is inferred. Stores with folders
  /// of migrations are migrated one by one before they are opened, with
  /// ``StoreMigrations/prepare(_:for:makesStore:busyMilliseconds:logger:progress:)`` and
  /// `model.model(ofConfiguration:)`.
  ///
  /// - Throws: ``PersistenceError``: `migrationRefused` for migrations with a folder, which is that
  ///   of one store; what migrating throws, then what opening throws.
  public convenience init(
    _ model: CompiledModel, stores: [SQLiteStoreDescription], migrations: StoreMigrations
  ) throws {
    if let folder = migrations.folder {
      throw PersistenceError(
        .migrationRefused,
        "the folder '\(folder)' has the migrations of one store, and there are \(stores.count);"
          + " migrate each with its own folder and 'model.model(ofConfiguration:)' before, or leave"
          + " the folder out")
    }
    let parts = try model.source.models(ofConfigurations: stores.map(\.configuration))
    for (store, part) in zip(stores, parts) where !store.options.isReadOnly {
      guard case .file(let path) = store.location else { continue }
      try migrations.prepare(
        path, for: part, makesStore: store.options.createsStore,
        busyMilliseconds: store.options.busyMilliseconds, logger: store.options.logger)
    }
    try self.init(model, stores: stores)
    know(
      migrations,
      of: zip(stores, parts).compactMap { store, part in
        if case .file(let path) = store.location { (path, part) } else { nil }
      })
  }
}
