#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// What goes wrong between a program and its server, and what the store makes of it.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(10))) struct PostgresFaultTests
  {
    private let server: TestServer

    init() throws { server = try #require(TestServer.shared) }

    private func openError(
      _ connection: String, _ options: PostgresStoreOptions = PostgresStoreOptions()
    ) -> PersistenceError? {
      errorOf {
        _ = try PostgresStore(
          CompiledModel(libraryModel()), at: PostgresLocation(connection, schema: "none"),
          options: options)
      }
    }

    // MARK: Opening

    @Test(
      arguments: [
        ("port=5999", "cannot be used"), ("dbname=missing", "cannot be used"),
        ("user=missing", "cannot be used"), ("nonsense", "cannot be read"),
      ])
    func `a server that cannot be reached is named with what to check`(
      change: String, words: String
    ) throws {
      let error = openError("host=\(server.folder) user=oxbow dbname=postgres \(change)")
      #expect(error?.code == .storeUnreachable)
      #expect(error?.message.contains(words) == true, "\(error?.description ?? "")")
      #expect(error?.message.contains("host") == true)
    }

    @Test func `a password is never in an error`() throws {
      for location in [
        "postgres://oxbow:secret@127.0.0.1:1/postgres", "postgres://oxbow:%secret@127.0.0.1:1/x",
        "host=127.0.0.1 port=1 password=a secret", "postgres://oxbow:a@secret@127.0.0.1:1/x",
      ] {
        let error = openError(location)
        #expect(error?.code == .storeUnreachable)
        #expect(error?.description.contains("secret") == false, "\(error?.description ?? "")")
      }
    }

    @Test func `a row that a trigger keeps out is missed`() throws {
      let library = try PostgresLibrary(at: server.location("guarded"))
      server.sql(
        """
        CREATE FUNCTION guarded.skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER skip BEFORE INSERT ON guarded."Tag" FOR EACH ROW
          EXECUTE FUNCTION guarded.skip();
        """)
      let error = errorOf {
        try library.save { $0.inserts = [try library.insert("Tag", 1, ["label": .string("a")])] }
      }
      #expect(error?.code == .statementFailed)
      #expect(error?.message.contains("has kept rows out") == true, "\(error?.description ?? "")")
    }

    @Test func `a schema of something else is left alone`() throws {
      server.sql("CREATE SCHEMA other; CREATE TABLE other.things (a int)")
      let error = errorOf {
        _ = try PostgresStore(CompiledModel(libraryModel()), at: server.location("other"))
      }
      #expect(error?.code == .notAStore)
      #expect(error?.message.contains("'things'") == true, "\(error?.message ?? "")")
      #expect(server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'other'") == "1")
    }

    @Test func `a store of another model is refused with both hashes`() throws {
      let location = server.location()
      _ = try PostgresLibrary(at: location)
      let error = errorOf { _ = try PostgresLibrary(AgreementRandom.model, at: location) }
      #expect(error?.code == .modelMismatch)
      #expect(error?.message.contains("was written for another model") == true)
    }

    @Test func `where nothing may be created, an empty schema is not a store`() throws {
      let error = errorOf {
        _ = try PostgresLibrary(options: PostgresStoreOptions(createsStore: false))
      }
      #expect(error?.code == .notAStore)
    }

    @Test func `a store that is opened read-only reads, and refuses each change`() throws {
      let location = server.location()
      let writer = try PostgresLibrary(at: location)
      try writer.save { $0.inserts = [try writer.insert("Tag", 1)] }
      let reader = try PostgresLibrary(
        at: location, options: PostgresStoreOptions(isReadOnly: true))
      #expect(try reader.keys("Tag") == [1])
      let errors = [
        errorOf { try reader.save { $0.inserts = [try reader.insert("Tag", 2)] } },
        errorOf { _ = try reader.store.reserveKeys(root: 0, count: 1) },
      ]
      #expect(errors.allSatisfy { $0?.code == .storeReadOnly })
    }

    @Test func `programs that open an empty schema at once make one store`() async throws {
      let location = server.location()
      let identifiers = try await withThrowingTaskGroup(of: UUID.self) { group in
        for _ in 0..<6 {
          group.addTask { try PostgresLibrary(at: location).store.identifier }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(identifiers.count == 1)
    }

    // MARK: Lost connections

    private func endConnections(of library: PostgresLibrary) {
      server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'oxbow' "
          + "AND query LIKE '%\(library.store.place.split(separator: " ").suffix(2).joined(separator: " "))%'"
      )
    }

    @Test func `after the server has ended connections, reads and saves go on with new ones`()
      throws
    {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      endConnections(of: library)
      #expect(try library.keys("Tag") == [1])
      endConnections(of: library)
      try library.save { $0.inserts = [try library.insert("Tag", 2)] }
      #expect(try library.keys("Tag") == [1, 2])
    }

    @Test(arguments: CuttingProxy.Cut.allCases, [false, true])
    func `a save whose connection is lost in its commit is there once, or is made again`(
      cut: CuttingProxy.Cut, hasHook: Bool
    ) throws {
      let own = try #require(TestServer())
      let proxy = try #require(CuttingProxy(to: own))
      var location = own.location("cut")
      let direct = try PostgresLibrary(at: location)
      location.connection = "host=\(proxy.folder) port=5432 user=oxbow dbname=postgres"
      let library = try PostgresLibrary(
        at: location, options: PostgresStoreOptions(preparesStatements: false))
      try library.save { $0.inserts = [try library.insert("Tag", 1, ["label": .string("a")])] }
      proxy.cutNext(cut)
      var changes = ChangeSet()
      changes.updates = [try library.update("Tag", 1, 1, ["label": .string("b")])]
      changes.inserts = [try library.insert("Tag", 2)]
      var calls = 0
      let error = errorOf {
        if hasHook {
          try library.store.save(changes) { calls += 1 }
        } else {
          try library.store.save(changes)
        }
      }
      #expect(proxy.hasCut)
      // What is called before a commit is not called twice, so that such a save is not made again.
      // Where COMMIT alone comes late, the fence waits for it, since the rows are written.
      let isLost = hasHook && cut == .before
      #expect(error?.code == (isLost ? .storeUnreachable : nil), "\(error?.description ?? "")")
      #expect(calls == (hasHook ? 1 : 0))
      Thread.sleep(forTimeInterval: 1.2)
      #expect(
        direct.heads(try direct.store.rows(of: try direct.fetch("Tag")))
          == (isLost ? ["Tag 1 v1"] : ["Tag 1 v2", "Tag 2 v1"]))
    }

    @Test func `a save whose outcome no server tells is commitUnknown`() throws {
      let own = try #require(TestServer())
      let proxy = try #require(CuttingProxy(to: own))
      var location = own.location("cut")
      location.connection = "host=\(proxy.folder) port=5432 user=oxbow dbname=postgres"
      let library = try PostgresLibrary(
        at: location,
        options: PostgresStoreOptions(outcomeMilliseconds: 300, preparesStatements: false))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      proxy.cutNext(.after)
      proxy.refuseFurther()
      let error = errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } }
      #expect(error?.code == .commitUnknown, "\(error?.description ?? "")")
      #expect(error?.message.contains("read the objects again") == true)
    }

    @Test func `a server that is killed under load has kept all acknowledged saves, each once`()
      async throws
    {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(at: own.location("load"))
      let (hasBegun, isBack) = (Shared(false), Shared(false))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      Thread.detachNewThread {
        while !hasBegun.value.withLock({ $0 }) { usleep(5000) }
        usleep(50_000)
        own.crash()
        _ = own.restart()
        isBack.value.withLock { $0 = true }
      }
      let results = await withTaskGroup(of: (saved: Set<Int64>, failed: Int).self) { group in
        for task in 1...3 as ClosedRange<Int64> {
          group.addTask { Self.saveUntilBack(library, from: task * 1_000_000, hasBegun, isBack) }
        }
        return await group.reduce(into: (saved: Set<Int64>(), failed: 0)) {
          $0.saved.formUnion($1.saved)
          $0.failed += $1.failed
        }
      }
      let kept = Set(try library.keys("Tag"))
      #expect(results.saved.subtracting(kept).isEmpty)
      #expect(own.log.contains("not properly shut down"))
      // A save that waits for its outcome may outlast the restart, so that none need fail.
      print(
        "Killed under load: \(results.saved.count) acknowledged, \(kept.count - 1) kept, "
          + "\(results.failed) failed")
    }

    /// Saves one new object after the other until some time after the server is back.
    private static func saveUntilBack(
      _ library: PostgresLibrary, from first: Int64, _ hasBegun: Shared<Bool>,
      _ isBack: Shared<Bool>
    ) -> (saved: Set<Int64>, failed: Int) {
      var (saved, failed, rest, key): (Set<Int64>, Int, Int, Int64) = ([], 0, 20, first)
      while rest > 0 {
        key += 1
        if isBack.value.withLock({ $0 }) { rest -= 1 }
        let error = errorOf { try library.save { $0.inserts = [try library.insert("Tag", key)] } }
        if error == nil {
          saved.insert(key)
          hasBegun.value.withLock { $0 = true }
        } else {
          failed += 1
          usleep(20_000)
        }
      }
      return (saved, failed)
    }

    /// Waits until another program sleeps with its locks in a schema; tests of others sleep, too.
    private func awaitSleep(in schema: String) {
      let sleeping =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
        + "AND query LIKE '%in \(schema)''%'"
      while server.sql(sleeping) == "0" { usleep(20_000) }
    }

    @Test func `a read that waits ends when its task is cancelled`() throws {
      let library = try PostgresLibrary()
      let schema = library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
      let (server, isDone) = (server, DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        server.sql(
          "BEGIN; LOCK TABLE \"\(schema)\".\"Tag\" IN ACCESS EXCLUSIVE MODE; "
            + "SELECT pg_sleep(3.5), 'in \(schema)'")
        isDone.signal()
      }
      awaitSleep(in: schema)
      let cancellation = ReadCancellation()
      Thread.detachNewThread {
        usleep(200_000)
        cancellation.cancel()
      }
      var fetch = try library.fetch("Tag")
      fetch.cancellation = cancellation
      let error = errorOf { _ = try library.store.rows(of: fetch) }
      #expect(error?.code == .cancelled, "\(error?.description ?? "")")
      isDone.wait()
      #expect(try library.keys("Tag").isEmpty)
    }

    // MARK: Other programs

    @Test func `a save to a store whose model has changed meanwhile is refused, and so is a read`()
      throws
    {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      let schema = library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
      server.sql(
        "UPDATE \"\(schema)\"._oxbow_metadata SET value = 'another' WHERE name = 'model_hash'")
      let errors = [
        errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } },
        errorOf { _ = try library.keys("Tag") },
        errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
      ]
      #expect(errors.allSatisfy { $0?.code == .storeWasMigrated }, "\(errors)")
      #expect(server.sql("SELECT count(*) FROM \"\(schema)\".\"Tag\"") == "1")
    }

    @Test func `a value that another program has written and that does not fit is named`() throws {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Book", 1, ["weight": .double(1)])] }
      let schema = library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
      server.sql("UPDATE \"\(schema)\".\"Book\" SET weight = 'NaN'")
      let error = errorOf { _ = try library.keys("Book") }
      #expect(error?.code == .invalidStoredValue)
      #expect(error?.message.contains("'weight'") == true)
      #expect(error?.message.contains("with _id 1") == true)
    }

    @Test func `a save that waits too long for another program's lock says so`() throws {
      let library = try PostgresLibrary(options: PostgresStoreOptions(waitMilliseconds: 50))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      let schema = library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
      let server = server
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        server.sql(
          "BEGIN; UPDATE \"\(schema)\".\"Tag\" SET label = 'x'; "
            + "SELECT pg_sleep(2), 'in \(schema)'; ROLLBACK")
        isDone.signal()
      }
      awaitSleep(in: schema)
      let error = errorOf {
        try library.save { $0.updates = [try library.update("Tag", 1, 1, ["label": .string("y")])] }
      }
      isDone.wait()
      #expect(error?.code == .storeLocked, "\(error?.description ?? "")")
      try library.save { $0.updates = [try library.update("Tag", 1, 1, ["label": .string("y")])] }
    }

    @Test func `a text that an index cannot take is refused as a rule of the model would be`()
      throws
    {
      let model = libraryModel(unique: "label", of: "Tag")
      let library = try PostgresLibrary(model)
      var random = AgreementRandom(seed: 1)
      let text = (0..<9000).map { _ in String(UInt8.random(in: 1...255, using: &random)) }.joined()
      let error = errorOf {
        try library.save { $0.inserts = [try library.insert("Tag", 1, ["label": .string(text)])] }
      }
      #expect(error?.code == .validation, "\(error?.description ?? "")")
      #expect(error?.message.contains("2,700 bytes") == true)
    }
  }
#endif
