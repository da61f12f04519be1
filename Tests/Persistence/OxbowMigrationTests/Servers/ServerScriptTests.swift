#if PostgreSQL
  import OxbowMigration
  import OxbowModel
  import OxbowTestSupport
  import Testing

  /// Scripts and steps in Swift over a server.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct ServerScriptTests {
    let lab: ServerLab

    init() throws {
      lab = try ServerLab()
      try lab.add(Models.first, "initial")
      _ = try lab.migrator().apply()
      try lab.run(Models.rows)
    }

    private var kinds: [String] {
      get throws { try lab.rows("SELECT \"name\", \"kind\" FROM \"File\" ORDER BY \"_id\"") }
    }

    @Test func `a script is cut as the server reads it`() throws {
      try lab.add(
        sql: """
          /* a comment /* in another; */ still; one */
          CREATE FUNCTION mark(f "File") RETURNS text LANGUAGE plpgsql AS $body$
            BEGIN
              -- COMMIT;
              RETURN f."name" || ';' || $$a;b$$;
            END $body$;
          CREATE FUNCTION two() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END;
          UPDATE "File" SET "kind" = mark("File") WHERE "_id" = 1;
          UPDATE "File" SET "kind" = E'it\\'s; -- so' WHERE "_id" = 2;
          UPDATE "File" SET "kind" = two()::text || 'x''y' WHERE "_id" = 3;
          DROP FUNCTION mark, two
          """)
      #expect(try lab.migrator().apply().count == 1)
      #expect(try kinds == ["'one'|'one;a;b'", "'two'|'it's; -- so'", "'three'|'2x'y'"])
    }

    @Test func `a script may let the server forget what is prepared`() throws {
      try lab.add(
        sql: """
          PREPARE kind AS UPDATE "File" SET "kind" = $1 WHERE "_id" = 1;
          EXECUTE kind('new');
          DEALLOCATE ALL;
          UPDATE "File" SET "kind" = 'old' WHERE "_id" = 2;
          """)
      #expect(try lab.migrator().apply().count == 1)
      #expect(try kinds == ["'one'|'new'", "'two'|'old'", "'three'|'x'"])
    }

    @Test(arguments: [
      ("COMMIT;", "COMMIT is not allowed: each script runs in one transaction"),
      ("begin;", "BEGIN is not allowed"), ("ROLLBACK TO x;", "SAVEPOINT, RELEASE and ROLLBACK TO"),
      ("PREPARE TRANSACTION 'x';", "PREPARE is not allowed"),
      ("SET search_path = pg_catalog;", "SET is not allowed"),
      ("DISCARD PLANS;", "DISCARD is not allowed"), ("RESET ALL;", "RESET is not allowed"),
      ("COPY \"File\" FROM STDIN;", "COPY is not allowed"),
      ("DELETE FROM _oxbow_history;", "'_oxbow_history' is Oxbow's own and may only be read"),
      ("TRUNCATE _oxbow_keys;", "'_oxbow_keys' is Oxbow's own"),
      ("ALTER TABLE _oxbow_metadata ADD COLUMN x int;", "'_oxbow_metadata' is Oxbow's own"),
      ("DROP TABLE _oxbow_sessions;", "'_oxbow_sessions' is Oxbow's own"),
      ("DO $$ BEGIN UPDATE _oxbow_metadata SET value = 'x'; END $$;", "'_oxbow_metadata' is"),
      ("DO $$ BEGIN COMMIT; END $$;", "2D000"), ("VACUUM;", "25001"),
      ("UPDATE \"File\" SET\n  \"knd\" = 1;", "0002_script.sql:4:3"),
      (
        "UPDATE \"File\" SET \"kind\" = hex(\"name\");",
        "; a script for a server is in PostgreSQL's SQL, not in SQLite's"
      ),
    ])
    func `what would break the step is refused with its place`(sql: String, text: String) throws {
      try lab.add(sql: "UPDATE \"File\" SET \"kind\" = 'y';\n" + sql)
      let message = lab.message { _ = try lab.migrator().apply() }
      #expect(message.contains(text), "\(message)")
      #expect(message.contains("0002_script.sql:"), "\(message)")
      #expect(try kinds == ["'one'|'text'", "'two'|NULL", "'three'|'x'"])
      #expect(try lab.migrator().status().pending.count == 1)
    }

    @Test func `a script that leaves a key that leads nowhere is rolled back`() throws {
      try lab.add(sql: "DELETE FROM \"Folder\" WHERE \"_id\" = 1;")
      #expect(
        lab.message { _ = try lab.migrator().apply() }.contains("references that lead nowhere"))
      #expect(try lab.rows("SELECT count(*) FROM \"Folder\"") == ["2"])
    }

    @Test func `what the model does not allow rolls a script back, if the script wrote it`() throws
    {
      let model = ManagedObjectModel(entities: [
        EntityDescription("P"),
        EntityDescription(
          "C", parent: "P", attributes: [AttributeDescription("need", .string)]),
        EntityDescription("Q", attributes: [AttributeDescription("a", .string, isOptional: true)]),
      ])
      let lab = try ServerLab()
      try lab.add(model, "initial")
      _ = try lab.migrator().apply()
      try lab.run("INSERT INTO \"P\" VALUES (1, 1, 2, NULL); INSERT INTO \"Q\" VALUES (1, 1, 'x');")
      try lab.add(sql: "UPDATE \"Q\" SET \"a\" = 'y';", "harmless")
      #expect(try lab.migrator().apply().count == 1)
      try lab.add(sql: "UPDATE \"P\" SET \"need\" = NULL;", "harmful")
      #expect(
        lab.message { _ = try lab.migrator().apply() }.contains(
          "objects without a value for 'C.need', which is required: 1"))
    }

    @Test func `a script that removes one half of a link is rolled back`() throws {
      let lab = try ServerLab()
      try lab.add(
        ManagedObjectModel(entities: [
          EntityDescription(
            "Tag",
            relationships: [
              RelationshipDescription("near", to: "Tag", inverse: "near", isToMany: true)
            ])
        ]))
      _ = try lab.migrator().apply()
      try lab.run(
        "INSERT INTO \"Tag\" VALUES (1, 1), (2, 1); INSERT INTO \"Tag_near\" VALUES (1, 2), (2, 1);"
      )
      try lab.add(sql: "DELETE FROM \"Tag_near\" WHERE \"owner\" = 1;")
      #expect(
        lab.message { _ = try lab.migrator().apply() }.contains(
          "links of 'Tag_near' without the one that leads back: 1 (2)"))
    }

    @Test func `a script takes itself back by its section`() throws {
      try lab.add(
        sql: """
          -- up
          UPDATE "File" SET "kind" = 'z';
          -- down
          UPDATE "File" SET "kind" = NULL;
          """)
      _ = try lab.migrator().apply()
      #expect(try kinds == ["'one'|'z'", "'two'|'z'", "'three'|'z'"])
      _ = try lab.migrator().undo()
      #expect(try kinds == ["'one'|NULL", "'two'|NULL", "'three'|NULL"])
    }

    // MARK: Steps in Swift

    private func addStep() throws {
      let sequence = try MigrationSequence(folder: lab.migrations)
      _ = try sequence.addCodeStep(named: "tidy", run: "swift run tool migrate apply")
    }

    @Test func `a step in Swift reads and writes rows by the names of the model`() throws {
      try addStep()
      let step = CodeStep.plain("tidy") { rows in
        let count = try rows.forEach("File") { file in
          guard case .integer(let size)? = try file.value("size") else { return }
          try file.setValue(.string("\(size)\u{0}"), for: "kind")
        }
        #expect(count == 3)
        #expect(try rows.insert("Folder", ["path": .string("/c")]) == 3)
        #expect(
          try rows.run(
            sql: "UPDATE \"Folder\" SET \"path\" = ? WHERE \"_id\" = ?", .string("/d?"),
            .integer(3)) == 1)
        #expect(
          try rows.select("SELECT \"path\" FROM \"Folder\" WHERE \"_id\" = 3") == [[.string("/d?")]]
        )
        if let file = try rows.object("File", key: 1) { try rows.link(file, "folder", to: 3) }
      }
      _ = try lab.migrator(code: [step]).apply()
      #expect(try kinds == ["'one'|'10\0'", "'two'|'20\0'", "'three'|'30\0'"])
      #expect(
        try lab.rows("SELECT \"folder\", \"_version\" FROM \"File\" ORDER BY \"_id\"") == [
          "3|3", "1|5", "2|2",
        ])
      #expect(
        try lab.rows(
          """
          SELECT k."last" FROM _oxbow_keys AS k JOIN _oxbow_entities AS e ON e."number" = k."root"
          WHERE e."name" = 'Folder'
          """) == ["3"])
    }

    @Test(arguments: [true, false])
    func `a step in Swift that goes on after an error is told of that error`(isLast: Bool) throws {
      try addStep()
      let step = CodeStep.plain("tidy") { rows in
        _ = try? rows.select("SELECT 1 / 0")
        if !isLast { try rows.run(sql: "UPDATE \"File\" SET \"kind\" = 'k'") }
      }
      let message = lab.message { _ = try lab.migrator(code: [step]).apply() }
      #expect(message.contains("division by zero\n  statement: SELECT 1 / 0\n"), "\(message)")
      #expect(message.contains("the step went on"), "\(message)")
    }

    @Test func `a step in Swift may not write what is Oxbow's own`() throws {
      try addStep()
      let step = CodeStep.plain("tidy") { rows in
        try rows.run(sql: "UPDATE _oxbow_keys SET last = 99")
      }
      #expect(
        lab.message { _ = try lab.migrator(code: [step]).apply() }.contains(
          "'_oxbow_keys' is Oxbow's own and may only be read; the step in Swift was rolled back"))
    }

    @Test func `a batched step that is cut off continues behind its last batch`() throws {
      try addStep()
      struct Stop: Error {}
      func step(stoppingAt stop: String?) -> CodeStep {
        CodeStep.batched("tidy", over: "File", size: 1) { file, _ in
          guard case .string(let name)? = try file.value("name") else { return }
          if name == stop { throw Stop() }
          try file.setValue(.string(name.uppercased()), for: "name")
        }
      }
      #expect(throws: PersistenceError.self) {
        try lab.migrator(code: [step(stoppingAt: "two")]).apply()
      }
      #expect(try kinds.map { $0.prefix(5) } == ["'ONE'", "'two'", "'thre"])
      _ = try lab.migrator(code: [step(stoppingAt: nil)]).apply()
      #expect(try kinds.map { $0.prefix(5) } == ["'ONE'", "'TWO'", "'THRE"])
    }
  }
#endif
