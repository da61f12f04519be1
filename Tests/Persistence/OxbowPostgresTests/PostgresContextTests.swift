#if PostgreSQL
  import OxbowContext
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Contexts on a server do what they do over a file.
  @Suite(.enabled(if: TestServer.shared != nil)) struct PostgresContextTests {
    private let coordinator: PersistentStoreCoordinator

    init() throws {
      coordinator = try PersistentStoreCoordinator(
        CompiledModel(libraryModel()), at: try #require(TestServer.shared).location())
    }

    private func books(_ format: String, in context: ManagedObjectContext) throws
      -> [ManagedObject]
    {
      Array(
        try context.fetch(
          FetchRequest<ManagedObject>(
            entityNamed: "Book", where: try FetchPredicate(format: format))))
    }

    @Test func `objects are inserted, found by a condition of case, changed and deleted`() throws {
      let context = ManagedObjectContext(coordinator: coordinator)
      let shelf = try context.insert(entityNamed: "Shelf")
      try shelf.setValue("top", for: "label")
      for title in ["Émile", "Walden", "emile"] {
        let book = try context.insert(entityNamed: "Book")
        try book.setValue(title, for: "title")
        try book.setValue(1 as Int32, for: "pages")
        try book.setObjects([shelf], for: "shelf")
      }
      try context.save()
      let other = ManagedObjectContext(coordinator: coordinator)
      let found = try books("title BEGINSWITH[cd] 'EMILE' AND shelf.label == 'top'", in: other)
      #expect(found.count == 2)
      try found[0].setValue(7 as Int32, for: "pages")
      try other.delete(found[1])
      try other.save()
      #expect(
        try books("pages == 7", in: ManagedObjectContext(coordinator: coordinator)).count == 1)
      #expect(
        try books("shelf.books.@count == 2", in: ManagedObjectContext(coordinator: coordinator))
          .count == 2)
    }

    @Test func `of two contexts that change one object, the second has a conflict`() throws {
      let context = ManagedObjectContext(coordinator: coordinator)
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setValue("a", for: "label")
      try context.save()
      let other = ManagedObjectContext(coordinator: coordinator)
      let same = try #require(
        try other.fetch(FetchRequest<ManagedObject>(entityNamed: "Tag")).first)
      try same.setValue("b", for: "label")
      try tag.setValue("c", for: "label")
      try context.save()
      let error = errorOf { try other.save() }
      #expect(error?.code == .conflict)
      #expect(error?.objectIDs == [tag.objectID])
    }

    @Test func `a save with names only is not undone if its links may have been there`() throws {
      let coordinator = try PersistentStoreCoordinator(
        CompiledModel(libraryModel()), at: try #require(TestServer.shared).location(),
        options: PostgresStoreOptions(history: .keys))
      let context = ManagedObjectContext(coordinator: coordinator)
      let tags = try (0..<2).map { _ in try context.insert(entityNamed: "Tag") }
      for tag in tags { try tag.setValue("a", for: "label") }
      try tags[1].setObjects([tags[0]], for: "related")
      try context.save()
      try tags[0].setObjects([tags[1]], for: "related")
      try context.save()
      var history = try coordinator.history()
      guard case .saves(let saves)? = try history.next(), saves.count == 2 else {
        Issue.record("there are not two saves")
        return
      }
      let error = errorOf { try ManagedObjectContext(coordinator: coordinator).undo(saves[1]) }
      #expect(error?.code == .undoRefused)
      #expect(error?.message.contains("which of its links were there before") == true)
    }
  }
#endif
