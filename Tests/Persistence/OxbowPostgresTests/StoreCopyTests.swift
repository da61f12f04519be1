#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowRelational
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// A store in a file is copied to a server and back, and is the same store there.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct StoreCopyTests {
    let server: TestServer
    let folder: TemporaryFolder
    let location: PostgresLocation

    init() throws {
      server = try #require(TestServer.shared)
      folder = try TemporaryFolder()
      location = server.location()
    }

    // MARK: One of everything

    private static let long = String(repeating: "é", count: 60)

    private static let model: ManagedObjectModel = {
      var item = EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("title", .string, isOptional: true, search: .words),
          AttributeDescription("small", .integer16, isOptional: true),
          AttributeDescription("number", .integer32, isOptional: true),
          AttributeDescription("large", .integer64, isOptional: true),
          AttributeDescription("price", .decimal, isOptional: true),
          AttributeDescription("weight", .double, isOptional: true),
          AttributeDescription("factor", .float, isOptional: true),
          AttributeDescription("isLent", .boolean, isOptional: true),
          AttributeDescription("printed", .date, isOptional: true),
          AttributeDescription("cover", .binaryData, isOptional: true),
          AttributeDescription(
            "scan", .binaryData, isOptional: true, allowsExternalStorage: true),
          AttributeDescription("code", .uuid, isOptional: true),
          AttributeDescription("page", .uri, isOptional: true),
          AttributeDescription("shape", .transformable, isOptional: true),
          AttributeDescription(
            composite: "place", of: "Place", isOptional: true,
            elements: [
              AttributeDescription("x", .double, isOptional: true),
              AttributeDescription("y", .double, isOptional: true),
            ]),
          AttributeDescription("low", .double, isOptional: true),
          AttributeDescription("high", .double, isOptional: true),
          AttributeDescription(long, .string, isOptional: true),
          AttributeDescription("upper", .string, isOptional: true, derivation: "uppercase:(title)"),
        ],
        relationships: [
          RelationshipDescription("shelf", to: "Shelf", inverse: "items"),
          RelationshipDescription("next", to: "Item", inverse: "previous"),
          RelationshipDescription("previous", to: "Item", inverse: "next"),
          RelationshipDescription(
            "tags", to: "Tag", inverse: "items", isToMany: true, isOrdered: true),
          RelationshipDescription("related", to: "Item", isToMany: true),
        ], uniquenessConstraints: [["code"]])
      item.fetchIndexes = [FetchIndexDescription("byPlace", rTree: "low", "high")]
      return ManagedObjectModel(entities: [
        item,
        EntityDescription(
          "Book", parent: "Item",
          attributes: [AttributeDescription("isbn", .string, isOptional: true)],
          uniquenessConstraints: [["isbn"]]),
        EntityDescription(
          "Shelf",
          attributes: [AttributeDescription("count", .integer64, derivation: "items.@count")],
          relationships: [
            RelationshipDescription(
              "items", to: "Item", inverse: "shelf", isToMany: true, isOrdered: true)
          ]),
        EntityDescription(
          "Tag", attributes: [AttributeDescription("label", .string)],
          relationships: [
            RelationshipDescription(
              "items", to: "Item", inverse: "tags", isToMany: true, isOrdered: true)
          ]),
      ])
    }()

    private func file(
      _ name: String, _ model: ManagedObjectModel = model,
      options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> StoreLibrary<SQLiteStore> {
      StoreLibrary(
        try SQLiteStore(CompiledModel(model), at: .file(folder.file(name)), options: options))
    }

    private func onServer(
      _ model: ManagedObjectModel = model, at location: PostgresLocation? = nil
    ) throws -> PostgresLibrary {
      try PostgresLibrary(
        model, at: location ?? self.location, options: PostgresStoreOptions(createsStore: false))
    }

    private func fileLines(_ name: String) throws -> [String] {
      let library = try file(name)
      return try withExtendedLifetime(library) { try lines(of: library.store) }
    }

    private func serverLines(_ location: PostgresLocation? = nil) throws -> [String] {
      let library = try onServer(at: location)
      return try withExtendedLifetime(library) { try lines(of: library.store) }
    }

    private func place(_ name: String) -> StoreCopy.Place {
      StoreCopy.Place(SQLiteCopyEngine(folder.file(name)))
    }

    @discardableResult
    private func copyOut(
      _ name: String = "a.sqlite", to location: PostgresLocation? = nil
    ) throws -> StoreCopy.Summary {
      try StoreCopy(from: place(name), to: .server(location ?? self.location)).make()
    }

    @discardableResult
    private func copyBack(_ name: String = "b.sqlite") throws -> StoreCopy.Summary {
      try StoreCopy(from: .server(location), to: place(name)).make()
    }

    private static func values(_ number: Int) -> [String: AttributeValue] {
      let bytes = Data((0..<(number * 7)).map { UInt8(truncatingIfNeeded: $0) })
      return [
        "title": .string("Ä\u{0}\u{1}\u{3} \u{10FFFF} \(number)"),
        "small": .integer(number % 2 == 0 ? 32_767 : -32_768), "number": .integer(-5),
        "large": .integer(number % 2 == 0 ? .max : .min),
        "price": .decimal(Decimal(string: "-1234567890.0123456789012345678") ?? 0),
        "weight": .double(number % 3 == 0 ? .infinity : -1e-300), "factor": .double(0.1),
        "isLent": .boolean(number % 2 == 0),
        "printed": .date(Date(timeIntervalSinceReferenceDate: -63_113_904_000.25)),
        "cover": .data(bytes), "scan": .data(Data(repeating: 9, count: 60_000 * number)),
        "code": .uuid(UUID()), "shape": .data(Data("{\"a\":1}".utf8)),
        "page": URL(string: "https://example.org/ä?\(number)").map { .url($0) } ?? .integer(0),
        "place.x": .double(2.5), "place.y": .double(4), "low": .double(1), "high": .double(2),
        long: .string("long"),
      ]
    }

    private func fill(_ library: StoreLibrary<SQLiteStore>) throws {
      try library.save { changes in
        changes.inserts = try (1...4).map { number in
          try library.insert(
            number % 2 == 0 ? "Book" : "Item", Int64(10 * number), Self.values(number))
        }
        changes.inserts += [try library.insert("Book", 50), try library.insert("Shelf", 1)]
        changes.inserts += try (1...3).map { try library.insert("Tag", $0) }
        changes.links = [
          try library.link(("Item", 10), "next", ("Book", 20)),
          try library.link(("Item", 10), "related", ("Item", 10)),
          try library.link(("Item", 30), "related", ("Book", 20)),
        ]
        for (index, key) in [30, 10, 50].enumerated() {
          changes.links.append(
            try library.link(
              (key == 50 ? "Book" : "Item", Int64(key)), "shelf", ("Shelf", 1),
              ownerAt: Int64(index * 5)))
        }
        for (item, tag, at, back) in [(10, 3, 1, 7), (10, 1, 2, 5), (30, 3, 9, 2)] {
          changes.links.append(
            try library.link(
              ("Item", Int64(item)), "tags", ("Tag", Int64(tag)), at: Int64(at),
              ownerAt: Int64(back)))
        }
        changes.metadata = [
          .init("a", .string("x\u{0}")), .init("b", .integer(.max)),
          .init("c", .data(Data([0, 1]))), .init("d", .double(0.1)),
        ]
      }
      try library.save { changes in
        changes.updates = [try library.update("Item", 30, 1, ["title": .string("new")])]
      }
    }

    private static func metadata(_ store: any PersistentStore) throws -> [String] {
      try zip(["a", "b", "c", "d"], [AttributeType.string, .integer64, .binaryData, .double]).map {
        "\(try store.metadata($0, $1).map { "\($0)" } ?? "none")"
      } + store.metadataKeys()
    }

    @Test func `a store with one of everything is the same on a server, and back in a file`() throws
    {
      let first = try file("a.sqlite", options: SQLiteStoreOptions(history: .values))
      try fill(first)
      let reserved = try first.store.reserveKeys(root: first.entity("Tag").index, count: 500)
      let out = try copyOut()
      #expect(out.objects == 9)
      #expect(out.links == 5)
      #expect(out.files == 3)
      #expect(out.encodedTexts == 6)
      #expect(out.historySaves == 2)
      #expect((out.searchIndexes, out.boxIndexes) == (1, 1))
      #expect(out.otherTables == [])
      let second = try onServer()
      let back = try copyBack()
      #expect((back.files, back.historySaves) == (3, nil))
      #expect((back.objects, back.links, back.searchIndexes) == (9, 5, 0))
      let third = try file("b.sqlite")
      let expected = try lines(of: first.store)
      #expect(try lines(of: second.store) == expected)
      #expect(try lines(of: third.store) == expected)
      let stores: [any PersistentStore] = [first.store, second.store, third.store]
      #expect(Set(stores.map(\.identifier)).count == 1)
      #expect(Set(try stores.map { try Self.metadata($0) }).count == 1)
      #expect(try Self.metadata(third.store)[1] == "9223372036854775807")
      for store in stores {
        let keys = try store.reserveKeys(root: first.entity("Tag").index, count: 1)
        #expect(keys.lowerBound >= reserved.upperBound)
      }
      #expect(SQLiteStoreFile(folder.file("b.sqlite")).path.hasSuffix("b.sqlite"))
      #expect(try SQLiteStoreFile(folder.file("b.sqlite")).check() == [])
      #expect(try Set(Self.cells(place("a.sqlite"))) == Set(Self.cells(place("b.sqlite"))))
    }

    /// The rows of all tables, as a copy reads them.
    private static func cells(_ place: StoreCopy.Place) throws -> [String] {
      try place.engine.read { source in
        var cells: [String] = []
        let tables = source.contents.mapping(in: SQLiteDialect()).copiedTables
        for (index, table) in tables.enumerated() {
          try source.rows(of: index) { cells.append("\(table.name) \($0)") }
        }
        return cells
      }
    }

    @Test func `both stores go on: objects, unique values, and derived values`() throws {
      let first = try file("a.sqlite")
      try fill(first)
      try copyOut()
      let second = try onServer()
      let code = Self.values(1)["code"]
      try second.save { changes in
        changes.inserts = [try second.insert("Item", 1000, ["code": code ?? .integer(0)])]
        changes.links = [
          try second.link(("Item", 1000), "shelf", ("Shelf", 1), ownerAt: 100)
        ]
      }
      #expect(try second.only("Shelf", 1)["count"] == "4")
      #expect(try second.related("Shelf", "items", [1]) == [1: [30, 10, 50, 1000]])
      let again = errorOf {
        try second.save {
          $0.inserts = [try second.insert("Book", 1001, ["code": code ?? .integer(0)])]
        }
      }
      #expect(again?.code == .uniquenessViolated)
      let gone = errorOf { try second.save { $0.deletes = [try second.delete("Shelf", 1)] } }
      #expect(gone != nil)
    }

    @Test func `the list of migrations comes along, and the next step is applied to both`() throws {
      try folder.write("", to: "M/.keep")
      let steps = folder.file("M")
      _ = try MigrationSequence(folder: steps).addModelStep(named: "first", to: Self.model)
      let files = SQLiteMigrationBackend(path: folder.file("a.sqlite"))
      _ = try Migrator(files, folder: steps, target: nil).apply()
      #expect(try copyOut().migrations == 1)
      let copy = try PostgresMigrationBackend(location)
      #expect(try copy.state()?.history == files.state()?.history)
      let newer = ManagedObjectModel(
        entities: Self.model.entities.map { entity in
          var entity = entity
          guard entity.name == "Tag" else { return entity }
          entity.attributes.append(
            AttributeDescription("rank", .integer16, defaultValue: .integer(3)))
          return entity
        })
      _ = try MigrationSequence(folder: steps).addModelStep(named: "rank", to: newer)
      for backend in [files, copy] as [any MigrationBackend & Sendable] {
        let migrator = try Migrator(backend, folder: steps, target: nil)
        #expect(try migrator.status().pending.count == 1)
        #expect(try migrator.apply().map(\.id) == ["0002"])
        #expect(try migrator.drift() == [])
      }
    }

    @Test func `a store on a server is copied into another schema`() throws {
      try fill(file("a.sqlite"))
      try copyOut()
      let other = server.location()
      server.sql("CREATE TABLE \"\(location.schema)\".guest (n int)")
      let summary = try StoreCopy(from: .server(location), to: .server(other)).make()
      #expect(summary.otherTables == ["guest"])
      #expect(try serverLines(other) == serverLines())
      #expect(try Migrator(PostgresMigrationBackend(other), target: nil).drift() == [])
    }

    @Test func `a copy that waited for a migration has the rows that it wrote anew`() throws {
      try fill(file("a.sqlite"))
      try copyOut()
      let before = try serverLines()
      let schema = location.schema
      let isWaiting =
        "SELECT count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation "
        + "WHERE NOT l.granted AND c.relnamespace = '\"\(schema)\"'::regnamespace"
      let migration =
        "BEGIN; LOCK TABLE \"\(schema)\".\"_oxbow_metadata\" IN ACCESS EXCLUSIVE MODE; "
        + "DO $$ BEGIN WHILE (\(isWaiting)) = 0 LOOP PERFORM pg_sleep(0.01); END LOOP; END $$; "
        + "ALTER TABLE \"\(schema)\".\"Item\" ALTER COLUMN \"title\" TYPE text "
        + "COLLATE \"C\" USING \"title\" || ''; COMMIT"
      let server = server
      let migrating = Beside { _ = server.sql(migration) }
      server.wait(until: isWaiting.replacing("NOT l.granted", with: "l.mode LIKE 'AccessExcl%'"))
      try StoreCopy(from: .server(location), to: place("b.sqlite")).make()
      migrating.result()
      #expect(try fileLines("b.sqlite") == before)
    }

    // MARK: Refused

    @Test func `an error of the store that is made names it, and not the one that is copied`()
      throws
    {
      try fill(file("a.sqlite"))
      try copyOut()
      let other = server.location()
      var isEnded = false
      let error = errorOf {
        try StoreCopy(from: .server(location), to: .server(other)).make { step in
          guard !isEnded else { return true }
          isEnded = true
          server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
              + "WHERE query LIKE 'COPY%\(other.schema)%FROM STDIN%'")
          return true
        }
      }
      #expect(error?.message.contains("copying to the store") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(other.schema.replacing(" ", with: "%20")) == true)
      #expect(
        server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(other.schema)'") == "0")
    }

    @Test func `a place where there is something is refused, and stays as it is`() throws {
      try fill(file("a.sqlite"))
      server.sql("CREATE SCHEMA \"\(location.schema)\"")
      try copyOut()
      let before = try serverLines()
      let taken = errorOf { try copyOut() }
      #expect(taken?.code == .storeUnreachable)
      #expect(taken?.message.contains("the schema has tables already") == true)
      #expect(try serverLines() == before)
      let foreign = server.location()
      server.sql(
        "CREATE SCHEMA \"\(foreign.schema)\"; CREATE TABLE \"\(foreign.schema)\".t (n int)")
      #expect(errorOf { try copyOut(to: foreign) }?.code == .storeUnreachable)
      #expect(server.sql("SELECT count(*) FROM \"\(foreign.schema)\".t") == "0")
      try folder.write("text", to: "b.sqlite")
      let file = errorOf { try copyBack() }
      #expect(file?.code == .storeUnreachable)
      #expect(file?.message.contains("exists already") == true)
      #expect(try String(contentsOfFile: folder.file("b.sqlite"), encoding: .utf8) == "text")
    }

    @Test func `what is not a store cannot be copied, and a file has other ways`() throws {
      let nothing = errorOf { try copyBack() }
      #expect(nothing?.code == .notAStore)
      #expect(nothing?.message.contains("there is no store at 'postgres://") == true)
      #expect(errorOf { try copyOut("missing.sqlite") }?.code == .storeUnreachable)
      try fill(file("a.sqlite"))
      let files = errorOf { try StoreCopy(from: place("a.sqlite"), to: place("c.sqlite")).make() }
      #expect(files?.code == .unsupported)
      #expect(files?.message.contains("'oxbowctl store backup'") == true)
    }

    @Test func `rows that do not fit the model are named, and nothing is copied`() throws {
      let library = try file("a.sqlite")
      try fill(library)
      let path = folder.file("a.sqlite")
      let connection = try Connection(path: path, configuration: .init(role: .sole))
      try connection.run("UPDATE Item SET title = CAST(x'4fff' AS TEXT) WHERE _id = 20")
      let text = errorOf { try copyOut() }
      #expect(text?.code == .invalidStoredValue)
      #expect(text?.message.contains("the row 20 of the table 'Item'") == true)
      #expect(text?.message.contains("TEXT in UTF-8 in the column 'title'") == true)
      #expect(tables() == "0")
      try connection.run("UPDATE Item SET title = 'good' WHERE _id = 20")
      connection.close()
      try copyOut()
      let item = "\"\(location.schema)\".\"Item\""
      server.sql("UPDATE \(item) SET price = 'NaN' WHERE _id = 10")
      let number = errorOf { try copyBack() }
      #expect(number?.message.contains("the row 10 of the table 'Item'") == true)
      #expect(number?.message.contains("in the column 'price'") == true)
      server.sql("UPDATE \(item) SET price = 1; ALTER TABLE \(item) ALTER weight TYPE numeric")
      let type = errorOf { try copyBack() }
      #expect(type?.code == .notAStore)
      #expect(type?.message.contains("'Item.weight'") == true)
      #expect(try folder.names().filter { $0.hasPrefix("b.sqlite") } == [])
    }

    private func tables() -> String {
      server.sql(
        "SELECT count(*) FROM pg_tables WHERE schemaname = '\(location.schema)'")
    }

    // MARK: Interrupted and lost

    @Test func `copying that is interrupted leaves nothing`() throws {
      try fill(file("a.sqlite"))
      var seen: [StoreCopy.Progress] = []
      let out = errorOf {
        try StoreCopy(from: place("a.sqlite"), to: .server(location)).make { step in
          seen.append(step)
          return seen.count < 3
        }
      }
      #expect(out?.code == .interrupted)
      #expect(seen.map(\.table) == ["Item", "Shelf", "Tag"])
      #expect(seen.map(\.completedRows) == [5, 1, 3])
      #expect(tables() == "0")
      try copyOut()
      var calls = 0
      let names = try folder.names()
      let back = errorOf {
        try StoreCopy(from: .server(location), to: place("b.sqlite")).make { _ in
          calls += 1
          return calls < 3
        }
      }
      #expect(back?.code == .interrupted)
      #expect(try folder.names() == names)
    }

    enum Direction: CaseIterable { case out, back }

    /// Cuts the connection at each message in turn, until one run is not cut.
    @Test(arguments: Direction.allCases)
    func `a copy whose connection is lost at any message is whole or not there`(
      direction: Direction
    ) throws {
      let proxy = try #require(CuttingProxy(to: server, name: "copy-\(direction)"))
      let library = try file("a.sqlite")
      try fill(library)
      let expected = try lines(of: library.store)
      if direction == .back { try copyOut() }
      var message = 0
      var isCut = true
      while isCut {
        message += 1
        isCut = try cut(direction, at: message, proxy, expected)
      }
      #expect(message > 10)
    }

    private func cut(
      _ direction: Direction, at place: Int, _ proxy: CuttingProxy, _ expected: [String]
    ) throws -> Bool {
      let schema = direction == .out ? server.newSchema() : location.schema
      let victim = PostgresLocation(
        "host=\(proxy.folder) port=5432 user=oxbow dbname=postgres", schema: schema)
      let wasCut = Shared(false)
      proxy.watch { message in
        guard message == place else { return true }
        wasCut.value.withLock { $0 = true }
        return false
      }
      let name = "b\(place).sqlite"
      let error = errorOf {
        switch direction {
        case .out: try copyOut(to: victim)
        case .back: try StoreCopy(from: .server(victim), to: self.place(name)).make()
        }
      }
      proxy.watch(nil)
      let isCut = wasCut.value.withLock { $0 }
      if !isCut { #expect(error == nil) }
      switch direction {
      case .out:
        let count = server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)'")
        #expect(count == "0" || error == nil || error?.code == .commitUnknown, "\(place)")
        guard count != "0" else { break }
        #expect(try serverLines(server.location(schema)) == expected)
      case .back:
        let isThere = try folder.names().contains(name)
        #expect(isThere == (error == nil), "\(place): \(error?.description ?? "")")
        #expect(try folder.names().filter { $0.contains("part") } == [])
        if isThere { #expect(try fileLines(name) == expected) }
      }
      return isCut
    }

    @Test func `saves go on while a store is copied, and are not in the copy`() throws {
      let library = try file("a.sqlite")
      try fill(library)
      let before = try lines(of: library.store)
      var hasSaved = false
      try StoreCopy(from: place("a.sqlite"), to: .server(location)).make { _ in
        guard !hasSaved else { return true }
        hasSaved = true
        let error = errorOf { try library.save { $0.inserts = [try library.insert("Tag", 77)] } }
        return error == nil
      }
      let copy = try onServer()
      #expect(try lines(of: copy.store) == before)
      hasSaved = false
      try StoreCopy(from: .server(location), to: place("b.sqlite")).make { _ in
        guard !hasSaved else { return true }
        hasSaved = true
        let error = errorOf { try copy.save { $0.inserts = [try copy.insert("Tag", 78)] } }
        return error == nil
      }
      #expect(try fileLines("b.sqlite") == before)
    }
  }
#endif
