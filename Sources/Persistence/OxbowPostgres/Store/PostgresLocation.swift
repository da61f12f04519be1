#if PostgreSQL
  /// Where a store on a PostgreSQL server is.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   model, at: PostgresLocation("postgres://app@db.example.org/shop", schema: "catalog"))
  /// ```
  public struct PostgresLocation: Sendable, Hashable {
    /// The server and the database as libpq takes them: a URI (`postgres://user@host:port/name`),
    /// or key words (`host=… dbname=…`, `service=…`).
    ///
    /// What it does not say is in the environment (`PGHOST` and others), in the user's service file
    /// and in `.pgpass`.
    public var connection: String

    /// The schema of the store's tables: each store has one of its own.
    public var schema: String

    /// Creates a location.
    public init(_ connection: String, schema: String = "oxbow") {
      self.connection = connection
      self.schema = schema
    }
  }
#endif
