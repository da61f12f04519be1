#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Saves that copy many new rows, with all that a save does besides.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresManyRowsTests {
    private static let model = libraryModel(extra: [
      AttributeDescription("tagCount", .integer64, derivation: "tags.@count"),
      AttributeDescription(
        "home", .string, isOptional: true, derivation: "uppercase:(shelf.label)"),
    ])
    private static let many: ClosedRange<Int64> = 2...2501

    private func onServer(_ location: PostgresLocation? = nil) throws -> PostgresLibrary {
      try PostgresLibrary(
        Self.model, at: location, options: PostgresStoreOptions(history: .values))
    }

    private func inFile(_ folder: TemporaryFolder) throws -> StoreLibrary<SQLiteStore> {
      StoreLibrary(
        try SQLiteStore(
          CompiledModel(Self.model), at: .file(folder.file("many.sqlite")),
          options: SQLiteStoreOptions(history: .values)))
    }

    private static func number(_ key: Int64) -> AttributeValue {
      let (high, low) = (UInt8(truncatingIfNeeded: key >> 8), UInt8(truncatingIfNeeded: key))
      return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low)))
    }

    private func fill(_ library: StoreLibrary<some PersistentStore>) throws {
      try library.save {
        $0.inserts = [
          try library.insert("Shelf", 1, ["label": .string("top")]),
          try library.insert("Shelf", 2, ["label": .string("low")]), try library.insert("Tag", 1),
          try library.insert("Book", 1, ["number": Self.number(1)]),
        ]
        $0.links = [try library.link(("Book", 1), "shelf", ("Shelf", 1), ownerAt: 1024)]
      }
    }

    /// Changes of all kinds beside many new objects, which come behind the last of an order.
    private func changes(
      _ library: StoreLibrary<some PersistentStore>
    ) throws -> ChangeSet {
      var changes = ChangeSet()
      changes.inserts = try Self.many.map {
        try library.insert(
          "Book", $0,
          [
            "title": .string($0 % 7 == 0 ? "nul \u{0}" : "title \($0)"),
            "number": Self.number($0), "price": .decimal(Decimal($0) / 100),
          ])
      }
      changes.links = try Self.many.map { try library.link(("Book", $0), "shelf", ("Shelf", 1)) }
      changes.links += try Self.many.filter { $0 % 100 == 0 }.map {
        try library.link(("Book", $0), "tags", ("Tag", 1), at: 1024)
      }
      var update = try library.update("Book", 1, 1, [:])
      update.increments = [(try library.property("Book", "pages").index, .integer(3))]
      update.checksVersion = false
      changes.updates = [
        update, try library.update("Shelf", 1, 1, ["label": .string("full")]),
      ]
      changes.deletes = [try library.delete("Shelf", 2, 1)]
      return changes
    }

    private func saves(_ store: any PersistentStore) throws -> [String] {
      let history = try store.requireHistory()
      var place = try history.firstToken()
      var all: [String] = []
      while let element = try history.elements(after: place, HistoryBatchLimits()).first,
        let next = element.token
      {
        guard case .saves(let saves) = element else { return all + ["\(element)"] }
        for save in saves {
          all += save.changes.map {
            "\(save.number) \($0.kind) \($0.entityName) \($0.key) v\($0.version) "
              + "\($0.changedProperties.sorted()) \(($0.before ?? [:]).keys.sorted())"
          }
          all += save.links.map { "\(save.number) \($0.kind) \($0.name)" }
        }
        place = next
      }
      return all.sorted()
    }

    // MARK: Equal

    @Test func `a save with many new objects leaves what it leaves in a file`() throws {
      let folder = try TemporaryFolder()
      let (server, file) = (try onServer(), try inFile(folder))
      try fill(server)
      try fill(file)
      var calls = 0
      let here = try server.store.save(changes(server)) { calls += 1 }
      let there = try file.store.save(changes(file)) { calls += 1 }
      #expect(calls == 2)
      #expect(here.derived.count == there.derived.count)
      #expect(try lines(of: server.store) == lines(of: file.store))
      #expect(try saves(server.store) == saves(file.store))
      #expect(try server.only("Book", 2500)["home"] == "\(AttributeValue.string("FULL"))")
    }

    @Test func `a value among many that another object has is named as in a file`() throws {
      let folder = try TemporaryFolder()
      let (server, file) = (try onServer(), try inFile(folder))
      try fill(server)
      try fill(file)
      func error(_ library: StoreLibrary<some PersistentStore>) throws -> PersistenceError? {
        var changes = try self.changes(library)
        changes.inserts[2400] = try library.insert("Book", 2402, ["number": Self.number(1)])
        return errorOf { try library.store.save(changes) }
      }
      let (here, there) = (try error(server), try error(file))
      #expect(here?.code == .uniquenessViolated)
      #expect(here?.objectIDs.map(\.key) == there?.objectIDs.map(\.key))
      #expect(try lines(of: server.store) == lines(of: file.store))
      try server.store.save(changes(server))
      #expect(try server.keys("Book").count == 2501)
    }

    @Test func `a conflict beside many new objects leaves none of them`() throws {
      let server = try onServer()
      try fill(server)
      var changes = try self.changes(server)
      changes.updates.append(try server.update("Tag", 1, 7, ["label": .string("late")]))
      let before = try saves(server.store)
      let error = errorOf { try server.store.save(changes) }
      #expect(error?.code == .conflict)
      #expect(error?.objectIDs.map(\.key) == [1])
      #expect(try server.keys("Book") == [1])
      #expect(try saves(server.store) == before)
    }

    // MARK: Lost connections

    @Test func `a copy whose connection is cut at any place is there once`() throws {
      let shared = try #require(TestServer.shared)
      let proxy = try #require(CuttingProxy(to: shared, name: "many"))
      var location = shared.location()
      let direct = try PostgresLibrary(at: location)
      location.connection = proxy.connection
      let library = try PostgresLibrary(at: location)
      try library.save { $0.inserts = [try library.insert("Book", 1)] }
      let pages = try library.property("Book", "pages").index
      let label = String(repeating: "x", count: 60)
      let wasCut = Shared(false)
      var place: Int64 = 0
      repeat {
        place += 1
        let cut = Int(place)
        wasCut.value.withLock { $0 = false }
        proxy.watch { chunk in
          guard chunk == cut else { return true }
          wasCut.value.withLock { $0 = true }
          return false
        }
        try library.save { changes in
          changes.inserts = try (1...2100).map {
            try library.insert("Tag", place * 10_000 + $0, ["label": .string(label)])
          }
          var update = try library.update("Book", 1, 1, [:])
          update.increments = [(pages, .integer(1))]
          update.checksVersion = false
          changes.updates = [update]
        }
      } while wasCut.value.withLock { $0 }
      proxy.watch(nil)
      #expect(place > 5)
      #expect(try direct.keys("Tag").count == Int(place) * 2100)
      #expect(try direct.only("Book", 1)["pages"] == "\(AttributeValue.integer(place))")
    }
  }
#endif
