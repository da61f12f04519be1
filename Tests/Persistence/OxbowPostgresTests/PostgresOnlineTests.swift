#if PostgreSQL
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowRelational
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// A store that is migrated beside programs is that of a migration as a whole, and what they save
  /// is in it.
  @Suite(.serialized, .enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresOnlineTests {
    let server: TestServer

    // An index that is made concurrently waits for all transactions of its database.
    private static let own = TestServer()

    init() throws { server = try #require(Self.own) }

    private func backend(
      _ location: PostgresLocation, isStopping: (@Sendable () -> Bool)? = nil
    ) throws -> PostgresMigrationBackend {
      var backend = try PostgresMigrationBackend(
        location, busyMilliseconds: 20_000, interruption: isStopping)
      backend.keysOfRange = 2
      return backend
    }

    private func filled(_ location: PostgresLocation) throws -> PostgresLibrary {
      let library = try PostgresLibrary(at: location)
      try library.save {
        $0.inserts = try (Int64(1)...5).map { key in
          let grade: [String: AttributeValue] = key == 2 ? ["grade": .integer(9)] : [:]
          return try library.insert(
            "Book", key, grade.merging(["pages": .integer(key)]) { first, _ in first })
        }
        $0.inserts += [try library.insert("Reader", 1), try library.insert("Writer", 2)]
        $0.inserts += [try library.insert("Shelf", 1)]
      }
      return library
    }

    /// What a program with the model before saves, the n-th time.
    private func save(_ number: Int, _ library: PostgresLibrary) throws {
      let key = Int64(100 + number)
      let old = Int64(1 + number % 5)
      let version = Int64(1 + number / 5)
      let grade: AttributeValue? = number % 2 == 0 ? nil : .integer(5)
      try library.save {
        $0.inserts = [
          try library.insert("Book", key, ["copies": .integer(key)]),
          try library.insert("Reader", key),
        ]
        $0.updates = [
          try library.update(
            "Book", old, version,
            ["pages": .integer(key), "grade": grade])
        ]
      }
    }

    private func contents(_ location: PostgresLocation) throws -> [String: TableContents] {
      try backend(location).read { try $0.contents() }
    }

    /// What a migration as a whole makes of the same saves.
    private func whole(
      _ model: ManagedObjectModel, saves: Int
    ) throws -> [String: TableContents] {
      let location = server.location()
      let library = try filled(location)
      for number in 0..<saves { try save(number, library) }
      _ = try Migrator(backend(location), target: model).apply(allowsLoss: true)
      return try contents(location)
    }

    /// How much of what is made for a model to come is in the store's schema.
    private func prepared(_ location: PostgresLocation) -> String {
      let schema = location.schema
      return server.sql(
        """
        SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid
            AND relname ~ '^_oxbow_next_[0-9]+$')
          + (SELECT count(*) FROM pg_proc WHERE pronamespace = n.oid AND proname ~ '^_oxbow_next_')
          + (SELECT count(*) FROM pg_constraint WHERE connamespace = n.oid
            AND conname ~ '^_oxbow_next_[0-9]+$')
          + (SELECT count(*) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
            WHERE c.relnamespace = n.oid AND c.relkind = 'r' AND a.attname ~ '^_oxbow_next_' AND NOT a.attisdropped)
          FROM pg_namespace AS n WHERE n.nspname = '\(schema)'
        """)
    }

    // MARK: Equal

    @Test(arguments: OnlineCase.all)
    func `saves between all parts are in a store that is that of a whole migration`(
      change: OnlineCase
    ) throws {
      let location = server.location()
      let library = try filled(location)
      let online = try backend(location)
      var saves = 0
      var problems: [String] = []
      _ = try Migrator(online, target: change.model).apply(allowsLoss: true, online: true) {
        guard case .prepared = $0 else { return }
        if let error = errorOf({ try save(saves, library) }) { problems.append("\(error)") }
        saves += 1
        problems += (try? Migrator(online, target: nil).drift()) ?? ["no drift"]
      }
      #expect(problems == [])
      #expect(try Migrator(online, target: nil).drift() == [])
      #expect(try contents(location) == whole(change.model, saves: saves))
      #expect(prepared(location) == "0")
      let refused = errorOf { try save(saves, library) }
      #expect(refused?.code == .storeWasMigrated)
      let newer = try PostgresLibrary(change.model, at: location)
      #expect(try newer.keys("Book").count == 5 + saves)
      newer.store.close()
      let taken = errorOf {
        _ = try Migrator(online, target: libraryModel()).undo(allowsLoss: true)
      }
      #expect(taken == nil)
      #expect(try Migrator(online, target: nil).drift() == [])
      let older = try PostgresLibrary(at: location)
      #expect(try older.keys("Book").count == 5 + saves)
    }

    @Test func `what takes long is made in parts, and the rest is at the end`() throws {
      let location = server.location()
      _ = try filled(location)
      let migrator = try Migrator(backend(location), target: OnlineCase.everything)
      let steps = try migrator.plan(online: true).steps
      let statements = try #require(steps.first).operations.flatMap(\.statements)
      let words = ["NOT VALID", "VALIDATE", "SET NOT NULL", "CONCURRENTLY", "UNIQUE USING INDEX"]
      for word in words { #expect(statements.contains { $0.contains(word) }, "\(word)") }
      let end = try #require(statements.firstIndex { $0.hasPrefix("LOCK TABLE") })
      let slow = ["UPDATE", "SET NOT NULL", "CREATE INDEX", " TYPE ", "UNIQUE (", "USING btree"]
      for statement in statements[end...] {
        for word in slow { #expect(!statement.contains(word), "\(statement)") }
      }
    }

    @Test(arguments: [
      ("an index", [MigrationRemark.Rule.index]), ("an attribute of another type", [.rewrite]),
      ("unique values", [.index]), ("a required attribute of a sub-entity", [.fill]),
      ("a relationship to an entity that is there", [.index, .constraint]),
      ("another name", [.name]),
    ])
    func `a plan says what programs notice where there are many rows`(
      name: String, expected: [MigrationRemark.Rule]
    ) throws {
      let location = server.location()
      _ = try filled(location)
      let change = try #require(OnlineCase.all.first { $0.testDescription == name })
      let migrator = try Migrator(backend(location), target: change.model)
      func rules(online: Bool = false) throws -> [MigrationRemark.Rule] {
        try migrator.plan(countsRows: false, online: online).steps.flatMap(\.operations)
          .flatMap { $0.remarks ?? [] }.map(\.rule)
      }
      #expect(try Set(rules()) == Set(expected).intersection([.name]))
      server.sql(
        "UPDATE pg_class SET reltuples = 500000 WHERE relnamespace = "
          + "(SELECT oid FROM pg_namespace WHERE nspname = '\(location.schema)')")
      #expect(try Set(rules()) == Set(expected))
      #expect(try rules(online: true).allSatisfy { $0 == .name })
    }

    // MARK: Killed

    @Test func `an online migration that is killed at any statement goes on where it was`() throws {
      let proxy = try #require(CuttingProxy(to: server, name: "online"))
      let expected = try whole(OnlineCase.everything, saves: 2)
      var message = 1
      while try !isWhole(killedAt: message, proxy, expected) { message += 7 }
      #expect(message > 100)
    }

    /// Whether the run was over before its message came.
    private func isWhole(
      killedAt place: Int, _ proxy: CuttingProxy, _ expected: [String: TableContents]
    ) throws -> Bool {
      let direct = server.location()
      let library = try filled(direct)
      try save(0, library)
      let name = "victim of \(direct.schema)"
      let victim = PostgresLocation(
        proxy.connection + " application_name='\(name)'", schema: direct.schema)
      let wasKilled = Shared(false)
      let server = server
      proxy.watch { message in
        guard message == place else { return true }
        wasKilled.value.withLock { $0 = true }
        guard place % 2 == 0 else { return false }
        server.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"
        )
        return true
      }
      _ = errorOf {
        _ = try Migrator(backend(victim), target: OnlineCase.everything).apply(online: true)
      }
      proxy.watch(nil)
      let migrator = try Migrator(backend(direct), target: OnlineCase.everything)
      #expect(try Migrator(backend(direct), target: nil).drift() == [], "\(place)")
      let isOver = try migrator.isUpToDate()
      let saving = errorOf { try save(1, library) }
      #expect(saving?.code == (isOver ? .storeWasMigrated : nil), "\(place)")
      library.store.close()
      _ = try migrator.apply(online: true)
      if !isOver { #expect(try contents(direct) == expected, "\(place)") }
      #expect(try migrator.status().underWay == nil)
      #expect(prepared(direct) == "0", "\(place)")
      server.sql("DROP SCHEMA \"\(direct.schema)\" CASCADE")
      return !wasKilled.value.withLock { $0 }
    }

    /// Runs a part of a migration, which is then asked to stop.
    private func begin(
      _ model: ManagedObjectModel, _ location: PostgresLocation, parts: Int
    ) throws {
      let isStopping = Shared(false)
      let backend = try backend(location) { isStopping.value.withLock { $0 } }
      var count = 0
      let error = errorOf {
        _ = try Migrator(backend, target: model).apply(online: true) { progress in
          guard case .prepared = progress else { return }
          count += 1
          if count == parts { isStopping.value.withLock { $0 = true } }
        }
      }
      #expect(error?.code == .interrupted)
      #expect(count == parts)
    }

    @Test func `a migration that is under way is seen, and is made whole by one without programs`()
      throws
    {
      let location = server.location()
      let library = try filled(location)
      try begin(OnlineCase.everything, location, parts: 6)
      let migrator = try Migrator(backend(location), target: OnlineCase.everything)
      let status = try migrator.status()
      #expect(status.pending == ["inferred"])
      #expect(status.underWay?.cursor?.contains("/") == true)
      #expect(try migrator.drift() == [])
      #expect(prepared(location) != "0")
      try save(0, library)
      _ = try migrator.apply()
      #expect(try migrator.status().underWay == nil)
      #expect(try contents(location) == whole(OnlineCase.everything, saves: 1))
      #expect(prepared(location) == "0")
    }

    @Test func `what was made for another model is thrown away`() throws {
      let location = server.location()
      _ = try filled(location)
      try begin(OnlineCase.everything, location, parts: 4)
      let other = libraryModel().changed("Book", OnlineCase.index(["pages"]))
      _ = try Migrator(backend(location), target: other).apply(online: true)
      #expect(try contents(location) == whole(other, saves: 0))
      #expect(prepared(location) == "0")
    }

    @Test func `what was prepared is given up by a migration that has nothing to do`() throws {
      let location = server.location()
      let library = try filled(location)
      let before = try contents(location)
      try begin(OnlineCase.everything, location, parts: 4)
      #expect(prepared(location) != "0")
      let migrator = try Migrator(backend(location), target: libraryModel())
      #expect(try migrator.apply().isEmpty)
      #expect(try migrator.status().underWay == nil)
      #expect(prepared(location) == "0")
      #expect(try contents(location) == before)
      try save(0, library)
    }

    @Test func `a run that has lost its lock to another migration ends`() throws {
      let location = server.location()
      _ = try filled(location)
      var parts = 0
      let error = errorOf {
        _ = try Migrator(backend(location), target: OnlineCase.everything).apply(online: true) {
          guard case .prepared = $0 else { return }
          parts += 1
          guard parts == 2 else { return }
          // As a migration by another program leaves it.
          server.sql(
            "DELETE FROM \"\(location.schema)\"._oxbow_history WHERE event = 'progressed'")
        }
      }
      #expect(error?.code == .storeLocked)
      #expect(error?.message.contains("whose lock this one has lost") == true)
      #expect(parts == 2)
    }

    @Test func `values that a migration under way makes unique are those of another object`() throws
    {
      let location = server.location()
      let library = try filled(location)
      let model = libraryModel().changed("Book") { $0.uniquenessConstraints.append(["copies"]) }
      try begin(model, location, parts: 1)
      try library.save {
        $0.inserts = [try library.insert("Book", 70, ["copies": .integer(5)])]
      }
      let error = errorOf {
        try library.save {
          $0.inserts = [try library.insert("Book", 71, ["copies": .integer(5)])]
        }
      }
      #expect(error?.code == .uniquenessViolated, "\(error?.description ?? "none")")
    }

    @Test func `values that clash before their index is there refuse the step, which goes on`()
      throws
    {
      let location = server.location()
      let library = try filled(location)
      let model = libraryModel().changed("Book") {
        OnlineCase.index(["pages"])(&$0)
        $0.uniquenessConstraints.append(["copies"])
      }
      var hasClashed = false
      let error = errorOf {
        _ = try Migrator(backend(location), target: model).apply(online: true) {
          guard case .prepared = $0, !hasClashed else { return }
          hasClashed = true
          _ = errorOf {
            try library.save {
              $0.inserts = try (50...51).map {
                try library.insert("Book", $0, ["copies": .integer(1)])
              }
            }
          }
        }
      }
      #expect(error?.code == .migrationRefused, "\(error?.description ?? "none")")
      #expect(error?.message.contains("becomes unique") == true)
      #expect(server.sql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "0")
      try library.save {
        $0.inserts = [try library.insert("Book", 52, ["copies": .integer(1)])]
        $0.updates = [
          try library.update("Book", 50, 1, ["copies": .integer(2)]),
          try library.update("Book", 51, 1, ["copies": .integer(3)]),
        ]
      }
      let migrator = try Migrator(backend(location), target: model)
      #expect(try migrator.status().underWay?.cursor?.contains("1/") == true)
      _ = try migrator.apply(online: true)
      #expect(try migrator.drift() == [])
      #expect(prepared(location) == "0")
    }

    @Test func `an index that was left half made is removed and made again`() throws {
      let location = server.location()
      let library = try filled(location)
      let other = try OtherProgram(
        "UPDATE \"\(location.schema)\".\"Book\" SET \"pages\" = 1 WHERE \"_id\" = 1", on: server)
      let model = libraryModel().changed("Book", OnlineCase.index(["pages"]))
      let migration = try backend(location)
      let isHalfMade =
        "SELECT count(*) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
        + "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
        + "WHERE n.nspname = '\(location.schema)' AND NOT i.indisvalid"
      let making =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        + "AND query LIKE 'CREATE INDEX CONCURRENTLY%\"Book\"%' AND pid IN (SELECT pid FROM pg_locks "
        + "WHERE relation = '\"\(location.schema)\".\"Book\"'::regclass)"
      let killed = Beside {
        errorOf { _ = try Migrator(migration, target: model).apply(online: true) }
      }
      server.wait(until: making)
      // It waits for the other program, and those who save do not wait for it.
      try library.save { $0.inserts = [try library.insert("Book", 6)] }
      server.sql(making.replacing("count(*)", with: "pg_terminate_backend(pid)"))
      #expect(killed.result().flatMap(\.self) != nil)
      #expect(server.sql(isHalfMade) == "1")
      other.end()
      #expect(try Migrator(migration, target: nil).drift() == [])
      _ = try Migrator(migration, target: model).apply(online: true)
      #expect(server.sql(isHalfMade) == "0")
      #expect(try Migrator(migration, target: nil).drift() == [])
      #expect(prepared(location) == "0")
    }

    // MARK: With others

    @Test func `what triggers of others do late is in the values that are prepared`() throws {
      let location = server.location()
      let library = try filled(location)
      let schema = location.schema
      server.sql(
        """
        CREATE FUNCTION "\(schema)".late() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN NEW.pages := 500; RETURN NEW; END';
        CREATE TRIGGER "ändert" BEFORE INSERT OR UPDATE ON "\(schema)"."Book" FOR EACH ROW
          EXECUTE FUNCTION "\(schema)".late();
        """)
      let model = libraryModel().changed("Book", OnlineCase.wider)
      _ = try Migrator(backend(location), target: model).apply(online: true) {
        if case .prepared = $0 { _ = errorOf { try save(0, library) } }
      }
      let pages = server.sql("SELECT DISTINCT pages FROM \"\(schema)\".\"Book\"")
      #expect(pages == "500")
    }

    @Test func `many rows that a program copies meanwhile are those of a whole migration`() throws {
      func made(_ online: Bool) throws -> [String: TableContents] {
        let location = server.location()
        let library = try filled(location)
        if online { try begin(OnlineCase.everything, location, parts: 9) }
        try library.save {
          $0.inserts = try (1000...3100).map {
            try library.insert("Book", $0, ["copies": .integer($0), "pages": .integer($0)])
          }
        }
        let migration = try PostgresMigrationBackend(location, busyMilliseconds: 20_000)
        _ = try Migrator(migration, target: OnlineCase.everything)
          .apply(allowsLoss: true, online: online)
        return try contents(location)
      }
      #expect(try made(true) == made(false))
    }

    @Test func `a copy of a store that is migrated meanwhile has nothing of the model to come`()
      throws
    {
      let (location, other) = (server.location(), server.location())
      _ = try filled(location)
      try begin(OnlineCase.everything, location, parts: 6)
      let summary = try StoreCopy(from: .server(location), to: .server(other)).make()
      #expect(summary.migrations == 0)
      #expect(try Migrator(backend(other), target: nil).status().underWay == nil)
      for place in [location, other] {
        _ = try Migrator(backend(place), target: OnlineCase.everything).apply(online: true)
        #expect(prepared(place) == "0")
      }
      #expect(try contents(other) == contents(location))
    }

    @Test func `a history, and who works it off, go through a migration beside programs`() throws {
      let location = server.location()
      let options = PostgresStoreOptions(history: .values)
      let library = try PostgresLibrary(at: location, options: options)
      try library.save {
        $0.inserts = try (1...5).map { try library.insert("Book", $0) }
      }
      _ = try library.store.register("worker", at: .beginning)
      let place = try library.store.currentToken()
      let model = OnlineCase.everything
      var saves: Int64 = 0
      _ = try Migrator(backend(location), target: model).apply(online: true) {
        guard case .prepared = $0 else { return }
        saves += 1
        _ = errorOf {
          try library.save {
            $0.updates = [try library.update("Book", 1, saves, ["pages": .integer(saves)])]
          }
        }
      }
      #expect(errorOf { _ = try library.store.currentToken() }?.code == .storeWasMigrated)
      let newer = try PostgresLibrary(model, at: location, options: options)
      #expect(try newer.store.consumers().map(\.name) == ["worker"])
      var elements: [String] = []
      var token = place
      while let element = try newer.store.elements(after: token, HistoryBatchLimits()).first {
        switch element {
        case .saves(let all): elements += all.flatMap(\.changes).map { "\($0.changedProperties)" }
        default: elements.append("migrated")
        }
        token = try #require(element.token)
      }
      #expect(elements == Array(repeating: "[\"pages\"]", count: Int(saves)) + ["migrated"])
      try newer.save {
        $0.updates = [try newer.update("Book", 1, saves + 1, ["rank": .integer(1)])]
      }
      #expect(try newer.store.currentToken() != token)
    }

    @Test func `policies that hide rows from who migrates are named, and gone, the step goes on`()
      throws
    {
      let role = server.newSchema()
      server.sql(
        "CREATE ROLE \"\(role)\" LOGIN; CREATE SCHEMA \"\(role)\" AUTHORIZATION \"\(role)\"")
      let location = PostgresLocation(
        "host=\(server.folder) user='\(role)' dbname=postgres", schema: role)
      let library = try filled(location)
      let table = "\"\(role)\".\"Book\""
      server.sql(
        """
        ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
        ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
        CREATE POLICY small ON \(table) USING (_id < 3) WITH CHECK (_id < 900);
        """)
      let refused = errorOf { try library.save { $0.inserts = [try library.insert("Book", 901)] } }
      #expect(refused?.message.contains("a policy of a table") == true, "\(refused as Any)")
      for online in [true, false] {
        let error = errorOf {
          _ = try Migrator(backend(location), target: OnlineCase.everything).apply(online: online)
        }
        #expect(error?.message.contains("policies of a table") == true, "\(error as Any)")
      }
      server.sql("ALTER TABLE \(table) NO FORCE ROW LEVEL SECURITY")
      try save(0, library)
      _ = try Migrator(backend(location), target: OnlineCase.everything).apply(online: true)
      #expect(try contents(location) == whole(OnlineCase.everything, saves: 1))
    }

    // MARK: Beside others

    @Test func `a part that waits for a lock gives way to those behind it`() throws {
      let location = server.location()
      let library = try filled(location)
      let other = try OtherProgram(
        "SELECT * FROM \"\(location.schema)\".\"Book\"", on: server)
      let migration = try backend(location)
      let model = OnlineCase.everything
      let waiting =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' "
        + "AND relation = '\"\(location.schema)\".\"Book\"'::regclass"
      let migrating = Beside {
        errorOf { _ = try Migrator(migration, target: model).apply(online: true) }
      }
      server.wait(until: waiting)
      // This one comes behind it, and the other program still reads.
      try save(0, library)
      #expect(try library.keys("Book").count == 6)
      server.wait(until: "SELECT (\(waiting)) = 0")
      other.end()
      #expect(migrating.result().flatMap(\.self) == nil)
      #expect(try contents(location) == whole(model, saves: 1))
    }

    @Test func `values that are there twice refuse the step, and leave nothing`() throws {
      let location = server.location()
      let library = try filled(location)
      let model = libraryModel().changed("Book") { $0.uniquenessConstraints.append(["copies"]) }
      func twice(_ keys: ClosedRange<Int64>) throws {
        try library.save {
          $0.inserts = try keys.map { try library.insert("Book", $0, ["copies": .integer(1)]) }
        }
      }
      try twice(50...51)
      let early = errorOf { _ = try Migrator(backend(location), target: model).apply(online: true) }
      #expect(early?.message.contains("which becomes unique") == true)
      #expect(prepared(location) == "0")
      #expect(try library.keys("Book").count == 7)
    }

    // MARK: Refused

    @Test func `steps that cannot be made online are refused with what to do`() throws {
      let changes: [(ManagedObjectModel, String)] = [
        (
          libraryModel().changed("Book") { $0.attributes[2].isOptional = false },
          "which becomes required: programs may still save some"
        ),
        (
          libraryModel().changed("Book") {
            $0.attributes.append(AttributeDescription("size", .integer32))
          }, "is required and has no default value: programs may still save some"
        ),
        (
          libraryModel().changed("Book") { $0.attributes.removeAll { $0.name == "grade" } },
          "it would remove values of 'Book.grade', which programs may still save; allow the loss"
        ),
        (
          libraryModel().changed("Reader") {
            $0.attributes.append(AttributeDescription("code", .string, isOptional: true))
            $0.uniquenessConstraints.append(["code"])
          }, "values of some entities of 'Person' become unique"
        ),
        (
          libraryModel().changed("Book") { $0.relationships[0].isOrdered = false }
            .changed("Person") { $0.relationships[0].isOrdered = true },
          "depend on other rows"
        ),
      ]
      let location = server.location()
      _ = try filled(location)
      let before = try contents(location)
      for (model, words) in changes {
        let error = errorOf {
          _ = try Migrator(backend(location), target: model).apply(online: true)
        }
        #expect(error?.code == .migrationRefused)
        let text = "\(error.map(\.description) ?? "no error")"
        #expect(text.contains(words), "\(text)")
        #expect(text.contains("without --online"), "\(text)")
      }
      #expect(try contents(location) == before)
      #expect(prepared(location) == "0")
    }
  }
#endif
