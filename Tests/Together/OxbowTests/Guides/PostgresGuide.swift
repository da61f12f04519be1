#if PostgreSQL
  import Oxbow
  import OxbowPostgres
  import OxbowTestSupport
  import Testing

  // The code of docs/guide/on-postgresql.md.

  /// The entities of the guide, and what it does with them.
  enum PostgresGuide {
    @Entity final class Book: ManagedObject {
      var title: String
      @Relationship(inverse: \.books) var author: Author?
    }

    @Entity final class Author: ManagedObject {
      var name: String
      @Relationship(inverse: \.author) var books: Set<Book> = []
      @Attribute(derivation: "books.@count") var bookCount: Int64
    }

    static func open(_ location: PostgresLocation) throws -> PersistentContainer {
      let types: [any ModelObject.Type] = [Book.self, Author.self]
      let model = try CompiledModel(ManagedObjectModel(types: types), classes: types)
      return try PersistentContainer(
        coordinator: PersistentStoreCoordinator(
          model, at: location, options: PostgresStoreOptions(connections: 16)))
    }

    static func count(_ name: String, in store: PersistentContainer) async throws -> Int {
      try await store.perform { context in
        let author = try context.insert(Author.self) { $0.name = name }
        for title in ["Kindred", "Dawn"] {
          try context.insert(Book.self) { ($0.title, $0.author) = (title, author) }
        }
        try context.save()
        return Int(author.bookCount)
      }
    }

    static func follow(_ location: PostgresLocation) throws -> PersistentContainer {
      let types: [any ModelObject.Type] = [Book.self, Author.self]
      let model = try CompiledModel(ManagedObjectModel(types: types), classes: types)
      let options = PostgresStoreOptions(history: .keys, followsOtherProcesses: true)
      return try PersistentContainer(
        coordinator: PersistentStoreCoordinator(model, at: location, options: options))
    }

    static func titles(_ location: PostgresLocation, replica: String) throws -> [String] {
      let types: [any ModelObject.Type] = [Book.self, Author.self]
      let model = try CompiledModel(ManagedObjectModel(types: types), classes: types)
      let options = PostgresStoreOptions(replica: replica)  // "postgres://app@db2.example.org/shop"
      let store = try PersistentContainer(
        coordinator: PersistentStoreCoordinator(model, at: location, options: options),
        contexts: ContextOptions(readPlace: .replicaAfterOwnSaves))
      return try store.perform { try $0.fetch(Book.self).map(\.title) }
    }

    static func migrate(_ location: PostgresLocation, _ folder: String) throws {
      let model = ManagedObjectModel(types: [Book.self, Author.self])
      try StoreMigrations(.automatic).prepare(Migrator(location, folder: folder, for: model))
    }

    static func move(_ path: String, to location: PostgresLocation) throws -> Int {
      let summary = try StoreCopy(from: .file(path), to: .server(location)).make { step in
        print("\(step.table): \(step.completedRows) of \(step.totalRows)")
        return true
      }
      return summary.objects
    }
  }

  @Suite(.enabled(if: TestServer.shared != nil)) struct PostgresGuideTests {
    private func location() throws -> PostgresLocation {
      let server = try #require(TestServer.shared)
      return PostgresLocation(server.connection, schema: server.newSchema())
    }

    @Test func `a store on a server is opened, and counts what belongs to an object`() async throws
    {
      let location = try location()
      let store = try PostgresGuide.open(location)
      #expect(try await PostgresGuide.count("Octavia Butler", in: store) == 2)
      store.close()
      // It is not a replica, so the primary server is read.
      let titles = try PostgresGuide.titles(location, replica: location.connection)
      #expect(titles.sorted() == ["Dawn", "Kindred"])
    }

    @Test func `a program hears of what another one saves`() async throws {
      let location = try location()
      let (mine, theirs) = (try PostgresGuide.follow(location), try PostgresGuide.follow(location))
      let events = mine.coordinator.didSaveEvents()
      _ = try await PostgresGuide.count("Octavia Butler", in: theirs)
      var iterator = events.makeAsyncIterator()
      let event = try #require(await iterator.next()?.events.first)
      #expect(event.insertedObjectIDs.count == 3)
      mine.close()
      theirs.close()
    }

    @Test func `a folder of steps makes a store with derived attributes`() async throws {
      let folder = try TemporaryFolder()
      try folder.write("", to: "M/.keep")
      let model = ManagedObjectModel(types: [PostgresGuide.Book.self, PostgresGuide.Author.self])
      _ = try MigrationSequence(folder: folder.file("M")).addModelStep(named: "first", to: model)
      let location = try location()
      try PostgresGuide.migrate(location, folder.file("M"))
      let store = try PostgresGuide.open(location)
      #expect(try await PostgresGuide.count("Octavia Butler", in: store) == 2)
      store.close()
    }

    @Test func `a file moves to a server`() async throws {
      let folder = try TemporaryFolder()
      let types: [any ModelObject.Type] = [PostgresGuide.Book.self, PostgresGuide.Author.self]
      let model = try CompiledModel(ManagedObjectModel(types: types), classes: types)
      let file = try PersistentContainer(
        coordinator: PersistentStoreCoordinator(model, at: .file(folder.file("a.sqlite"))))
      #expect(try await PostgresGuide.count("Octavia Butler", in: file) == 2)
      file.close()
      let location = try location()
      #expect(try PostgresGuide.move(folder.file("a.sqlite"), to: location) == 3)
      let store = try PostgresGuide.open(location)
      #expect(try await PostgresGuide.count("Nnedi Okorafor", in: store) == 2)
      store.close()
    }
  }
#endif
