#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Two saves at once, the first of which is not committed before the second one waits for it, or
  /// is over without having waited.
  @Suite(.enabled(if: TestServer.shared != nil), .serialized, .timeLimit(.minutes(30)))
  struct PostgresRaceTests {
    private let server: TestServer
    private let location: PostgresLocation

    init() throws {
      server = try #require(TestServer.shared)
      location = server.location()
    }

    private static let model = ManagedObjectModel(entities: [
      EntityDescription("Country", attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Author",
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
          RelationshipDescription("country", to: "Country"),
        ]),
      EntityDescription(
        "Book",
        attributes: [
          AttributeDescription("pages", .integer32, isOptional: true),
          AttributeDescription(
            "origin", .string, isOptional: true, derivation: "author.country.name"),
        ],
        relationships: [
          RelationshipDescription("author", to: "Author", inverse: "books"),
          RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
          RelationshipDescription("partner", to: "Book"),
        ]),
      EntityDescription(
        "Tag",
        attributes: [AttributeDescription("pages", .integer64, derivation: "books.pages.@sum")],
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
        ]),
    ])

    /// Counts statements about the schema that wait for a lock.
    private var waiting: String {
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        + "AND (query LIKE '%\(location.schema)%' OR query = 'COMMIT')"
    }

    /// Saves both; returns the error of the second.
    private func save(
      _ first: ChangeSet, _ second: ChangeSet, _ library: PostgresLibrary
    ) throws -> PersistenceError? {
      let outcome = Shared<Result<Void, PersistenceError>?>(nil)
      let isOver = { outcome.value.withLock { $0 != nil } }
      _ = try library.store.save(first) { () throws(PersistenceError) in
        Thread.detachNewThread {
          let error = errorOf { _ = try library.store.save(second) }
          outcome.value.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
        }
        while !isOver(), !server.becomes(waiting) {}
      }
      while !isOver() { sched_yield() }
      guard case .failure(let error) = outcome.value.withLock({ $0 }) else { return nil }
      return error
    }

    private func changes(_ fill: (inout ChangeSet) throws -> Void) rethrows -> ChangeSet {
      var changes = ChangeSet()
      try fill(&changes)
      return changes
    }

    @Test func `PM-01 a path that ends early is locked as far as it goes`() throws {
      let library = try PostgresLibrary(Self.model, at: location)
      try library.save {
        $0.inserts = [
          try library.insert("Country", 1, ["name": .string("Peru")]),
          try library.insert("Author", 1),
        ]
      }
      let gives = try changes {
        $0.updates = [try library.update("Author", 1, 1, [:])]
        $0.links = [try library.link(("Author", 1), "country", ("Country", 1))]
      }
      let adds = try changes {
        $0.inserts = [try library.insert("Book", 1)]
        $0.links = [try library.link(("Book", 1), "author", ("Author", 1))]
      }
      #expect(try save(gives, adds, library) == nil)
      #expect(try library.only("Book", 1)["origin"]?.contains("Peru") == true)
    }

    @Test func `PM-01 a sum over links has what another save changes at the same time`() throws {
      let library = try PostgresLibrary(Self.model, at: location)
      try library.save {
        $0.inserts = [
          try library.insert("Book", 7, ["pages": .integer(10)]), try library.insert("Tag", 1),
        ]
      }
      let edits = try changes {
        $0.updates = [try library.update("Book", 7, 1, ["pages": .integer(100)])]
      }
      let links = try changes {
        $0.links = [try library.link(("Book", 7), "tags", ("Tag", 1))]
      }
      #expect(try save(edits, links, library) == nil)
      #expect(try library.only("Tag", 1)["pages"] == "100")
    }

    @Test func `PM-05 what a condition follows stays as it is until its save is there`() throws {
      let library = try PostgresLibrary(Self.model, at: location)
      try library.save {
        $0.inserts = try [1, 2].map {
          try library.insert("Book", $0, ["pages": .integer(1)])
        }
        $0.links = try [(1, 2), (2, 1)].map {
          try library.link(("Book", $0), "partner", ("Book", $1))
        }
      }
      // Each may have no pages as long as the other one has some.
      func empties(_ key: Int64) throws -> ChangeSet {
        try changes {
          var update = try library.update("Book", key, 1, ["pages": .integer(0)])
          update.condition = .equal("partner.pages", 1)
          $0.updates = [update]
        }
      }
      let error = try save(empties(1), empties(2), library)
      #expect(error?.code == .conditionFailed)
    }
  }
#endif
