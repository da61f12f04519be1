#if PostgreSQL
  import OxbowContext
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Derived attributes on a server are those of a store in a file.
  @Suite(.enabled(if: TestServer.shared != nil)) struct PostgresDerivedTests {
    private static let model = ManagedObjectModel(entities: [
      EntityDescription("Country", attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Author",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("plain", .string, isOptional: true, derivation: "canonical:(name)"),
          AttributeDescription("upper", .string, isOptional: true, derivation: "uppercase:(name)"),
          AttributeDescription("bookCount", .integer16, derivation: "books.@count"),
          AttributeDescription("pages", .integer64, derivation: "books.pages.@sum"),
          AttributeDescription("price", .decimal, derivation: "books.price.@sum"),
          AttributeDescription("weight", .double, derivation: "books.weight.@sum"),
          AttributeDescription("saved", .date, isOptional: true, derivation: "now()"),
        ],
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
          RelationshipDescription("country", to: "Country"),
        ]),
      EntityDescription(
        "Book",
        attributes: [
          AttributeDescription("pages", .integer32, isOptional: true),
          AttributeDescription("price", .decimal, isOptional: true),
          AttributeDescription("weight", .float, isOptional: true),
          AttributeDescription("writer", .string, isOptional: true, derivation: "author.name"),
          AttributeDescription(
            "origin", .string, isOptional: true, derivation: "lowercase:(author.country.name)"),
          AttributeDescription("tagCount", .integer64, derivation: "tags.@count"),
        ],
        relationships: [
          RelationshipDescription("author", to: "Author", inverse: "books"),
          RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
        ]),
      EntityDescription(
        "Novel", parent: "Book",
        attributes: [
          AttributeDescription("genre", .string, isOptional: true),
          AttributeDescription("kind", .string, isOptional: true, derivation: "lowercase:(genre)"),
        ]),
      EntityDescription(
        "Tag",
        attributes: [AttributeDescription("pages", .integer64, derivation: "books.pages.@sum")],
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
        ]),
    ])

    private func onServer() throws -> PersistentStoreCoordinator {
      try PersistentStoreCoordinator(
        CompiledModel(Self.model), at: try #require(TestServer.shared).location())
    }

    // MARK: Agreement

    /// Edits of one store, which another one repeats.
    private struct Player {
      let context: ManagedObjectContext
      var random: SeededRandom

      init(_ coordinator: PersistentStoreCoordinator, _ seed: UInt64) {
        context = ManagedObjectContext(coordinator: coordinator)
        random = SeededRandom(seed: seed)
      }

      /// The objects of an entity, in the order in which they were made.
      func all(_ entity: String) throws -> [ManagedObject] {
        try Array(context.fetch(FetchRequest<ManagedObject>(entityNamed: entity)))
          .sorted { $0.objectID.key < $1.objectID.key }
      }

      private mutating func one(_ entity: String) throws -> ManagedObject? {
        try all(entity).randomElement(using: &random)
      }

      private mutating func text() -> String? {
        ["Élan ÄRGER", "groß\u{0}e", "", "ŒUVRE", "日本", nil].randomElement(using: &random) ?? nil
      }

      private mutating func fill(_ book: ManagedObject) throws {
        let number = Int32.random(in: -900...900, using: &random)
        try book.setValue(random.chance(20) ? nil : number, for: "pages")
        try book.setValue(random.chance(20) ? nil : Decimal(number) / 100, for: "price")
        try book.setValue(random.chance(20) ? nil : Float(number) / 4, for: "weight")
        if book.entityName == "Novel" { try book.setValue(text(), for: "genre") }
      }

      private mutating func edit() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          try context.insert(entityNamed: "Country").setValue(text() ?? "none", for: "name")
        case 1:
          let author = try context.insert(entityNamed: "Author")
          try author.setValue(text(), for: "name")
          try author.setObjects(one("Country").map { [$0] } ?? [], for: "country")
        case 2...4:
          let book = try context.insert(entityNamed: random.chance(40) ? "Novel" : "Book")
          try fill(book)
          try book.setObjects(one("Author").map { [$0] } ?? [], for: "author")
        case 5: _ = try context.insert(entityNamed: "Tag")
        case 6: try one("Author")?.setValue(text(), for: "name")
        case 7: try one("Country")?.setValue(text() ?? "none", for: "name")
        case 8: if let book = try one("Book") { try fill(book) }
        case 9:
          let author = random.chance(25) ? nil : try one("Author")
          try one("Book")?.setObjects(author.map { [$0] } ?? [], for: "author")
        case 10:
          let tags = random.some(of: try all("Tag"), atMost: 3)
          try one("Book")?.setObjects(tags, for: "tags")
        default:
          let entity = ["Book", "Tag", "Author", "Country"].randomElement(using: &random) ?? ""
          if let object = try one(entity) { try context.delete(object) }
        }
      }

      mutating func save() throws {
        for _ in 0..<Int.random(in: 1...5, using: &random) { try edit() }
        try context.save()
      }

      /// The values of all objects, but for moments.
      static func contents(_ context: ManagedObjectContext) throws -> [String] {
        let entities = context.coordinator.model.entities
        return try entities.flatMap { entity -> [String] in
          let objects = try Array(
            context.fetch(FetchRequest<ManagedObject>(entityNamed: entity.name)))
          return try objects.sorted { $0.objectID.key < $1.objectID.key }.map { object in
            try "\(object.objectID.key) \(entity.name) "
              + entity.properties.filter {
                $0.slot >= 0 && $0.attribute != nil && $0.name != "saved"
              }
              .map { try "\($0.name)=\(object.attribute($0.name).map { "\($0)" } ?? "none")" }
              .joined(separator: " ")
          }
        }
      }
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `PM-01 derived values of random saves are those of a store in a file`(
      seed: UInt64
    ) throws {
      let server = try onServer()
      defer { server.close() }
      let file = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .inMemory)
      var players = [Player(server, seed), Player(file, seed)]
      for round in 0..<60 {
        var outcomes: [[String]] = []
        for index in players.indices {
          try players[index].save()
          outcomes.append(try Player.contents(players[index].context))
          outcomes.append(
            try Player.contents(
              ManagedObjectContext(coordinator: players[index].context.coordinator)))
        }
        #expect(outcomes[0] == outcomes[1], "seed \(seed), round \(round): context and server")
        #expect(outcomes[0] == outcomes[2], "seed \(seed), round \(round): server and file")
        guard Set(outcomes).count == 1 else { return }
      }
    }

    @Test func `PM-01 a derived value that does not fit refuses the save, and names the object`()
      throws
    {
      let server = try onServer()
      defer { server.close() }
      let context = ManagedObjectContext(coordinator: server)
      let author = try context.insert(entityNamed: "Author")
      try context.save()
      for _ in 0..<32_768 {
        try context.insert(entityNamed: "Book").setObjects([author], for: "author")
      }
      let error = errorOf { try context.save() }
      #expect(error?.code == .validation)
      #expect(error?.objectIDs == [author.objectID])
      #expect(error?.message.contains("derived from 'books.@count', would be") == true)
      #expect(
        try ManagedObjectContext(coordinator: server).count(
          FetchRequest<ManagedObject>(entityNamed: "Book")) == 0)
    }

    @Test func `PM-01 a batch update computes what is derived from what it sets`() throws {
      let server = try onServer()
      defer { server.close() }
      let context = ManagedObjectContext(coordinator: server)
      let author = try context.insert(entityNamed: "Author")
      for _ in 0..<3 {
        let book = try context.insert(entityNamed: "Book")
        try book.setObjects([author], for: "author")
        try book.setValue(1 as Int32, for: "pages")
      }
      try context.save()
      let book = try #require(server.model.entity(named: "Book"))
      let pages = try #require(book.properties.first { $0.name == "pages" })
      let updated = try server.store.update(
        StoreUpdate(
          StoreFetch(entity: book.index), [(pages.index, .value(.attribute(.integer(5))))]))
      #expect(updated.derived.map(\.value) == [.integer(15)])
      #expect(
        try ManagedObjectContext(coordinator: server)
          .fetch(FetchRequest<ManagedObject>(entityNamed: "Author")).first?
          .value("pages", as: Int64.self) == 15)
    }

    // MARK: At once

    @Test func `PM-01 saves at the same time count and add each other's objects`() async throws {
      let server = try onServer()
      defer { server.close() }
      let context = ManagedObjectContext(coordinator: server)
      let author = try context.insert(entityNamed: "Author")
      try author.setValue("0", for: "name")
      try context.save()
      let id = author.objectID
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            for round in 0..<15 {
              let own = ManagedObjectContext(coordinator: server, owner: .holder)
              let author = try own.object(with: id)
              if worker == 0 {
                try author.setValue("\(round)", for: "name")
              } else {
                let book = try own.insert(entityNamed: "Book")
                try book.setValue(2 as Int32, for: "pages")
                try book.setObjects([author], for: "author")
              }
              own.mergePolicy = .mergeByPropertyObjectTrump
              try own.save()
            }
          }
        }
        try await group.waitForAll()
      }
      let fresh = ManagedObjectContext(coordinator: server)
      let found = try fresh.object(with: id)
      #expect(try found.value("bookCount", as: Int16.self) == 75)
      #expect(try found.value("pages", as: Int64.self) == 150)
      let writers = try fresh.fetch(FetchRequest<ManagedObject>(entityNamed: "Book"))
        .map { try $0.value("writer", as: String.self) }
      #expect(Set(writers) == ["14"])
    }
  }
#endif
