#if PostgreSQL
  import OxbowMigration
  import OxbowPostgres
  import OxbowTestSupport
  import Testing

  extension PostgresOnlineTests {
    @Test func `who may use a store may use the tables that are made online`() throws {
      let location = server.location()
      try withExtendedLifetime(PostgresLibrary(at: location)) {
        let (schema, role) = (location.schema, "\(location.schema) user")
        server.sql(
          """
          CREATE ROLE "\(role)" LOGIN;
          GRANT USAGE ON SCHEMA "\(schema)" TO "\(role)";
          GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(schema)" TO "\(role)";
          """)
        let tables =
          "FROM pg_class WHERE relnamespace = '\"\(schema)\"'::regnamespace AND relkind = 'r'"
        let before = server.sql("SELECT count(*) \(tables)")
        let backend = try PostgresMigrationBackend(location, busyMilliseconds: 20_000)
        _ = try Migrator(backend, target: OnlineCase.everything).apply(online: true)
        #expect(server.sql("SELECT count(*) \(tables)") != before)
        #expect(
          server.sql(
            "SELECT string_agg(relname, ', ') \(tables) AND NOT has_table_privilege('\(role)', oid, "
              + "'INSERT')") == "")
      }
    }
  }
#endif
