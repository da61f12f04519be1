#if PostgreSQL
  import Foundation
  import OxbowModel
  @testable import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// What goes wrong between a program and its server, and what the store makes of it.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30))) struct PostgresFaultTests
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
        ("sslmode=sure", "cannot be used"), ("sslmod=require", "'sslmode'"),
        ("hostt=elsewhere", "'host'"), ("schema=shop", "'PostgresLocation(uri:)'"),
        ("shema=shop", "'schema'"),
      ])
    func `a server that cannot be reached is named with what to check`(
      change: String, words: String
    ) throws {
      let error = openError("host=\(server.folder) user=oxbow dbname=postgres \(change)")
      #expect(error?.code == .storeUnreachable)
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(error?.message.contains("host") == true)
    }

    @Test func `a password is never in an error`() throws {
      for location in [
        "postgres://oxbow:secret@127.0.0.1:1/postgres", "postgres://oxbow:%secret@127.0.0.1:1/x",
        "host=127.0.0.1 port=1 password=a secret", "postgres://oxbow:a@secret@127.0.0.1:1/x",
        "host=127.0.0.1 port=1 password=a secret=x", "postgres://oxbow:a/secret@127.0.0.1:1/x",
        "postgres://oxbow:1/secret@127.0.0.1:1/x", "postgres://127.0.0.1:1/x?password=secret",
        "postgres://oxbow:secret", "postgres://oxbow:1@127.0.0.1:1/x?sslpassword=secret",
      ] {
        let error = openError(location)
        #expect(error?.code == .storeUnreachable)
        #expect(error?.description.contains("secret") == false, "\(error?.description ?? "")")
      }
    }

    @Test(arguments: [
      (
        "postgres://app:secret@h:5/shop?sslmode=require", "postgres://app@h:5/shop?sslmode=require&"
      ),
      ("postgres:///shop?user=app&password=secret", "postgres://app@/shop?"),
      (
        "postgres://a:1,b:2/shop?passfile=/f",
        "postgres:///shop?host=a%2Cb&passfile=%2Ff&port=1%2C2&"
      ),
      ("service=prod password=secret", "postgres:///?service=prod&"),
      ("host=/run/x dbname='a/b@c' user=u", "postgres://u@%2Frun%2Fx/a%2Fb%40c?"),
    ])
    func `a location is shown as a URI that leads there, without a password`(
      connection: String, shown: String
    ) {
      #expect(PostgresLocation(connection, schema: "s t").shown == shown + "schema=s%20t")
      // A name that is not UTF-8 is refused when the store is opened, as an empty one is.
      #expect(PostgresLocation(uri: "postgres://app@db/shop?schema=caf%E9").schema.isEmpty)
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
          + "AND query LIKE '%\(schema(of: library))%'"
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
      // What comes late is released when something waits on the server.
      let own = cut == .late ? try #require(TestServer()) : server
      let proxy = try #require(CuttingProxy(to: own, name: "\(cut)-\(hasHook)"))
      var location = own.location()
      let direct = try PostgresLibrary(at: location)
      location.connection = proxy.connection
      let library = try PostgresLibrary(
        at: location,
        options: PostgresStoreOptions(answerMilliseconds: 400, preparesStatements: false))
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
      proxy.awaitEnd()
      #expect(
        direct.heads(try direct.store.rows(of: try direct.fetch("Tag")))
          == (isLost ? ["Tag 1 v1"] : ["Tag 1 v2", "Tag 2 v1"]))
    }

    /// Cuts a save behind each message of the protocol in turn, until one is not cut: so it is cut
    /// in front of each statement, in it and behind it, COMMIT included.
    @Test func `a save that is cut behind any message is there once`() throws {
      let proxy = try #require(CuttingProxy(to: server, name: "sweep"))
      var location = server.location()
      let direct = try PostgresLibrary(at: location)
      location.connection = proxy.connection
      let library = try PostgresLibrary(at: location)
      try library.save {
        $0.inserts = [try library.insert("Tag", 1), try library.insert("Book", 1)]
      }
      var messages: Int64 = 0
      repeat {
        messages += 1
        proxy.cut(behind: Int(messages))
        try library.save {
          $0.inserts = [try library.insert("Tag", messages + 1)]
          $0.updates = [
            try library.update("Book", 1, messages, ["pages": .integer(messages)])
          ]
        }
      } while proxy.hasCut
      #expect(messages > 20)
      #expect(
        direct.heads(try direct.store.rows(of: try direct.fetch("Tag")))
          == (1...messages + 1).map { "Tag \($0) v1" })
      #expect(
        direct.heads(try direct.store.rows(of: try direct.fetch("Book")))
          == ["Book 1 v\(messages + 1)"])
    }

    @Test func `a save whose outcome no server tells is commitUnknown`() throws {
      let own = try #require(TestServer())
      let proxy = try #require(CuttingProxy(to: own))
      var location = own.location("cut")
      location.connection = proxy.connection
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

    @Test func `a read that waits ends when its task is cancelled`() throws {
      let library = try PostgresLibrary()
      let other = try OtherProgram(
        "LOCK TABLE \(quoted("Tag", of: library)) IN ACCESS EXCLUSIVE MODE", on: server)
      let cancellation = ReadCancellation()
      let reading = Beside { () -> PersistenceError.Code? in
        errorOf {
          var fetch = try library.fetch("Tag")
          fetch.cancellation = cancellation
          _ = try library.store.rows(of: fetch)
        }?.code
      }
      server.wait(until: waiting(for: library))
      cancellation.cancel()
      #expect(reading.result() == .some(.cancelled))
      other.end()
      #expect(try library.keys("Tag").isEmpty)
    }

    /// The calls of a library that wait for locks.
    private func waiting(for library: PostgresLibrary) -> String {
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        + "AND position('\(quoted("Tag", of: library))' in query) > 0"
    }

    private func schema(of library: PostgresLibrary) -> String {
      library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
    }

    private func quoted(_ table: String, of library: PostgresLibrary) -> String {
      "\"\(schema(of: library))\".\"\(table)\""
    }

    @Test func `closing a store waits for the calls under way, and later ones are refused`()
      throws
    {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      let other = try OtherProgram(
        "LOCK TABLE \(quoted("Tag", of: library)) IN ACCESS EXCLUSIVE MODE", on: server)
      let isClosed = Shared(false)
      let count = Beside { try? library.keys("Tag").count }
      server.wait(until: waiting(for: library))
      let closing = Beside {
        library.store.close()
        isClosed.value.withLock { $0 = true }
      }
      while errorOf({ _ = try library.keys("Shelf") })?.code != .storeClosed {}
      server.wait(until: waiting(for: library))
      #expect(!isClosed.value.withLock { $0 })
      other.end()
      closing.result()
      #expect(count.result() == .some(1))
    }

    @Test func `statements that the server has forgotten are prepared anew`() throws {
      let library = try PostgresLibrary()
      let schema = schema(of: library)
      for key in 1...4 as ClosedRange<Int64> {
        try library.save { $0.inserts = [try library.insert("Tag", key)] }
      }
      // A save whose transaction forgets, as behind a pooler.
      server.sql(
        """
        CREATE FUNCTION "\(schema)".forget() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN EXECUTE ''DEALLOCATE ALL''; RETURN NEW; END';
        CREATE TRIGGER forget BEFORE INSERT ON \(quoted("Tag", of: library)) FOR EACH ROW
          WHEN (NEW._id = 5) EXECUTE FUNCTION "\(schema)".forget();
        """)
      for key in 5...9 as ClosedRange<Int64> {
        try library.save { $0.inserts = [try library.insert("Tag", key)] }
        #expect(try library.keys("Tag").count == Int(key))
      }
    }

    @Test(arguments: [
      ("host=a,b", true, "read-write"), ("postgres://a,b/shop", true, "read-write"),
      ("host=a,b", false, nil), ("host=a", true, nil), ("service=shop", true, nil),
    ])
    func `the kind of server is asked for only among several hosts`(
      location: String, needsPrimary: Bool, kind: String?
    ) {
      var address = ServerAddress(text: location, connectSeconds: 10)
      address.needsPrimary = needsPrimary
      #expect(address.settings.first { $0.0 == "target_session_attrs" }?.1 == kind)
    }

    @Test func `where another one has the statements, nothing is prepared any more`() throws {
      let library = try PostgresLibrary(
        options: PostgresStoreOptions(connections: 1, history: .keys))
      for key in 1...3 as ClosedRange<Int64> {
        try library.save { $0.inserts = [try library.insert("Tag", key)] }
        _ = try library.store.requireHistory().currentToken()
        #expect(try library.keys("Tag").count == Int(key))
      }
      // As behind a pooler, which has given the connection of the server to another client.
      try library.store.pool.withConnection { _ = try $0.run([Self.deallocate]) }
      _ = try library.store.requireHistory().currentToken()
      let prepared = try library.store.pool.withConnection { try $0.run([Self.prepared])[0] }
      #expect(prepared.integer(0, 0) == 0)
      try library.save { $0.inserts = [try library.insert("Tag", 4)] }
      #expect(try library.keys("Tag").count == 4)
    }

    private static let deallocate = ServerStatement("DEALLOCATE ALL", isKept: false)
    private static let prepared = ServerStatement(
      "SELECT count(*) FROM pg_prepared_statements", isKept: false)

    // MARK: Other programs

    @Test func `an object with more values than a row takes is refused`() throws {
      let attributes = (0..<1200).map { AttributeDescription("number\($0)", .integer64) }
      let library = try PostgresLibrary(
        ManagedObjectModel(entities: [EntityDescription("Wide", attributes: attributes)]))
      let values = Dictionary(
        uniqueKeysWithValues: attributes.map { ($0.name, AttributeValue.integer(7)) })
      let error = errorOf {
        try library.save { $0.inserts = [try library.insert("Wide", 1, values)] }
      }
      #expect(error?.code == .validation)
      #expect(error?.message.contains("than a row of the server takes") == true)
    }

    @Test func `a save to a store whose model has changed meanwhile is refused, and so is a read`()
      throws
    {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      let schema = schema(of: library)
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
      let schema = schema(of: library)
      server.sql("UPDATE \"\(schema)\".\"Book\" SET weight = 'NaN'")
      let error = errorOf { _ = try library.keys("Book") }
      #expect(error?.code == .invalidStoredValue)
      #expect(error?.message.contains("'weight'") == true)
      #expect(error?.message.contains("with _id 1") == true)
    }

    @Test func `what waits too long for another program's lock says so`() throws {
      let library = try PostgresLibrary(options: PostgresStoreOptions(waitMilliseconds: 50))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      let other = try OtherProgram(
        "UPDATE \(quoted("Tag", of: library)) SET label = 'x'; "
          + "UPDATE \(quoted("_oxbow_keys", of: library)) SET last = last", on: server)
      func save() throws {
        try library.save { $0.updates = [try library.update("Tag", 1, 1, ["label": .string("y")])] }
      }
      let errors = [
        errorOf { try save() }, errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
      ]
      #expect(errors.allSatisfy { $0?.code == .storeLocked }, "\(errors)")
      other.end()
      try save()
    }

    @Test func `a read that waits longer than a server may be silent is ended there`() throws {
      let library = try PostgresLibrary(options: PostgresStoreOptions(answerMilliseconds: 200))
      let other = try OtherProgram(
        "LOCK TABLE \(quoted("Tag", of: library)) IN ACCESS EXCLUSIVE MODE", on: server)
      let error = errorOf { _ = try library.keys("Tag") }
      #expect(error?.code == .storeLocked)
      #expect(error?.message.contains("'answerMilliseconds'") == true, "\(error?.message ?? "")")
      #expect(server.sql(waiting(for: library)) == "0")
      other.end()
      #expect(try library.keys("Tag").isEmpty)
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
