#if !PostgreSQL
  // Without the trait there is nothing here, and the compiler says what is missing.

  /// Where a store on a PostgreSQL server is; there are such stores with the trait alone.
  @available(
    *, unavailable,
    message: "needs the trait: .package(…, traits: [.defaults, \"PostgreSQL\"])"
  )
  public struct PostgresLocation: Sendable {
    /// Creates nothing.
    public init(_ connection: String, schema: String = "oxbow") {}

    /// Creates nothing.
    public init(uri: String) {}
  }

  /// How such a store is opened.
  @available(
    *, unavailable,
    message: "needs the trait: .package(…, traits: [.defaults, \"PostgreSQL\"])"
  )
  public struct PostgresStoreOptions: Sendable {
    /// Creates nothing.
    public init() {}
  }
#endif
