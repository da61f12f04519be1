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
    _ model: CompiledModel, at location: SQLiteStoreLocation, options: SQLiteStoreOptions = .init(),
    migrations: StoreMigrations
  ) throws {
    if case .file(let path) = location, !options.isReadOnly {
      try migrations.prepare(
        path, for: model.source, busyMilliseconds: options.busyMilliseconds, logger: options.logger)
    }
    try self.init(model, at: location, options: options)
  }
}
