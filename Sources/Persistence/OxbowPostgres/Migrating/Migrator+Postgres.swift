#if PostgreSQL
  public import OxbowMigration
  public import OxbowModel

  extension Migrator {
    /// Plans, applies and takes back the migrations of a store on a PostgreSQL server.
    ///
    /// Programs may have the store open meanwhile: their next save or fetch throws
    /// `storeWasMigrated` and writes nothing.
    ///
    /// ```swift
    /// let migrator = try Migrator(location, folder: "Migrations", for: model)
    /// try StoreMigrations(.automatic).prepare(migrator)
    /// let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: location)
    /// ```
    ///
    /// - Parameters:
    ///   - location: The server and the schema.
    ///   - folder: The folder of the migration files; `nil` to infer the step from the store's
    ///     model.
    ///   - model: The model that the store is to have.
    ///   - steps: The steps in Swift that the folder has stubs of.
    ///   - busyMilliseconds: How long to wait for others.
    /// - Throws: ``PersistenceError``: `migrationFile`, with every problem of the folder,
    ///   `storeUnreachable` for a location that cannot be read.
    public init(
      _ location: PostgresLocation, folder: String? = nil, for model: ManagedObjectModel,
      steps: [CodeStep] = [], busyMilliseconds: Int = 5000
    ) throws(PersistenceError) {
      try self.init(
        PostgresMigrationBackend(location, busyMilliseconds: busyMilliseconds), folder: folder,
        target: model, code: steps)
    }
  }
#endif
