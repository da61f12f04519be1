#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// What other programs, roles and servers do to the history of a store.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresHistoryFaultTests {
    private let server: TestServer
    private let location: PostgresLocation
    private var schema: String { location.schema }

    init() throws {
      server = try #require(TestServer.shared)
      location = server.location()
    }

    private func open(
      _ history: HistoryRecording = .keys, at location: PostgresLocation? = nil
    ) throws -> PostgresLibrary {
      try PostgresLibrary(
        at: location ?? self.location, options: PostgresStoreOptions(history: history))
    }

    private func addTag(_ library: PostgresLibrary, _ key: Int64) throws {
      try library.save { $0.inserts = [try library.insert("Tag", key)] }
    }

    private func saves(_ library: PostgresLibrary) throws -> [HistoryTransaction] {
      let history = try library.store.requireHistory()
      let element = try history.elements(after: history.firstToken(), HistoryBatchLimits()).first
      guard case .saves(let saves)? = element else { return [] }
      return saves
    }

    // MARK: Opening

    @Test func `programs that make the history of a store at once wait for each other`() throws {
      try PostgresLibrary(at: location).store.close()
      let name = "hashtextextended('oxbow \"\(schema)\"', 0)"
      let holder = try OtherProgram("SELECT pg_advisory_xact_lock(\(name))", on: server)
      let openings = (0..<3).map { _ in
        Beside { errorOf { try addTag(open(), Int64.random(in: 1...1_000_000)) } }
      }
      server.wait(
        until: "SELECT count(*) = 3 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted "
          + "AND (classid::int8 << 32) | objid::int8 = \(name)")
      holder.end()
      for opening in openings {
        let error = try #require(opening.result())
        #expect(error == nil, "\(error?.description ?? "")")
      }
      #expect(try saves(open()).count == 3)
    }

    @Test func `threads that meet a new history at once go on`() throws {
      let proxy = try #require(CuttingProxy(to: server, name: "meeting"))
      let before = try PostgresLibrary(
        at: PostgresLocation(proxy.connection, schema: schema))
      try addTag(before, 1)
      let errors = Shared<[PersistenceError]>([])
      @Sendable func read() {
        guard let error = errorOf({ _ = try before.store.currentToken() }) else { return }
        errors.value.withLock { $0.append(error) }
      }
      proxy.watch { chunk in
        // A save that knows of no history is on its way, then the connection of one who reads.
        if chunk == 1 {
          _ = try? open()
          Beside(read).result()
        }
        if chunk == 2 { read() }
        return true
      }
      try addTag(before, 2)
      proxy.watch(nil)
      #expect(errors.value.withLock { $0 }.isEmpty)
      #expect(try saves(before).map(\.insertedCount) == [1])
    }

    @Test func `who may save in a store may save when another role has made its history`() throws {
      let owners = try PostgresLibrary(at: location)
      server.sql(
        """
        CREATE ROLE "\(schema)" LOGIN;
        GRANT USAGE ON SCHEMA "\(schema)" TO "\(schema)";
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(schema)" TO "\(schema)";
        """)
      let theirs = PostgresLocation(
        "host=\(server.folder) user='\(schema)' dbname=postgres", schema: schema)
      let saver = try PostgresLibrary(at: theirs)
      try addTag(saver, 1)
      let refused = errorOf { _ = try open(at: theirs) }
      #expect(refused?.code == .storeReadOnly)
      #expect(
        refused?.message.contains("let the owner of its schema open it once") == true,
        "\(refused?.description ?? "")")
      _ = try open()
      try addTag(saver, 2)
      try addTag(owners, 3)
      #expect(try saves(saver).map(\.number) == [1, 2])
    }

    // MARK: Rights

    @Test func `names with spaces are names of locks of their own`() throws {
      let one = try open(at: server.location("lock"))
      let other = try open(at: server.location("lock a"))
      let rights = [try one.store.own("a b"), try other.store.own("b")]
      #expect(errorOf { _ = try one.store.own("a b") }?.code == .consumerInUse)
      withExtendedLifetime(rights) {}
    }

    @Test func `who asks whether a consumer is at work does not keep it from working`() throws {
      let proxy = try #require(CuttingProxy(to: server, name: "asking"))
      let asking = try open(at: PostgresLocation(proxy.connection, schema: schema))
      let working = try open()
      let refusals = Shared<[PersistenceError]>([])
      proxy.watch { _ in
        if let error = errorOf({ _ = try working.store.own("mailer") }) {
          refusals.value.withLock { $0.append(error) }
        }
        return true
      }
      #expect(try !asking.store.isAtWork("mailer"))
      proxy.watch(nil)
      #expect(refusals.value.withLock { $0 }.isEmpty)
      let right = try working.store.own("mailer")
      #expect(try asking.store.isAtWork("mailer"))
      withExtendedLifetime(right) {}
    }

    @Test func `a right that a full server does not give is asked for again later`() throws {
      var setup = TestServer.Setup()
      setup.settings = [
        "max_connections = 5", "superuser_reserved_connections = 1", "max_wal_senders = 0",
        "max_worker_processes = 0", "log_statement = 'all'",
      ]
      let own = try #require(TestServer(setup))
      let library = try open(at: own.location("full"))
      let right = try library.store.own("first")
      // The server ends a connection whose host has vanished, and no other that is idle.
      #expect(own.log.contains("set_config('tcp_keepalives_idle', '30', false)"))
      #expect(own.log.contains("set_config('idle_session_timeout', '0', false)"))
      var others: [OtherProgram] = []
      while let other = try? OtherProgram("SELECT 1", on: own) { others.append(other) }
      let error = errorOf { _ = try library.store.own("second") }
      #expect(error?.code == .storeLocked, "\(error?.description ?? "")")
      for other in others { other.end() }
      withExtendedLifetime(right) {}
    }

    @Test func `a right is let go although its server has vanished`() throws {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(
        at: own.location("store"),
        options: PostgresStoreOptions(answerMilliseconds: .max, history: .keys))
      var right: (any Sendable & AnyObject)? = try library.store.own("mailer")
      own.freeze()
      withExtendedLifetime(right) {}
      right = nil
      own.thaw()
    }

    // MARK: A pooler

    @Test func `behind a pooler saves are read, and what keeps a lock is refused`() throws {
      let proxy = try #require(CuttingProxy(to: server, name: "pooler"))
      proxy.poseAsPooler()
      let pooled = PostgresLocation(proxy.connection, schema: schema)
      let library = try open(at: pooled)
      let called = DispatchSemaphore(value: 0)
      let watch = watch(library, called)
      called.wait()
      try addTag(library, 1)
      called.wait()
      withExtendedLifetime(watch) {}
      #expect(try saves(library).count == 1)
      let newer = ManagedObjectModel(
        entities: libraryModel().entities.map { entity in
          var entity = entity
          guard entity.name == "Tag" else { return entity }
          entity.attributes.append(AttributeDescription("note", .string, isOptional: true))
          return entity
        })
      let refusals = [
        errorOf { _ = try library.store.own("mailer") },
        errorOf { _ = try Migrator(PostgresMigrationBackend(pooled), target: newer).apply() },
      ]
      for error in refusals {
        #expect(error?.code == .unsupported, "\(error?.description ?? "")")
        #expect(error?.message.contains("the server's own address") == true)
      }
      let direct = try open()
      _ = try direct.store.own("mailer")
    }

    // MARK: Waiting

    /// Counts how often it is called; returns what keeps it waiting.
    private func watch(
      _ library: PostgresLibrary, _ called: DispatchSemaphore,
      foreign: DispatchSemaphore = DispatchSemaphore(value: 0)
    ) -> any Sendable & AnyObject {
      library.store.watch { isForeign in
        _ = isForeign ? foreign.signal() : called.signal()
        return false
      }
    }

    @Test func `a store without a history cannot be followed`() throws {
      let error = errorOf {
        _ = try PostgresLibrary(
          at: location, options: PostgresStoreOptions(followsOtherProcesses: true))
      }
      #expect(error?.code == .historyOff)
      #expect(error?.message.contains("has no history, by which it would learn") == true)
    }

    @Test func `who waits for saves is called when the store is gone`() throws {
      let library = try open()
      let called = DispatchSemaphore(value: 0)
      let watch = watch(library, called)
      called.wait()
      server.sql("DROP SCHEMA \"\(schema)\" CASCADE")
      called.wait()
      withExtendedLifetime(watch) {}
      #expect(errorOf { _ = try library.store.currentToken() }?.code == .notAStore)
    }

    @Test func `who waits again soon has the connection of before`() throws {
      let library = try open(
        at: PostgresLocation(
          location.connection + " application_name='\(schema)'", schema: schema))
      let connections = (0..<2).map { _ in
        let called = DispatchSemaphore(value: 0)
        let watch = watch(library, called)
        called.wait()
        defer { withExtendedLifetime(watch) {} }
        return server.sql(
          "SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM pg_stat_activity "
            + "WHERE application_name = '\(schema)'")
      }
      #expect(connections[0] == connections[1])
      #expect(connections[0].split(separator: " ").count == 2)
    }

    @Test func `who waits hears that a save of unknown outcome may be there`() throws {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(
        at: own.location("store"),
        options: PostgresStoreOptions(
          connectSeconds: 2, outcomeMilliseconds: 300, answerMilliseconds: 200, history: .keys))
      try addTag(library, 1)
      let (called, foreign) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let watch = watch(library, called, foreign: foreign)
      called.wait()
      own.freeze()
      #expect(errorOf { try addTag(library, 2) }?.code == .commitUnknown)
      own.thaw()
      foreign.wait()
      withExtendedLifetime(watch) {}
    }

    @Test func `who waits hears that another server has taken over`() throws {
      let primary = try #require(TestServer())
      try open(at: primary.location("store")).store.close()
      let replica = try #require(TestServer(replicaOf: primary))
      let library = try open(
        at: PostgresLocation(
          "host=\(primary.folder),\(replica.folder) port=5432,5432 user=oxbow dbname=postgres "
            + "target_session_attrs=read-write", schema: "store"))
      let (called, foreign) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let watch = watch(library, called, foreign: foreign)
      called.wait()
      primary.crash()
      #expect(replica.promote())
      foreign.wait()
      withExtendedLifetime(watch) {}
    }

    // MARK: Limits

    @Test func `a history is looked at in one round trip, and shortened by a thousand in each`()
      throws
    {
      let library = try open()
      server.sql(
        """
        INSERT INTO "\(schema)"._oxbow_saves
          (number, time, kind, inserted, updated, deleted, bytes)
          SELECT n, 0, 1, 0, 0, 0, 10 FROM generate_series(1, 2500) AS n
        """)
      func trips(_ bytes: Int) -> Int {
        let before = library.store.roundTrips
        library.store.keepHistory(within: HistoryLimits(days: .max, bytes: bytes))
        return library.store.roundTrips - before
      }
      #expect(trips(25_000) == 1)
      #expect(try library.store.firstToken().number == 0)
      #expect(trips(10) == 4)
      #expect(try library.store.firstToken().number == 2499)
      #expect(try library.store.currentToken().number == 2500)
    }

    @Test func `the time of a save is the server's, and so is its age`() throws {
      let clock = schema.replacing("test ", with: "clock")
      server.sql(
        """
        CREATE SCHEMA \(clock);
        CREATE FUNCTION \(clock).clock_timestamp() RETURNS timestamptz
          LANGUAGE sql AS 'SELECT to_timestamp(86400)';
        """)
      let early = PostgresLocation(
        location.connection + " options='-c search_path=\(clock),pg_catalog'", schema: schema)
      let library = try open(at: early)
      try addTag(library, 1)
      #expect(try saves(library).map(\.date.timeIntervalSince1970) == [86400])
      library.store.keepHistory(within: HistoryLimits(days: 1))
      #expect(try saves(library).count == 1)
      #expect(try library.store.register("x", at: .now).since.timeIntervalSince1970 == 86400)
    }
  }
#endif
