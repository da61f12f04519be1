internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowRuntime

#if PostgreSQL
  internal import OxbowPostgres
#endif

/// A store on a server, as a command names it: "postgres://user@host/database?schema=name".
struct ServerStore {
  private let uri: String

  /// `nil` for the path of a file.
  init?(_ store: String) {
    guard ["postgres://", "postgresql://"].contains(where: store.hasPrefix) else { return nil }
    uri = store
  }

  #if PostgreSQL
    /// The store without a password, for people and for programs that read results.
    var shown: String { location.shown }

    private var location: PostgresLocation { PostgresLocation(uri: uri) }

    func backend(
      _ change: ChangeOptions? = nil
    ) throws -> any MigrationBackend & Sendable { try database(change) }

    private func database(_ change: ChangeOptions? = nil) throws -> PostgresMigrationBackend {
      if change?.backup != nil {
        throw PersistenceError(
          .unsupported,
          "--backup copies a file, and '\(shown)' is on a server; make a copy with pg_dump, and leave "
            + "--backup out")
      }
      return try PostgresMigrationBackend(
        location, busyMilliseconds: change?.busyMilliseconds ?? 5000,
        interruption: { Interruption.isRequested })
    }

    /// Runs `body` with a copy of the store that is removed afterwards.
    func withCopy<R>(_ body: (any MigrationBackend & Sendable) throws -> R) throws -> R {
      try database().withCopy { try body($0) }
    }

    /// The store, for copying; Ctrl-C stops what runs.
    func place() throws -> StoreCopy.Place {
      StoreCopy.Place(
        try PostgresCopyEngine(location, interruption: { Interruption.isRequested }))
    }

    /// Opens the store, for reading unless said otherwise, with the model that it keeps.
    func opened(isReadOnly: Bool = true) throws -> PersistentStoreCoordinator {
      guard let text = try backend().state()?.model else {
        throw PersistenceError(
          .notAStore,
          "there is no store at '\(shown)', or it does not keep its model; check the location and its "
            + "schema")
      }
      let model = try ModelDocument(Array(text.utf8), file: "the store's own model").model
      return try PersistentStoreCoordinator(
        CompiledModel(model), at: location,
        options: PostgresStoreOptions(isReadOnly: isReadOnly, createsStore: false))
    }
  #else
    /// The beginning of the location: what reads the rest is not here, and it may have a password.
    var shown: String { String(uri.prefix { $0 != ":" }) + "://…" }

    private var refusal: PersistenceError {
      PersistenceError(
        .unsupported,
        "'\(shown)' is on a server, and this tool is without PostgreSQL; build it with the trait "
          + "('swift build --traits default,PostgreSQL', with libpq and its header installed)")
    }

    func backend(
      _ change: ChangeOptions? = nil
    ) throws -> any MigrationBackend & Sendable { throw refusal }

    func withCopy<R>(_ body: (any MigrationBackend & Sendable) throws -> R) throws -> R {
      throw refusal
    }

    func place() throws -> StoreCopy.Place { throw refusal }

    func opened(isReadOnly: Bool = true) throws -> PersistentStoreCoordinator { throw refusal }
  #endif
}
