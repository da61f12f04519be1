public import OxbowModel
public import OxbowSQLite
public import OxbowStore

extension PersistentStoreCoordinator {
  /// Opens a SQLite store after its migrations.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   schema, at: .file("catalog.sqlite"),
  ///   migrations: StoreMigrations(.automatic, folder: "Migrations"))
  /// ```
  ///
  /// - Throws: ``PersistenceError``: what migrating throws, then what opening throws.
  public convenience init(
    _ schema: Schema, at location: SQLiteStoreLocation, options: SQLiteStoreOptions = .init(),
    migrations: StoreMigrations
  ) throws {
    if case .file(let path) = location, !options.isReadOnly {
      try migrations.prepare(
        path, for: schema.model, busyMilliseconds: options.busyMilliseconds, logger: options.logger)
    }
    try self.init(schema, at: location, options: options)
  }
}
