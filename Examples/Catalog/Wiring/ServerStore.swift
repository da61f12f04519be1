import Oxbow

#if PostgreSQL
  import OxbowPostgres
#endif

/// The catalog on a PostgreSQL server: one object of the wiring is another.
enum ServerStore {
  /// Whether the name of a store is the place of one on a server.
  static func isMeant(by store: String) -> Bool {
    ["postgres://", "postgresql://"].contains { store.hasPrefix($0) }
  }

  #if PostgreSQL
    /// Opens the store.
    ///
    /// The scripts among the migrations are in SQLite's SQL, so the model makes a new one.
    static func open(
      _ settings: CatalogSettings, _ model: ManagedObjectModel
    ) throws -> PersistentStoreCoordinator {
      try PersistentStoreCoordinator(
        CompiledModel(model, classes: CatalogModel.classes.types),
        at: PostgresLocation(uri: settings.store),
        options: PostgresStoreOptions(createsStore: settings.createsStore))
    }
  #else
    static func open(
      _ settings: CatalogSettings, _ model: ManagedObjectModel
    ) throws -> PersistentStoreCoordinator {
      throw CatalogError(
        "the store is on a server, and this catalog is without PostgreSQL; build it with the trait "
          + "('swift build --traits default,PostgreSQL', with libpq and its header installed)")
    }
  #endif
}
