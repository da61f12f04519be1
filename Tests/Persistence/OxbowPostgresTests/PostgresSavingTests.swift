#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Saves on a server: how many round trips they take, and what several of them at once do.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresSavingTests {
    // MARK: Round trips

    private func trips(_ library: PostgresLibrary, _ body: () throws -> Void) rethrows -> Int {
      let before = library.store.roundTrips
      try body()
      return library.store.roundTrips - before
    }

    // MARK: Many rows

    /// More rows than one statement inserts.
    private func manyTags(_ library: PostgresLibrary) throws -> [ChangeSet.Insert] {
      try (1...2500).map { try library.insert("Tag", $0, ["label": .string("tag \($0)")]) }
    }

    @Test func `many rows are copied between two round trips, those of sub-entities too`() throws {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Shelf", 1)] }
      let saving = try trips(library) {
        try library.save { changes in
          changes.inserts = try manyTags(library)
          changes.updates = [try library.update("Shelf", 1, 1, ["label": .string("full")])]
        }
      }
      #expect(saving == 3)
      #expect(try library.keys("Tag") == Array(1...2500))
      #expect(try library.only("Tag", 2500)["label"] == "\(AttributeValue.string("tag 2500"))")
      #expect(try library.only("Shelf", 1)["label"] == "\(AttributeValue.string("full"))")
      try library.save { changes in
        changes.inserts = try (1...2500).map {
          try library.insert("Reader", $0, ["name": .string("n"), "card": .integer($0)])
        }
      }
      #expect(try library.keys("Reader").count == 2500)
      #expect(try library.keys("Writer").isEmpty)
    }

    @Test func `a copy that meets a row which is there changes nothing, and names it`() throws {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 2400)] }
      let error = errorOf { try library.save { $0.inserts = try manyTags(library) } }
      #expect(error?.message.contains("Tag/p2400") == true, "\(error?.description ?? "none")")
      #expect(try library.keys("Tag") == [2400])
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      #expect(try library.keys("Tag") == [1, 2400])
    }

    @Test func `a copied row that a trigger keeps out is missed`() throws {
      let server = try #require(TestServer.shared)
      let library = try PostgresLibrary(at: server.location("copied"))
      server.sql(
        """
        CREATE FUNCTION copied.skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER skip BEFORE INSERT ON copied."Tag" FOR EACH ROW WHEN (NEW._id = 77)
          EXECUTE FUNCTION copied.skip();
        """)
      let error = errorOf { try library.save { $0.inserts = try manyTags(library) } }
      #expect(error?.code == .statementFailed)
      #expect(error?.message.contains("has kept rows out") == true, "\(error?.description ?? "")")
      #expect(try library.keys("Tag").isEmpty)
    }

    @Test func `where policies look at rows, many are inserted by statements`() throws {
      let server = try #require(TestServer.shared)
      let role = server.newSchema()
      server.sql(
        "CREATE ROLE \"\(role)\" LOGIN; CREATE SCHEMA \"\(role)\" AUTHORIZATION \"\(role)\"")
      let library = try PostgresLibrary(
        at: PostgresLocation(
          "host=\(server.folder) user='\(role)' dbname=postgres", schema: role))
      server.sql(
        """
        ALTER TABLE "\(role)"."Tag" ENABLE ROW LEVEL SECURITY;
        ALTER TABLE "\(role)"."Tag" FORCE ROW LEVEL SECURITY;
        CREATE POLICY all_rows ON "\(role)"."Tag" USING (true) WITH CHECK (true);
        """)
      for _ in 0..<2 {
        try library.save { $0.inserts = try manyTags(library) }
        #expect(try library.keys("Tag").count == 2500)
        try library.save { changes in
          changes.deletes = try (1...2500).map { try library.delete("Tag", $0, 1) }
        }
      }
    }

    @Test func `a fetch, the rows of keys, a relationship and a save take one round trip each`()
      throws
    {
      let library = try PostgresLibrary()
      try library.save { changes in
        changes.inserts = try (1...20).map { try library.insert("Book", $0) }
        changes.inserts += try (1...3).map { try library.insert("Shelf", $0) }
      }
      let book = try library.entity("Book").index
      #expect(try trips(library) { _ = try library.keys("Book") } == 1)
      #expect(try trips(library) { _ = try library.store.rows(of: book, keys: [1, 2, 3]) } == 1)
      #expect(try trips(library) { _ = try library.related("Shelf", "books", [1, 2, 3]) } == 1)
      let saving = try trips(library) {
        try library.save { changes in
          changes.inserts = [try library.insert("Tag", 1)]
          changes.updates = try (1...9).map {
            try library.update("Book", $0, 1, ["pages": .integer($0)])
          }
          changes.deletes = [try library.delete("Book", 20, 1)]
          changes.links = [try library.link(("Book", 9), "shelf", ("Shelf", 1), ownerAt: 1024)]
        }
      }
      #expect(saving == 1)
    }

    @Test func `an increment, or a link behind the last, takes two round trips`() throws {
      let library = try PostgresLibrary()
      try library.save {
        $0.inserts = [try library.insert("Book", 1), try library.insert("Shelf", 1)]
      }
      let pages = try library.property("Book", "pages").index
      let adding = try trips(library) {
        try library.save {
          var update = try library.update("Book", 1, 1, [:])
          update.increments = [(pages, .integer(3))]
          update.checksVersion = false
          $0.updates = [update]
        }
      }
      #expect(adding == 2)
      let linking = try trips(library) {
        try library.save { $0.links = [try library.link(("Book", 1), "shelf", ("Shelf", 1))] }
      }
      #expect(linking == 2)
    }

    // MARK: At once

    @Test func `of two saves of one row, one is a conflict, and the other is there`() async throws {
      let location = try #require(TestServer.shared).location()
      let libraries = try (0..<2).map { _ in try PostgresLibrary(at: location) }
      try libraries[0].save { $0.inserts = [try libraries[0].insert("Tag", 1)] }
      for round in 1...30 as ClosedRange<Int64> {
        let codes = try await withThrowingTaskGroup(of: PersistenceError.Code?.self) { group in
          for library in libraries {
            group.addTask {
              errorOf {
                try library.save {
                  $0.updates = [try library.update("Tag", 1, round, ["label": .string("\(round)")])]
                }
              }?.code
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1, "round \(round): \(codes)")
        #expect(codes.count { $0 == .conflict } == 1, "round \(round): \(codes)")
      }
    }

    @Test func `increments of one row by many threads add up exactly`() async throws {
      let location = try #require(TestServer.shared).location()
      let libraries = try (0..<2).map { _ in try PostgresLibrary(at: location) }
      try libraries[0].save { $0.inserts = [try libraries[0].insert("Book", 1)] }
      let pages = try libraries[0].property("Book", "pages").index
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<8 {
          let library = libraries[thread % 2]
          group.addTask {
            for _ in 0..<25 {
              try library.save {
                var update = try library.update("Book", 1, 1, [:])
                update.increments = [(pages, .integer(1))]
                update.checksVersion = false
                $0.updates = [update]
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(
        try libraries[1].only("Book", 1)["pages"] == "\(AttributeValue.integer(200))")
    }

    @Test func `objects that many threads append to one order have places of their own`()
      async throws
    {
      let location = try #require(TestServer.shared).location()
      let library = try PostgresLibrary(at: location)
      try library.save { $0.inserts = [try library.insert("Shelf", 1)] }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<6 as Range<Int64> {
          group.addTask {
            for number in 1...10 as ClosedRange<Int64> {
              try library.save {
                let key = thread * 10 + number
                $0.inserts = [try library.insert("Book", key)]
                $0.links = [try library.link(("Book", key), "shelf", ("Shelf", 1))]
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let schema = library.store.place.split(separator: " ").suffix(2).joined(separator: " ")
      let places = TestServer.shared?.sql(
        "SELECT count(DISTINCT _shelf_position) FROM \"\(schema)\".\"Book\"")
      #expect(places == "60")
    }

    @Test func `rows that two saves write in other orders are no deadlock in the end`() async throws
    {
      let library = try PostgresLibrary()
      let keys = Array(1...40 as ClosedRange<Int64>)
      try library.save { $0.inserts = try keys.map { try library.insert("Book", $0) } }
      let pages = try library.property("Book", "pages").index
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for _ in 0..<10 {
              try library.save {
                $0.updates = try (thread.isMultiple(of: 2) ? keys : keys.reversed()).map {
                  var update = try library.update("Book", $0, 1, [:])
                  update.increments = [(pages, .integer(1))]
                  update.checksVersion = false
                  return update
                }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let sum = try library.store.rows(
        of: try ColumnQuery(
          entity: try library.entity("Book").index, columns: ["sum(pages)"]))
      #expect(sum.values == [.attribute(.integer(1600))])
    }

    @Test func `of many threads that want one unique value, one gets it`() async throws {
      let library = try PostgresLibrary()
      let number = AttributeValue.uuid(UUID())
      let codes = try await withThrowingTaskGroup(of: PersistenceError.Code?.self) { group in
        for key in 1...8 as ClosedRange<Int64> {
          group.addTask {
            errorOf {
              try library.save {
                $0.inserts = [try library.insert("Book", key, ["number": number])]
              }
            }?.code
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.count { $0 == .uniquenessViolated } == 7, "\(codes)")
    }

    // MARK: Unique values

    @Test func `a save may exchange unique values, and give on those of deleted objects`() throws {
      let library = try PostgresLibrary()
      let numbers = (0..<3).map { _ in AttributeValue.uuid(UUID()) }
      try library.save {
        $0.inserts = try (1...3).map {
          try library.insert("Book", $0, ["number": numbers[Int($0) - 1]])
        }
      }
      try library.save {
        $0.updates = [
          try library.update("Book", 1, 1, ["number": numbers[1]]),
          try library.update("Book", 2, 1, ["number": numbers[2]]),
        ]
        $0.deletes = [try library.delete("Book", 3, 1)]
        $0.inserts = [try library.insert("Book", 4, ["number": numbers[0]])]
      }
      #expect(try library.only("Book", 1)["number"] == "\(numbers[1])")
      #expect(try library.only("Book", 4)["number"] == "\(numbers[0])")
    }

    @Test func `a value that must be unique among a sub-entity may be another's`() throws {
      let model = libraryModel(unique: "card", of: "Reader")
      let library = try PostgresLibrary(model)
      try library.save {
        $0.inserts = [
          try library.insert("Reader", 1, ["card": .integer(7)]), try library.insert("Writer", 2),
        ]
      }
      let error = errorOf {
        try library.save { $0.inserts = [try library.insert("Reader", 3, ["card": .integer(7)])] }
      }
      #expect(error?.code == .uniquenessViolated)
      #expect(error?.objectIDs.map(\.key) == [3, 1], "\(error?.description ?? "")")
      #expect(error?.validationFailures.first?.properties == ["card"])
    }

    @Test func `two new objects with one unique value are named, the later one first`() throws {
      let library = try PostgresLibrary()
      let number = AttributeValue.uuid(UUID())
      let error = errorOf {
        try library.save {
          $0.inserts = try (1...3).map {
            try library.insert("Book", $0, $0 == 2 ? [:] : ["number": number])
          }
        }
      }
      #expect(error?.objectIDs.map(\.key) == [3, 1], "\(error?.description ?? "")")
    }

    // MARK: Hooks, values of the program

    @Test func `what refuses a save before its commit leaves nothing behind`() throws {
      let library = try PostgresLibrary()
      var changes = ChangeSet()
      changes.inserts = [try library.insert("Tag", 1)]
      let error = errorOf {
        try library.store.save(changes) { () throws(PersistenceError) in
          throw PersistenceError(.validation, "no")
        }
      }
      #expect(error?.message == "no")
      #expect(try library.keys("Tag").isEmpty)
      var calls = 0
      try library.store.save(changes) { calls += 1 }
      #expect(calls == 1)
      #expect(try library.keys("Tag") == [1])
    }

    @Test(
      arguments: [
        (AttributeValue.string("a \u{0} b"), AttributeType.string), (.integer(.min), .integer64),
        (.double(-.infinity), .double), (.double(0.1), .double), (.boolean(true), .boolean),
        (.data(Data([0, 1, 255])), .binaryData),
        (.date(Date(timeIntervalSinceReferenceDate: 1e-9)), .date),
        (.decimal(Decimal(string: "-12345678901234567890.5") ?? 0), .decimal),
      ])
    func `values of a program are kept beside the objects`(
      value: AttributeValue, type: AttributeType
    ) throws {
      let library = try PostgresLibrary()
      try library.save { $0.metadata = [.init("b", value), .init("a\u{0}", .integer(1))] }
      #expect(try library.store.metadata("b", type) == value)
      #expect(try library.store.metadata("c", type) == nil)
      #expect(try library.store.metadataKeys() == ["a\u{0}", "b"])
      try library.save { $0.metadata = [.init("b", nil)] }
      #expect(try library.store.metadataKeys() == ["a\u{0}"])
    }

    // MARK: Many at once

    @Test func `an update of many objects computes in memory, and keeps the model's rules`() throws
    {
      let library = try PostgresLibrary()
      try library.save {
        $0.inserts = try (1...10).map { try library.insert("Book", $0, ["pages": .integer($0)]) }
      }
      let pages = try library.property("Book", "pages").index
      let fetch = try library.fetch(
        "Book", try FetchPredicate(format: "pages > 5 AND title LIKE '*'"))
      let update = StoreUpdate(
        fetch,
        [
          (
            pages,
            .arithmetic(.path(["pages"]), .multiply, .value(.attribute(.integer(2))))
          )
        ])
      #expect(try library.store.update(update).objects.map(\.key) == [6, 7, 8, 9, 10])
      #expect(try library.only("Book", 7)["pages"] == "\(AttributeValue.integer(14))")
      #expect(library.heads(try library.store.rows(of: fetch)).first == "Book 6 v2")
      let tooLarge = StoreUpdate(
        fetch, [(pages, .value(.attribute(.integer(1 << 40))))])
      #expect(errorOf { _ = try library.store.update(tooLarge) }?.code == .validation)
      #expect(try library.only("Book", 7)["pages"] == "\(AttributeValue.integer(14))")
    }

    @Test func `an update of the first objects of an order changes no others`() throws {
      let library = try PostgresLibrary()
      try library.save {
        $0.inserts = try (1...9).map {
          try library.insert("Book", $0, ["pages": .integer(10 - $0)])
        }
      }
      var fetch = try library.fetch("Book")
      fetch.sortKeys = [OrderingTerm("pages")]
      (fetch.offset, fetch.limit) = (1, 3)
      let pages = try library.property("Book", "pages").index
      let update = StoreUpdate(fetch, [(pages, .value(.attribute(.integer(100))))])
      #expect(try library.store.update(update).objects.map(\.key).sorted() == [6, 7, 8])
      let all = try FetchPredicate(format: "pages == 100")
      #expect(try library.keys("Book", all) == [6, 7, 8])
    }

    @Test func `rows that are too large for one message come in several`() throws {
      let library = try PostgresLibrary()
      let text = String(repeating: "x", count: 1 << 20)
      try library.save {
        $0.inserts = try (1...40).map {
          try library.insert("Tag", $0, ["label": .string(text + "\($0)")])
        }
      }
      try library.save {
        $0.updates = try (1...40).map {
          try library.update("Tag", $0, 1, ["label": .string("\($0)" + text)])
        }
      }
      let slabs = try library.store.rows(of: try library.fetch("Tag"), unless: nil)
      #expect(library.keys(slabs) == Array(1...40))
      #expect(library.heads(slabs).allSatisfy { $0.hasSuffix("v2") })
    }

    @Test func `a save of many rows has two round trips and a copy, and comes back`() throws {
      let library = try PostgresLibrary()
      try library.save { $0.inserts = [try library.insert("Tag", 20_001)] }
      let count = try trips(library) {
        try library.save {
          $0.inserts = try (1...20_000).map {
            try library.insert("Tag", $0, ["label": .string("label \($0)")])
          }
        }
      }
      #expect(count == 3)
      #expect(try library.store.count(of: try library.fetch("Tag")) == 20_001)
      try library.save {
        $0.deletes = try (1...20_000).map { try library.delete("Tag", $0, 1) }
      }
      #expect(try library.keys("Tag") == [20_001])
    }
  }
#endif
