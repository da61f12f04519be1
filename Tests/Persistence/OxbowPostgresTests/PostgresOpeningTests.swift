#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// What a server refuses, or has no room for, and how the error says what to do.
  @Suite(.enabled(if: TestServer.shared != nil), .serialized, .timeLimit(.minutes(30)))
  struct PostgresOpeningTests {
    private let server: TestServer

    init() throws { server = try #require(TestServer.shared) }

    private func error(
      _ connection: String, schema: String = "none", model: ManagedObjectModel = libraryModel()
    ) -> PersistenceError? {
      errorOf {
        _ = try PostgresStore(
          CompiledModel(model), at: PostgresLocation(connection, schema: schema),
          options: PostgresStoreOptions(connectSeconds: 2))
      }
    }

    // MARK: Who, and over what

    /// A server that is reached by TLS and a password.
    private func guardedServer() throws -> TestServer? {
      var setup = TestServer.Setup()
      setup.isOnNetwork = true
      setup.hasTLS = true
      setup.access = ["local all all trust", "host all all 127.0.0.1/32 scram-sha-256"]
      guard let server = TestServer(setup) else {
        TestServer.say("Tests of TLS: NOT RUN, because openssl made no certificate")
        return nil
      }
      server.sql("ALTER ROLE oxbow PASSWORD 'the right one'")
      return server
    }

    @Test func `passwords and certificates are checked, and the error says which was wrong`() throws
    {
      guard let own = try guardedServer() else { return }
      let place = "host=127.0.0.1 port=\(own.port) user=oxbow dbname=postgres"
      let right = place + " password='the right one'"
      let authority = "sslrootcert=\(own.folder)/server.crt"
      for (connection, words) in [
        (place + " password='the wrong one'", "user and password"),
        (place + " passfile=/none", "user and password"),
        (right + " sslmode=verify-full \(authority)", "certificate is for the host's name"),
        (right + " sslmode=verify-full sslrootcert=/none", "'sslrootcert'"),
        (right + " sslmode=verify-ca sslrootcert=/dev/null", "'sslrootcert'"),
      ] {
        let error = error(connection)
        #expect(error?.code == .storeUnreachable)
        #expect(error?.message.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(" one") == false)
      }
      // A record of TLS has 16 KB, and a row more.
      let library = try PostgresLibrary(
        at: PostgresLocation(right + " sslmode=verify-ca \(authority)", schema: "safe"))
      let cover = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try library.save {
        $0.inserts = try (1...3).map {
          try library.insert("Book", $0, ["cover": .data(cover)])
        }
      }
      var fetch = try library.fetch("Book")
      fetch.cancellation = ReadCancellation()
      #expect(library.heads(try library.store.rows(of: fetch)).count == 3)
      #expect(try library.only("Book", 2)["cover"] == "\(AttributeValue.data(cover))")
    }

    @Test func `a role that may not make the store hears what its owner has to do`() throws {
      let schema = server.newSchema()
      let connection = "host=\(server.folder) user='\(schema)' dbname=postgres"
      server.sql("CREATE ROLE \"\(schema)\" LOGIN")
      let making = error(connection, schema: schema)
      #expect(making?.code == .storeReadOnly)
      #expect(
        making?.message.contains("CREATE SCHEMA \"\(schema)\" AUTHORIZATION") == true,
        "\(making?.description ?? "")")
      try PostgresLibrary(at: server.location("of another \(schema)")).store.close()
      let using = error(connection, schema: "of another \(schema)")
      #expect(using?.code == .storeReadOnly)
      #expect(using?.message.contains("USAGE") == true, "\(using?.description ?? "")")
      server.sql("CREATE SCHEMA \"\(schema)\" AUTHORIZATION \"\(schema)\"")
      let library = try PostgresLibrary(at: PostgresLocation(connection, schema: schema))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      #expect(try library.keys("Tag") == [1])
    }

    // MARK: Room

    @Test func `a server with few connections serves many threads, and refuses another program`()
      throws
    {
      var setup = TestServer.Setup()
      setup.isOnNetwork = true
      setup.settings = [
        "max_connections = 5", "superuser_reserved_connections = 1", "max_wal_senders = 0",
        "max_worker_processes = 0",
      ]
      let own = try #require(TestServer(setup))
      let network = "host=127.0.0.1 port=\(own.port) user=oxbow dbname=postgres"
      let plain = error(network + " sslmode=require")
      #expect(plain?.code == .storeUnreachable)
      #expect(plain?.message.contains("'sslmode'") == true, "\(plain?.description ?? "")")

      let library = try PostgresLibrary(at: own.location("few"))
      let savers = Savers(library, threads: 12)
      savers.letEnd()
      let ledger = savers.ledger()
      #expect(ledger.failed.isEmpty, "\(ledger.failed)")
      #expect(try library.keys("Tag").count == ledger.saved.count)
      library.store.close()

      var others: [OtherProgram] = []
      // A place is free a moment after the connection in it has ended.
      while others.count < 5 {
        if let other = try? OtherProgram("SELECT 1", on: own) { others.append(other) }
      }
      let full = error(own.connection)
      #expect(full?.code == .storeLocked)
      #expect(full?.message.contains("no further connection") == true, "\(full?.description ?? "")")
      for other in others { other.end() }
    }

    @Test func `a disk that is full fails the save, which says so, and nothing else`() throws {
      var setup = TestServer.Setup()
      setup.disk = "6m"
      guard let own = TestServer(setup) else {
        TestServer.say("Test of a full disk: NOT RUN, because it takes root to make a small one")
        return
      }
      own.sql(
        """
        CREATE TABLESPACE small LOCATION '\(own.folder)/disk';
        CREATE TABLE filler TABLESPACE small AS SELECT repeat('x', 900) FROM generate_series(1, 1500);
        """)
      let library = try PostgresLibrary(
        at: PostgresLocation(
          own.connection + " options='-c default_tablespace=small'", schema: "store"))
      var random = AgreementRandom(seed: 1)
      func save(_ key: Int64) throws {
        let cover = Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try library.save {
          $0.inserts = [try library.insert("Book", key, ["cover": .data(cover)])]
        }
      }
      var saved: Int64 = 0
      var error: PersistenceError?
      while error == nil, saved < 100 {
        error = errorOf { try save(saved + 1) }
        if error == nil { saved += 1 }
      }
      #expect(error?.code == .storeFull, "\(error?.description ?? "")")
      #expect(error?.message.contains("disk of the server is full") == true)
      #expect(try library.keys("Book").count == Int(saved))
      own.sql("DROP TABLE filler")
      try save(saved + 1)
      #expect(try library.keys("Book").count == Int(saved) + 1)
    }
  }
#endif
