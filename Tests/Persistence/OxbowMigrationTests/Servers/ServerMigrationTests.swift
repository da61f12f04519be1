#if PostgreSQL
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowRelational
  import OxbowStore
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Migrations of a store on a server: what they leave behind, and what refuses them.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct ServerMigrationTests {
    let lab: ServerLab

    init() throws { lab = try ServerLab() }

    private func twoVersions() throws {
      try lab.add(Models.first, "initial")
      try lab.add(Models.second, "labels")
    }

    // MARK: Steps

    @Test func `a folder makes a store on a server and applies all its steps`() throws {
      try twoVersions()
      #expect(try lab.migrator().status().origin == .nothing)
      #expect(try lab.migrator().apply().map(\.id) == ["0001", "0002"])
      #expect(try lab.differences(from: Models.second) == [])
      let status = try lab.migrator().status()
      #expect(status.pending.isEmpty)
      #expect(status.origin == .history)
      #expect(status.history.first?.engine.hasPrefix("PostgreSQL 1") == true)
      #expect(try lab.migrator().apply().isEmpty)
      let store = try PostgresStore(CompiledModel(Models.second), at: lab.location)
      store.close()
    }

    private final class Flag: Sendable { let isSet = Mutex(false) }

    @Test func `what is prepared for a later step stays when only steps before it are asked for`()
      throws
    {
      try lab.add(Models.first, "initial")
      _ = try lab.migrator().apply()
      try lab.add(
        Models.first.changing("File") {
          $0.attributes.append(AttributeDescription("rank", .integer32, defaultValue: .integer(7)))
          $0.fetchIndexes.append(FetchIndexDescription("byRank", elements: [.init("rank")]))
        }, "rank")
      let flag = Flag()
      let backend = try PostgresMigrationBackend(
        lab.location, busyMilliseconds: 2000, interruption: { flag.isSet.withLock { $0 } })
      let migrator = try Migrator(backend, folder: lab.migrations, target: nil)
      #expect(throws: PersistenceError.self) {
        try migrator.apply(online: true) {
          if case .prepared = $0 { flag.isSet.withLock { $0 = true } }
        }
      }
      #expect(try lab.migrator().apply(upTo: 1).isEmpty)
      #expect(try lab.migrator().status().underWay != nil)
      #expect(try lab.migrator().apply(online: true).map(\.id) == ["0002"])
    }

    @Test func `a relationship is narrowed to an entity that is new`() throws {
      func model(_ people: [EntityDescription], owner: String) -> ManagedObjectModel {
        ManagedObjectModel(
          entities: people + [
            EntityDescription(
              "Book", relationships: [RelationshipDescription("owner", to: owner)])
          ])
      }
      let person = EntityDescription("Person")
      _ = try lab.infer(model([person], owner: "Person"))
      let narrow = model(
        [person, EntityDescription("Employee", parent: "Person")], owner: "Employee")
      _ = try lab.infer(narrow, allowsLoss: true)
      #expect(try lab.differences(from: narrow) == [])
    }

    @Test func `values that are unique among objects that there cannot be need no index`() throws {
      var abstract = EntityDescription(
        "Draft", parent: "Book", attributes: [AttributeDescription("code", .string)])
      (abstract.isAbstract, abstract.uniquenessConstraints) = (true, [["code"]])
      let model = ManagedObjectModel(entities: [EntityDescription("Book"), abstract])
      _ = try lab.infer(model)
      #expect(try lab.differences(from: model) == [])
    }

    @Test func `a rename keeps its data, and a new attribute has its default`() throws {
      try twoVersions()
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(Models.rows)
      let plan = try lab.migrator().plan()
      let step = try #require(plan.steps.first)
      #expect(
        step.operations.map(\.kind) == [
          .alter, .rename, .alter, .alter, .create, .create, .index, .alter,
        ])
      #expect(
        step.operations[0].statements == [
          "LOCK TABLE \"File\", \"Folder\" IN ACCESS EXCLUSIVE MODE"
        ])
      #expect(
        step.operations[2].statements == [
          "ALTER TABLE \"File\" ADD COLUMN \"rank\" int4 DEFAULT CAST('7' AS int4) NOT NULL"
        ])
      #expect(
        step.operations[3].statements == [
          "ALTER TABLE \"File\" ALTER COLUMN \"rank\" DROP DEFAULT"
        ])
      _ = try lab.migrator().apply()
      #expect(
        try lab.rows(
          "SELECT \"_id\", \"_version\", \"name\", \"byteCount\", \"kind\", \"folder\", \"rank\" "
            + "FROM \"File\" ORDER BY 1") == [
            "1|1|'one'|10|'text'|1|7", "2|4|'two'|20|NULL|1|7", "3|1|'three'|30|'x'|2|7",
          ])
    }

    private static func values(
      _ types: [(String, AttributeType)], isOptional: Bool = true
    ) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          "V",
          attributes: types.map { AttributeDescription($0.0, $0.1, isOptional: isOptional) })
      ])
    }

    @Test func `values of every type are converted as in a file`() throws {
      let pairs: [(AttributeType, AttributeType, value: String, result: String)] = [
        (.integer16, .integer32, "7", "7"), (.integer64, .integer16, "-7", "-7"),
        (.boolean, .integer16, "true", "1"), (.boolean, .integer64, "false", "0"),
        (.integer32, .boolean, "1", "1"), (.boolean, .double, "true", "1.0"),
        (.integer64, .double, "9007199254740992", "9007199254740992.0"),
        (.integer16, .decimal, "12", "'12'"), (.integer64, .string, "-12", "'-12'"),
        (.decimal, .string, "1.5", "'1.5'"), (.float, .double, "0.5", "0.5"),
        (.uri, .string, "'a:b'", "'a:b'"),
        (
          .uuid, .string, "'00112233-4455-6677-8899-aabbccddeeff'",
          "'00112233-4455-6677-8899-AABBCCDDEEFF'"
        ),
        (
          .uuid, .binaryData, "'00112233-4455-6677-8899-aabbccddeeff'",
          "x'00112233445566778899aabbccddeeff'"
        ),
      ]
      let names = pairs.indices.map { "a\($0)" }
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      let before = Self.values(zip(names, pairs).map { ($0, $1.0) })
      let after = Self.values(zip(names, pairs).map { ($0, $1.1) })
      try lab.fill(
        before,
        "INSERT INTO \"V\" (\"_id\", \"_version\", \(list)) "
          + "VALUES (1, 1, \(pairs.map(\.value).joined(separator: ", "))); INSERT INTO \"V\" (\"_id\", \"_version\") VALUES (2, 1);"
      )
      _ = try lab.infer(after)
      #expect(try lab.differences(from: after) == [])
      #expect(
        try lab.rows("SELECT \(list) FROM \"V\" ORDER BY \"_id\"") == [
          pairs.map(\.result).joined(separator: "|"),
          pairs.map { _ in "NULL" }.joined(separator: "|"),
        ])
    }

    @Test func `a number that would be rounded is counted, and refuses the step`() throws {
      try lab.fill(
        Self.values([("a", .integer64)]),
        "INSERT INTO \"V\" VALUES (1, 1, 9007199254740993), (2, 1, 9223372036854775807), (3, 1, 5);"
      )
      #expect(
        lab.message { _ = try lab.infer(Self.values([("a", .double)])) }.contains(
          "would be rounded as Double: 2"))
    }

    @Test func `a missing value gets the default of an attribute that becomes required`() throws {
      try lab.fill(
        Self.values([("a", .boolean), ("b", .string)]),
        "INSERT INTO \"V\" VALUES (1, 1, NULL, NULL), (2, 1, true, 'x');")
      let after = ManagedObjectModel(entities: [
        EntityDescription(
          "V",
          attributes: [
            AttributeDescription("a", .boolean, defaultValue: .boolean(false)),
            AttributeDescription("b", .string, defaultValue: .string("it's \\ 'so'")),
          ], uniquenessConstraints: [["b"]])
      ])
      _ = try lab.infer(after)
      #expect(
        try lab.rows("SELECT * FROM \"V\" ORDER BY 1") == [
          "1|1|0|'it's \\ 'so''", "2|1|1|'x'",
        ])
      #expect(try lab.differences(from: after) == [])
    }

    @Test func `values that become unique are looked at before`() throws {
      try lab.fill(
        Self.values([("a", .string)]), "INSERT INTO \"V\" VALUES (1, 1, 'x'), (2, 1, 'x');")
      let after = ManagedObjectModel(entities: [
        EntityDescription(
          "V", attributes: [AttributeDescription("a", .string, isOptional: true)],
          uniquenessConstraints: [["a"]])
      ])
      #expect(
        lab.message { _ = try lab.infer(after) }.contains(
          "groups of objects of 'V' with the same 'a', which becomes unique: 1"))
      #expect(try lab.differences(from: Self.values([("a", .string)])) == [])
    }

    @Test func `long names are cut as the store cuts them`() throws {
      let long = String(repeating: "é", count: 60)
      let model = Self.values([(long, .integer16), (long + "2", .string)])
      try lab.fill(model, "INSERT INTO \"V\" VALUES (1, 1, 3, 'x');")
      let after = Self.values([(long, .integer64), (long + "3", .string)])
      _ = try lab.infer(after, allowsLoss: true)
      #expect(try lab.differences(from: after) == [])
    }

    // MARK: Links and levels

    @Test(arguments: 0..<40)
    func `links follow their pair (review M3, M4)`(seed: Int) throws {
      try LinkPropertyTests.check(PairChange(seed), lab)
    }

    @Test(arguments: 0..<25)
    func `values follow the properties that an entity has (review M2, M22)`(seed: Int) throws {
      try AttributePropertyTests.check(LevelChange(seed), lab)
    }

    // MARK: Back and aside

    @Test func `a step is taken back, and what it would lose is refused`() throws {
      try twoVersions()
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(Models.rows)
      let before = try lab.rows("SELECT * FROM \"File\" ORDER BY 1")
      _ = try lab.migrator().apply()
      #expect(lab.message { _ = try lab.migrator().undo() }.contains("'File.rank': 3"))
      #expect(try lab.migrator().undo(allowsLoss: true).id == "0002")
      #expect(try lab.rows("SELECT * FROM \"File\" ORDER BY 1").count == before.count)
      #expect(try lab.differences(from: Models.first) == [])
    }

    @Test func `steps are verified in a schema beside, which goes`() throws {
      try twoVersions()
      try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'x';", "fill")
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(Models.rows)
      let steps = try lab.backend().withCopy { copy in
        try Migrator(copy, folder: lab.migrations, target: nil).verify()
      }
      #expect(steps.map(\.outcome) == [.proved, .irreversible])
      #expect(try lab.migrator().status().pending.count == 2)
      #expect(
        try lab.rows(
          "SELECT count(*) FROM pg_namespace WHERE starts_with(nspname, 'oxbow copy')") == ["0"])
    }

    private final class Stop: Sendable { let isAsked = Atomic(false) }

    @Test func `a step that is prepared beside programs is verified as it would be before`() throws
    {
      try lab.add(Models.first, "initial")
      _ = try lab.migrator().apply()
      try lab.run(Models.rows)
      let indexes = ["size", "kind"].map { FetchIndexDescription("by\($0)", elements: [.init($0)]) }
      try lab.add(Models.first.changing("File") { $0.fetchIndexes += indexes }, "indexes")
      let stop = Stop()
      let stopping = try PostgresMigrationBackend(lab.location) {
        stop.isAsked.load(ordering: .relaxed)
      }
      let migrator = try Migrator(stopping, folder: lab.migrations, target: nil)
      let stopped = #expect(throws: PersistenceError.self) {
        _ = try migrator.apply(online: true) {
          if case .prepared = $0 { stop.isAsked.store(true, ordering: .relaxed) }
        }
      }
      #expect(stopped?.code == .interrupted)
      let steps = try lab.backend().withCopy { copy in
        try Migrator(copy, folder: lab.migrations, target: nil).verify()
      }
      #expect(steps.map(\.outcome) == [.proved], "\(steps.flatMap(\.details))")
      #expect(try lab.migrator().status().underWay?.cursor?.contains("1/2") == true)
      #expect(try lab.migrator().apply(online: true).map(\.id) == ["0002"])
    }

    @Test func `what others change in the tables is drift, and stops the next step`() throws {
      try twoVersions()
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(
        """
        ALTER TABLE "File" ADD COLUMN "more" text;
        ALTER TABLE "File" ALTER COLUMN "size" TYPE int4;
        ALTER TABLE "File" ALTER COLUMN "name" DROP NOT NULL;
        DROP INDEX "File_byName";
        CREATE INDEX "File_byName" ON "File" ("name");
        ALTER TABLE "Folder" DROP CONSTRAINT "Folder_path_unique";
        """)
      let drift = try lab.migrator().drift()
      #expect(
        drift == [
          "table 'File': the column 'name' is not declared NOT NULL",
          "table 'File': the column 'size' is integer of 32 bits, not INTEGER",
          "table 'File': the column 'more' is one too many",
          "table 'File': the index 'File_byName' is another one",
          "table 'Folder': the index 'Folder_path_unique' is missing",
        ])
      #expect(lab.message { _ = try lab.migrator().apply() }.contains("cannot start"))
    }

    @Test func `a name that something else has is refused`() throws {
      try twoVersions()
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run("CREATE VIEW \"Label\" AS SELECT 1;")
      #expect(
        lab.message { _ = try lab.migrator().apply() }.contains(
          "the name 'Label' of a new table is that of the view 'Label', which is not Oxbow's"))
    }

    @Test func `views of others that need a column refuse the step that removes it`() throws {
      try lab.add(Models.first, "initial")
      try lab.add(Models.first.changing("File") { $0.attributes.remove(at: 2) }, "less")
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run("CREATE VIEW kinds AS SELECT \"kind\" FROM \"File\";")
      #expect(lab.message { _ = try lab.migrator().apply() }.contains("views, triggers"))
      #expect(try lab.differences(from: Models.first) == [])
    }

    @Test func `a view of others refuses the step that changes the type of its column`() throws {
      let narrow = Models.first.changing("File") {
        $0.attributes[1] = AttributeDescription("size", .integer32)
      }
      try lab.fill(narrow, Models.rows)
      try lab.run("CREATE VIEW sizes AS SELECT \"size\" FROM \"File\";")
      #expect(lab.message { _ = try lab.infer(Models.first) }.contains("views, triggers"))
      #expect(try lab.differences(from: narrow) == [])
    }

    @Test func `what a role has set changes no value that a step in Swift reads`() throws {
      let server = try #require(TestServer.shared)
      let role = lab.location.schema
      server.sql(
        """
        CREATE ROLE "\(role)" SUPERUSER LOGIN;
        ALTER ROLE "\(role)" SET bytea_output = 'escape';
        ALTER ROLE "\(role)" SET extra_float_digits = -5;
        ALTER ROLE "\(role)" SET statement_timeout = '1s';
        ALTER ROLE "\(role)" SET standard_conforming_strings = off;
        """)
      defer { server.sql("DROP OWNED BY \"\(role)\" CASCADE; DROP ROLE \"\(role)\"") }
      let location = PostgresLocation(
        "host=\(server.folder) port=5432 user='\(role)' dbname=postgres", schema: role)
      let model = ManagedObjectModel(entities: [
        EntityDescription(
          "Item",
          attributes: [
            AttributeDescription("data", .binaryData), AttributeDescription("weight", .double),
          ])
      ])
      let backend = try PostgresMigrationBackend(location)
      _ = try Migrator(backend, target: model).apply()
      let found = try backend.exclusively { session in
        try session.transaction { store in
          var found: [[SQLValue]] = []
          _ = try store.edit { rows in
            _ = try rows.run(
              #"INSERT INTO "Item" ("_id", "_version", "data", "weight") VALUES (1, 1, ?, ?)"#,
              [.blob(Array("hello\\".utf8)), .real(0.1 + 0.2)])
            found = try rows.rows(#"SELECT "data", "weight" FROM "Item""#, [])
          }
          return found
        }
      }
      #expect(found == [[.blob(Array("hello\\".utf8)), .real(0.1 + 0.2)]])
    }

    // MARK: Others

    @Test func `a role that may not make a schema is refused, and so is one that reads`() throws {
      let server = try #require(TestServer.shared)
      server.sql("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN;")
      let connection = "host=\(server.folder) port=5432 user=guest dbname=postgres"
      func guest() throws -> Migrator {
        try Migrator(
          PostgresMigrationBackend(PostgresLocation(connection, schema: lab.location.schema)),
          target: Models.first)
      }
      let making = #expect(throws: PersistenceError.self) { try guest().apply() }
      #expect(making?.code == .storeReadOnly)
      #expect(making?.message.contains("the role of the connection may not do this") == true)
      _ = try lab.infer(Self.values([("a", .string)]))
      let schema = "\"\(lab.location.schema)\""
      server.sql(
        "GRANT USAGE ON SCHEMA \(schema) TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) "
          + "TO guest;")
      #expect(try guest().drift() == [])
      let changing = #expect(throws: PersistenceError.self) { try guest().apply() }
      #expect(changing?.code == .storeReadOnly)
      #expect(try lab.differences(from: Self.values([("a", .string)])) == [])
    }

    @Test func `who may use a store may use what a migration makes in it`() throws {
      let server = try #require(TestServer.shared)
      try twoVersions()
      try lab.add(sql: "CREATE TABLE own (a int8 GENERATED BY DEFAULT AS IDENTITY);", "own")
      _ = try lab.migrator().apply(upTo: 1)
      let schema = "\"\(lab.location.schema)\""
      let (saver, reader) = ("\(lab.location.schema) saver", "\(lab.location.schema) reader")
      server.sql(
        """
        CREATE ROLE "\(saver)" LOGIN;
        CREATE ROLE "\(reader)" LOGIN;
        GRANT USAGE ON SCHEMA \(schema) TO "\(saver)", "\(reader)";
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO "\(saver)";
        GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO "\(reader)";
        """)
      _ = try lab.migrator().apply()
      let rights = try lab.rows(
        "SELECT c.relname, string_agg(DISTINCT split_part(pg_get_userbyid(a.grantee), ' ', 3) || ' ' "
          + "|| a.privilege_type, ', ') FROM pg_class AS c, aclexplode(c.relacl) AS a "
          + "WHERE c.relnamespace = '\(schema)'::regnamespace AND c.relkind IN ('r', 'S') "
          + "AND c.relname IN ('Label', 'File_labels', '_oxbow_history', 'own', 'own_a_seq') "
          + "AND pg_get_userbyid(a.grantee) <> current_user GROUP BY 1 ORDER BY 1")
      let both = "reader SELECT, saver DELETE, saver INSERT, saver SELECT, saver UPDATE"
      #expect(
        rights == ["File_labels", "Label", "_oxbow_history", "own"].map { "'\($0)'|'\(both)'" }
          + ["'own_a_seq'|'saver USAGE'"])
    }

    @Test func `two migrators at once apply each step once`() async throws {
      try twoVersions()
      for number in 3...6 {
        try lab.add(sql: "UPDATE \"File\" SET \"rank\" = \"rank\" + 1;", "add\(number)")
      }
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(Models.rows)
      let lab = lab
      let applied = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<3 { group.addTask { try lab.migrator(wait: 30_000).apply().count } }
        return try await group.reduce(0, +)
      }
      #expect(applied == 5)
      #expect(try lab.rows("SELECT DISTINCT \"rank\" FROM \"File\"") == ["11"])
    }

    @Test func `a migration that waits too long names who migrates`() throws {
      try lab.add(Models.first)
      let error = try lab.backend().exclusively { _ in
        #expect(throws: PersistenceError.self) { try lab.migrator(wait: 200).apply() }
      }
      #expect(error?.code == .storeLocked)
      #expect(error?.details.first?.text.contains("of 'oxbow migration' at") == true)
    }

    @Test func `a long reader makes a migration wait, and is named`() throws {
      try twoVersions()
      _ = try lab.migrator().apply(upTo: 1)
      let reading = try lab.backend().read { store in
        _ = try store.rowCount(of: "File")
        return #expect(throws: PersistenceError.self) { try lab.migrator(wait: 300).apply() }
      }
      #expect(reading?.code == .storeLocked)
      #expect(reading?.details.contains { $0.text.contains("idle in transaction") } == true)
      #expect(try lab.migrator().apply().count == 1)
    }
  }
#endif
