#if PostgreSQL
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Views of one moment, and what others do to them.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(10)))
  struct PostgresViewTests {
    let server: TestServer
    let location: PostgresLocation
    let library: PostgresLibrary

    init() throws {
      server = try #require(TestServer.shared)
      location = server.location()
      library = try PostgresLibrary(at: location)
      try library.save { $0.inserts = try [1, 2].map { try library.insert("Book", $0) } }
    }

    private func view() throws -> PostgresLibrary {
      PostgresLibrary(try #require(library.store.pinned(PinnedViewLimits()) as? PostgresStore))
    }

    @Test func `a migration waits for a view, and goes on after it`() throws {
      let view = try view()
      let model = libraryModel().changed("Book") {
        $0.attributes.append(AttributeDescription("note", .string, isOptional: true))
      }
      let backend = try PostgresMigrationBackend(location, busyMilliseconds: 100)
      let refused = errorOf { _ = try Migrator(backend, target: model).apply() }
      #expect(refused?.code == .storeLocked)
      #expect(try view.keys("Book") == [1, 2])
      view.store.close()
      #expect(errorOf { _ = try view.keys("Book") }?.code == .viewEnded)
      _ = try Migrator(backend, target: model).apply()
    }

    @Test func `a view whose connection is lost has ended, and the store goes on`() throws {
      let view = try view()
      #expect(try view.keys("Book") == [1, 2])
      server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
          + "WHERE state = 'idle in transaction' AND query LIKE '%\(location.schema)%'")
      let lost = errorOf { _ = try view.keys("Book") }
      #expect(lost?.code == .viewEnded, "\(lost?.description ?? "")")
      #expect(lost?.message.contains("its connection to the server was lost") == true)
      #expect(try library.keys("Book") == [1, 2])
    }

    @Test func `a view of a view is refused, and a closed store has none`() throws {
      let view = try view()
      #expect(errorOf { _ = try view.store.pinned(PinnedViewLimits()) }?.code == .unsupported)
      library.store.close()
      #expect(errorOf { _ = try view.keys("Book") }?.code == .viewEnded)
      #expect(errorOf { _ = try library.store.pinned(PinnedViewLimits()) }?.code == .storeClosed)
    }
  }
#endif
