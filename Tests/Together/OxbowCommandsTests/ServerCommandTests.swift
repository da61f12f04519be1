#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowPostgres
  import OxbowRuntime
  import OxbowSQLite
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Commands on a store that is on a server.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct ServerCommandTests {
    let tool: Tool
    let store: String
    let schema: String

    init() throws {
      let server = try #require(TestServer.shared)
      tool = try Tool()
      schema = server.newSchema().replacing(" ", with: "_")
      let host = server.folder.replacing("/", with: "%2F")
      store = "postgres://oxbow:secret@\(host):5432/postgres?schema=\(schema)"
      try tool.folder.write(Documents.first, to: "one.xml")
      try tool.folder.write(Documents.second, to: "two.xml")
    }

    private func migrate(_ verb: String, _ more: String...) throws -> Tool.Output {
      try tool.run(["migrate", verb, "--store", store, "--migrations", "Migrations"] + more)
    }

    private func steps() throws {
      for (name, model) in [("initial", "one.xml"), ("more", "two.xml")] {
        let made = try tool.run(
          "migrate", "new", name, "--model", model, "--migrations", "Migrations")
        #expect(made.code == 0, "\(made.err)")
      }
    }

    @Test func `a store on a server is planned, migrated, verified and taken back`() throws {
      try steps()
      let apply = try migrate("apply", "--up-to", "1")
      #expect(apply.code == 0, "\(apply.err)")
      let plan = try migrate("plan")
      #expect(plan.out.contains("ALTER TABLE \"File\""), "\(plan.out)\(plan.err)")
      #expect(!plan.out.contains("secret") && !plan.err.contains("secret"))
      #expect(plan.err.contains("postgres://oxbow@"))
      let verify = try migrate("verify")
      #expect(verify.code == 0, "\(verify.out)\(verify.err)")
      #expect(try migrate("apply").code == 0)
      let status = try migrate("status")
      #expect(status.out.contains("nothing"), "\(status.out)")
      #expect(status.out.contains("postgres://oxbow@"))
      #expect(try migrate("drift").out == "the tables are those of the model\n")
      let undo = try migrate("undo", "--allow-loss")
      #expect(undo.code == 0, "\(undo.err)")
      let backup = try migrate("apply", "--backup", "copy.sqlite")
      #expect(backup.err.contains("make a copy with pg_dump"))
    }

    /// The first model, with an index for each attribute.
    private static let indexed = Documents.first.replacing(
      "</entity>",
      with: ["name", "size"].map {
        "<fetchIndex name=\"by_\($0)\"><fetchIndexElement property=\"\($0)\" type=\"Binary\" "
          + "order=\"ascending\"/></fetchIndex>"
      }.joined() + "</entity>")

    @Test func `a step that is applied online is planned, seen and ended`() throws {
      try tool.folder.write(Self.indexed, to: "two.xml")
      try steps()
      #expect(try migrate("apply", "--up-to", "1").code == 0)
      let plan = try migrate("plan", "--online")
      #expect(plan.out.contains("CREATE INDEX CONCURRENTLY \"_oxbow_next_1\""), "\(plan.err)")
      #expect(plan.out.contains("    -- SHARE UPDATE EXCLUSIVE, reads all rows"))
      #expect(plan.out.contains("    -- ACCESS EXCLUSIVE\n"))
      #expect(plan.err.contains("migrate apply --store") && plan.err.contains(" --online"))
      let isStopping = Mutex(false)
      let backend = try PostgresMigrationBackend(PostgresLocation(uri: store)) {
        isStopping.withLock { $0 }
      }
      let migrator = try Migrator(
        backend, folder: tool.folder.file("Migrations"), target: nil)
      #expect(throws: PersistenceError.self) {
        try migrator.apply(online: true) { progress in
          if case .prepared = progress { isStopping.withLock { $0 = true } }
        }
      }
      let status = try migrate("status").out
      #expect(status.contains("under way"), "\(status)")
      #expect(status.contains("1/2'; go on with 'migrate apply --online'"), "\(status)")
      let undo = try migrate("undo")
      #expect(undo.err.contains("is not over; finish it first"), "\(undo.err)")
      #expect(try migrate("apply", "--online").code == 0)
      #expect(try !migrate("status").out.contains("under way"))
      let file = try tool.run(
        "migrate", "apply", "--online", "--store", "a.sqlite", "--migrations", "Migrations")
      #expect(file.code == 0, "\(file.err)")
    }

    @Test func `a store on a server is described and asked`() throws {
      try steps()
      #expect(try migrate("apply", "--up-to", "1").code == 0)
      TestServer.shared?.sql(
        "INSERT INTO \(schema).\"File\" (_id, _version, name, size) VALUES (1, 1, 'one', 5)")
      let info = try tool.run("store", "info", store)
      #expect(info.out.contains("PostgreSQL 1"), "\(info.err)")
      #expect(info.out.contains("1 row"))
      #expect(!info.out.contains("secret"))
      let fetch = try tool.run("store", "fetch", store, "File", "size > 3", "--csv")
      #expect(fetch.out == "name,size\r\none,5\r\n", "\(fetch.err)")
      let missing = try tool.run("store", "info", store + "_2")
      #expect(missing.err.contains("there is no store at"))
    }

    @Test func `new saves are followed although the server is started anew`() throws {
      let own = try #require(TestServer())
      let host = own.folder.replacing("/", with: "%2F")
      let store = "postgres://oxbow@\(host):5432/postgres?schema=followed"
      let model = try ManagedObjectModel(contentsOf: [tool.folder.file("one.xml")])
      try PersistentStoreCoordinator(
        CompiledModel(model), at: PostgresLocation(uri: store), options: .init(history: .keys)
      ).close()
      let (process, out, _) = try tool.process(
        ["store", "history", store, "--follow", "--after", "0", "--json"])
      try process.run()
      var text = ""
      func save(_ author: String) throws {
        own.sql(
          """
          INSERT INTO followed._oxbow_saves (time, kind, author, inserted, updated, deleted, bytes)
            VALUES (0, 1, '\(author)', 0, 0, 0, 0)
          """)
        while !text.contains(author) {
          let data = out.fileHandleForReading.availableData
          try #require(!data.isEmpty, "the tool has ended")
          text += String(decoding: data, as: UTF8.self)
        }
      }
      try save("before")
      own.stop()
      #expect(own.restart())
      try save("after")
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    @Test func `a store in a file is copied to a server and back`() throws {
      try steps()
      let made = try tool.run(
        "migrate", "apply", "--store", "a.sqlite", "--migrations", "Migrations", "--up-to", "1")
      #expect(made.code == 0, "\(made.err)")
      let file = try Connection(
        path: tool.folder.file("a.sqlite"), configuration: .init(role: .sole))
      try file.run(
        "INSERT INTO File (_id, _version, name, size) VALUES (7, 2, 'o' || char(1), 5)")
      file.close()
      let out = try tool.run("store", "copy", "a.sqlite", store)
      #expect(out.code == 0, "\(out.err)")
      #expect(out.out.hasPrefix("copied 'a.sqlite' to 'postgres://oxbow@"))
      #expect(out.out.contains("': 1 object, 1 migration\n1 text with U+0000 to U+0003: other"))
      let info = try tool.run("store", "info", store)
      #expect(info.out.contains("applied"), "\(info.out)\(info.err)")
      let again = try tool.run("store", "copy", "a.sqlite", store)
      #expect(again.code == 69)
      #expect(again.err.contains("the schema has tables already"))
      #expect(!again.err.contains("secret"))
      let json = try tool.run("store", "copy", store, "b.sqlite", "--json")
      #expect(json.code == 0, "\(json.err)")
      let document = try JSONSerialization.jsonObject(with: Data(json.out.utf8))
      let result = (document as? [String: Any])?["result"] as? [String: Any]
      let fields = try #require(try CommandDocument().fields(of: "store copy"))
      let names = fields.map { $0.replacing("[]", with: "") }
      #expect(Set(result?.keys ?? [:].keys).subtracting(names) == [])
      #expect(result?["objects"] as? Int == 1)
      let exports = try ["a", "b"].map { try tool.run("store", "export", "\($0).sqlite").out }
      #expect(exports[0] == exports[1])
      let files = try tool.run("store", "copy", "a.sqlite", "c.sqlite")
      #expect(files.err.contains("'oxbowctl store backup'"))
    }

    @Test func `a program brings a store on a server to its model before it opens it`() throws {
      try steps()
      let folder = tool.folder.file("Migrations")
      let model = try ManagedObjectModel(contentsOf: [tool.folder.file("two.xml")])
      let location = PostgresLocation(uri: store)
      #expect(location.schema == schema)
      #expect(!location.connection.contains("schema"))
      #expect(try migrate("apply", "--up-to", "1").code == 0)
      let migrator = try Migrator(location, folder: folder, for: model)
      let refused = #expect(throws: PersistenceError.self) {
        try StoreMigrations(.requireUpToDate).prepare(migrator)
      }
      #expect(refused?.code == .modelMismatch)
      #expect(refused?.message.contains("--store 'postgres://") == true)
      try StoreMigrations(.automatic, allowsLoss: true).prepare(migrator)
      let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: location)
      coordinator.close()
    }
  }
#endif
