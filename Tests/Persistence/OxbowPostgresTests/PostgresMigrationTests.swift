#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowRelational
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// A server's store is migrated beside programs that use it, and by programs that are killed.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresMigrationTests {
    let server: TestServer
    let location: PostgresLocation

    init() throws {
      server = try #require(TestServer.shared)
      location = server.location()
    }

    private static let newer = libraryModel(extra: [
      AttributeDescription("rank", .integer32, defaultValue: .integer(7))
    ])

    private func migrate(_ location: PostgresLocation? = nil, wait: Int = 20_000) throws {
      let backend = try PostgresMigrationBackend(
        location ?? self.location, busyMilliseconds: wait)
      _ = try Migrator(backend, target: Self.newer).apply()
    }

    private func count(_ table: String) -> String {
      server.sql("SELECT count(*) FROM \"\(location.schema)\".\"\(table)\"")
    }

    @Test func `an older program gets an error behind a migration, and writes nothing`() throws {
      let library = try PostgresLibrary(at: location)
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      try migrate()
      let saving = errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } }
      #expect(saving?.code == .storeWasMigrated)
      let reading = errorOf { _ = try library.keys("Tag") }
      #expect(reading?.code == .storeWasMigrated)
      #expect(count("Tag") == "1")
      let opening = errorOf { _ = try PostgresLibrary(at: location) }
      #expect(opening?.code == .modelMismatch)
      #expect(
        opening?.message.contains(
          "see what differs with 'oxbowctl migrate status --store postgres://") == true)
      #expect(opening?.details.map(\.label) == ["changed"])
      let newer = try PostgresLibrary(Self.newer, at: location)
      #expect(try newer.keys("Tag") == [1])
    }

    @Test func `saves beside a migration are of the old model or refused`() async throws {
      let libraries = try (0..<4).map { _ in try PostgresLibrary(at: location) }
      let place = location
      // Savers block the threads of tasks, so the migration has one of its own.
      let (isMigrated, hasBegun) = (Shared(false), Shared(false))
      Thread.detachNewThread {
        while !hasBegun.value.withLock({ $0 }) { usleep(10_000) }
        let error = errorOf {
          _ = try Migrator(
            PostgresMigrationBackend(place, busyMilliseconds: 20_000), target: Self.newer
          ).apply()
        }
        isMigrated.value.withLock { $0 = error == nil }
      }
      let saved = await withTaskGroup(of: Int.self) { group in
        for (number, library) in libraries.enumerated() {
          group.addTask {
            var saved = 0
            while true {
              let key = Int64(number * 10_000 + saved + 1)
              let error = errorOf {
                try library.save {
                  $0.inserts = [try library.insert("Book", key), try library.insert("Tag", key)]
                }
              }
              guard error == nil else {
                #expect(error?.code == .storeWasMigrated)
                return saved
              }
              saved += 1
              if saved == 20 { hasBegun.value.withLock { $0 = true } }
            }
          }
        }
        return await group.reduce(0, +)
      }
      while !isMigrated.value.withLock({ $0 }) { usleep(10_000) }
      #expect(saved > 0)
      #expect(count("Book") == "\(saved)")
      #expect(count("Tag") == "\(saved)")
      let books = "\"\(location.schema)\".\"Book\""
      #expect(server.sql("SELECT DISTINCT \"rank\" FROM \(books)") == "7")
    }

    @Test func `a save under way ends before a migration begins`() async throws {
      let library = try PostgresLibrary(at: location)
      let isMigrated = Shared(false)
      let place = location
      try await withThrowingTaskGroup(of: Void.self) { group in
        try library.save { $0.inserts = [try library.insert("Book", 1)] }
        var changes = ChangeSet()
        changes.inserts = [try library.insert("Book", 2)]
        let ready = AsyncStream<Void>.makeStream()
        group.addTask {
          for await _ in ready.stream { break }
          _ = try Migrator(
            PostgresMigrationBackend(place, busyMilliseconds: 20_000), target: Self.newer
          ).apply()
          isMigrated.value.withLock { $0 = true }
        }
        _ = try library.store.save(changes) { () throws(PersistenceError) in
          ready.continuation.yield()
          usleep(400_000)
          #expect(!isMigrated.value.withLock { $0 })
        }
        try await group.waitForAll()
      }
      #expect(isMigrated.value.withLock { $0 })
      #expect(count("Book") == "2")
    }

    @Test func `a read that waited for a migration does not see its tables empty`() throws {
      let library = try PostgresLibrary(at: location)
      try library.save {
        $0.inserts = [try library.insert("Book", 1, ["title": .string("ÄRGER")])]
      }
      let (book, facts) = (
        "\"\(location.schema)\".\"Book\"", "\"\(location.schema)\".\"_oxbow_metadata\""
      )
      let asked = FetchPredicate.text(
        .path(["title"]), .contains, .value(.attribute(.string("ärg"))), [.caseInsensitive])
      let isAsking =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        + "AND query LIKE '%\(location.schema)%'"
      // The read begins behind the lock, and its moment may be before the new rows.
      let script =
        "BEGIN; LOCK TABLE \(facts) IN ACCESS EXCLUSIVE MODE; "
        + "DO $$ BEGIN FOR i IN 1..2000 LOOP PERFORM pg_sleep(0.01); "
        + "PERFORM pg_stat_clear_snapshot(); "
        + "EXIT WHEN (\(isAsking)) > 0; END LOOP; END $$; "
        + "ALTER TABLE \(book) ALTER COLUMN \"title\" TYPE text USING coalesce(\"title\", ''); "
        + "UPDATE \(facts) SET \"value\" = 'new' WHERE \"name\" = 'model_hash'; COMMIT"
      let reader = Beside {
        errorOf {
          while try library.keys("Book", asked) == [1] {}
          Issue.record("the book is gone")
        }
      }
      _ = server.sql(script)
      let error = reader.result() ?? nil
      #expect(error?.code == .storeWasMigrated)
    }

    @Test func `an older program whose columns are gone hears that the store was migrated`() throws
    {
      let library = try PostgresLibrary(at: location)
      try library.save { $0.inserts = [try library.insert("Book", 1)] }
      let newer = ManagedObjectModel(
        entities: libraryModel().entities.map {
          var entity = $0
          entity.attributes.removeAll { $0.name == "grade" }
          return entity
        })
      _ = try Migrator(PostgresMigrationBackend(location), target: newer).apply(allowsLoss: true)
      let error = errorOf { _ = try library.store.rows(of: library.fetch("Book")) }
      #expect(error?.code == .storeWasMigrated)
    }

    @Test func `opening a store waits for its migration, for as long as it is said to`() throws {
      try PostgresLibrary(at: location).store.close()
      let backend = try PostgresMigrationBackend(location)
      let error = try backend.exclusively { session in
        try session.transaction { store in
          _ = try store.mark()
          return errorOf {
            _ = try PostgresLibrary(
              at: location, options: PostgresStoreOptions(waitMilliseconds: 100))
          }
        }
      }
      #expect(error?.code == .storeLocked)
    }

    // MARK: Killed

    @Test(arguments: CuttingProxy.Cut.heard)
    func `a commit of a step whose answer is lost is looked up`(cut: CuttingProxy.Cut) throws {
      let proxy = try #require(CuttingProxy(to: server, name: "commit-\(cut)"))
      try PostgresLibrary(at: location).store.close()
      let victim = PostgresLocation(
        proxy.connection, schema: location.schema)
      proxy.cutNext(cut)
      let error = errorOf { try migrate(victim) }
      #expect(proxy.hasCut)
      let state = try #require(try PostgresMigrationBackend(location).state())
      #expect(error?.code == (cut == .before ? .commitUnknown : nil))
      #expect((state.modelHash == Self.newer.versionHash) == (cut != .before))
      #expect(state.history.count == (cut == .before ? 0 : 1))
    }

    enum Kill: CaseIterable { case client, backend }

    /// Cuts a migration at each of its messages in turn, until one run is not cut.
    @Test(arguments: Kill.allCases)
    func `a migration that is killed at any statement leaves the old store or the new`(
      kill: Kill
    ) throws {
      let proxy = try #require(CuttingProxy(to: server, name: "migration-\(kill)"))
      var message = 0
      var hasEnded = false
      while !hasEnded {
        message += 1
        hasEnded = try isWhole(killed: kill, at: message, proxy)
      }
      #expect(message > 30)
    }

    /// Whether the run was over before its message came.
    private func isWhole(killed kill: Kill, at place: Int, _ proxy: CuttingProxy) throws -> Bool {
      let schema = server.newSchema()
      let direct = server.location(schema)
      let library = try PostgresLibrary(at: direct)
      try library.save {
        $0.inserts = try (1...5).map { try library.insert("Book", $0) }
        $0.inserts += [try library.insert("Reader", 1)]
      }
      let name = "victim of \(schema)"
      let victim = PostgresLocation(
        proxy.connection + " application_name='\(name)'",
        schema: schema)
      let wasKilled = Shared(false)
      let server = server
      proxy.watch { message in
        guard message == place else { return true }
        wasKilled.value.withLock { $0 = true }
        guard kill == .backend else { return false }
        server.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"
        )
        return true
      }
      let error = errorOf { try migrate(victim, wait: 1000) }
      proxy.watch(nil)
      let backend = try PostgresMigrationBackend(direct, busyMilliseconds: 20_000)
      let state = try #require(try backend.state())
      let isNew = state.modelHash == Self.newer.versionHash
      #expect(isNew || state.modelHash == libraryModel().versionHash)
      #expect(try Migrator(backend, target: nil).drift() == [], "\(place)")
      #expect(state.history.count == (isNew ? 1 : 0), "\(place)")
      if error == nil { #expect(isNew) }
      try migrate(direct)
      #expect(try Migrator(backend, target: nil).drift() == [])
      #expect(
        server.sql("SELECT DISTINCT \"rank\" FROM \"\(schema)\".\"Book\"") == "7", "\(place)")
      return !wasKilled.value.withLock { $0 }
    }
  }
#endif
