#if PostgreSQL
  public import OxbowMigration
  public import OxbowModel

  extension StoreCopy.Place {
    /// A store in a schema of a server; as a destination, a schema without tables, which is made if
    /// it is not there.
    ///
    /// - Throws: ``PersistenceError``: `storeUnreachable` for a location that cannot be read.
    public static func server(
      _ location: PostgresLocation
    ) throws(PersistenceError) -> StoreCopy.Place {
      StoreCopy.Place(try PostgresCopyEngine(location))
    }
  }
#endif
