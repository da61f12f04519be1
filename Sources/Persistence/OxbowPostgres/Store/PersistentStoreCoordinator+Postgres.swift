#if PostgreSQL
  public import OxbowModel
  public import OxbowStore

  extension PersistentStoreCoordinator {
    /// Opens a store on a PostgreSQL server, creating it when there is none and the options allow
    /// it.
    ///
    /// - Throws: ``PersistenceError``: `storeUnreachable` for a server that does not answer or
    ///   refuses, `notAStore` for a schema of something else, `modelMismatch`, `storeLocked`,
    ///   `storeReadOnly`, `unsupported` for a model with something that these stores do not have
    ///   yet.
    public convenience init(
      _ model: CompiledModel, at location: PostgresLocation, options: PostgresStoreOptions = .init()
    ) throws(PersistenceError) {
      self.init(
        store: try PostgresStore(model, at: location, options: options), logger: options.logger)
    }
  }
#endif
