#if PostgreSQL
  import OxbowModel
  @testable import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// A server whose messages are not in English is understood by what it says in none.
  @Suite(.enabled(if: TestServer.shared != nil), .serialized, .timeLimit(.minutes(30)))
  struct PostgresLanguageTests {
    /// A German server; `nil` where the machine has none, which is said.
    private func german(_ settings: [String] = []) -> TestServer? {
      var setup = TestServer.Setup()
      setup.language = "de"
      setup.settings = settings
      let server = TestServer(setup)
      server?.sql("SELECT 1/0")
      guard let made = server, made.log.contains("FEHLER") else {
        TestServer.say("Test of a German server: NOT RUN, because its messages are not installed")
        return nil
      }
      return made
    }

    @Test func `a full server of another language is one that has no place now`() throws {
      let few = [
        "max_connections = 5", "superuser_reserved_connections = 1", "max_wal_senders = 0",
        "max_worker_processes = 0",
      ]
      guard let own = german(few) else { return }
      let library = try PostgresLibrary(at: own.location("few"))
      let savers = Savers(library, threads: 12)
      savers.letEnd()
      #expect(savers.ledger().failed.isEmpty)
      library.store.close()
      var others: [OtherProgram] = []
      // A place is free a moment after the connection in it has ended.
      while others.count < 5 {
        if let other = try? OtherProgram("SELECT 1", on: own) { others.append(other) }
      }
      let full = errorOf { _ = try PostgresLibrary(at: own.location("few")) }
      #expect(full?.code == .storeLocked)
      #expect(full?.message.contains("no further connection") == true, "\(full?.description ?? "")")
      #expect(full?.description.contains("Verbindungen") == true)
      for other in others { other.end() }
    }

    @Test func `rows and entries of indexes that are too large are told apart in any language`()
      throws
    {
      guard let own = german() else { return }
      let library = try PostgresLibrary(
        libraryModel(unique: "label", of: "Tag"), at: own.location("long"))
      var random = AgreementRandom(seed: 1)
      func text(_ count: Int) -> String {
        (0..<count).map { _ in String(UInt8.random(in: 1...255, using: &random)) }.joined()
      }
      for count in [2500, 9000] {
        let label = text(count)
        let error = errorOf {
          try library.save {
            $0.inserts = [try library.insert("Tag", 1, ["label": .string(label)])]
          }
        }
        #expect(error?.message.contains("2,700 bytes") == true, "\(error?.description ?? "")")
      }
      let attributes = (0..<1200).map { AttributeDescription("number\($0)", .integer64) }
      let wide = try PostgresLibrary(
        ManagedObjectModel(entities: [EntityDescription("Wide", attributes: attributes)]),
        at: own.location("wide"))
      let values = attributes.map { ($0.name, AttributeValue.integer(7)) }
      let error = errorOf {
        try wide.save {
          $0.inserts = [try wide.insert("Wide", 1, Dictionary(uniqueKeysWithValues: values))]
        }
      }
      #expect(error?.message.contains("than a row of the server takes") == true)
    }

    @Test(arguments: [
      ("53300", PersistenceError.Code.storeLocked, "no further connection"),
      ("57P03", .storeLocked, "starting or stopping"),
      ("28P01", .storeUnreachable, "password of the location"),
    ])
    func `a refused connection is known by its state`(
      state: String, code: PersistenceError.Code, words: String
    ) {
      var failure = ServerFailure("FATAL:  ausgedachte Worte", isLost: true)
      failure.state = state
      let error = PersistenceError.unreachable(failure, "shop")
      #expect(error.code == code)
      #expect(error.message.contains(words))
    }
  }
#endif
