import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Searches for words of contexts, in a store that keeps an index of titles and names.
@Suite struct WordSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(hasLog: Bool = true) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    var model = ManagedObjectModel(types: types)
    model = ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        for index in entity.attributes.indices
        where ["title", "name"].contains(entity.attributes[index].name) {
          entity.attributes[index].search = .words
        }
        return entity
      })
    return try PersistentStoreCoordinator(
      CompiledModel(model, classes: types), at: .file(folder.file("library.sqlite")),
      options: SQLiteStoreOptions(usesWriteAheadLog: hasLog))
  }

  private func titles(
    _ context: ManagedObjectContext, _ predicate: FetchPredicate
  ) throws -> [String] {
    let request = FetchRequest<Book>(where: predicate, sortedBy: [SortKey("title")])
    let titles = try context.fetch(request).map(\.title)
    #expect(try context.count(request) == titles.count)
    return titles
  }

  @Test(arguments: [true, false])
  func `PS-15 a search sees unsaved, saved and indexed texts alike`(hasLog: Bool) throws {
    let coordinator = try open(hasLog: hasLog)
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    let search = try FetchPredicate.words("title", "eden OR fiasco")
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    _ = try context.insert(Novel.self) { $0.title = "Fiasco" }
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    try context.save()
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    while try !store.catchUpSearch() {}
    #expect(try titles(context, search) == ["Eden", "Fiasco"])
    book.title = "Solaris"
    #expect(try titles(context, search) == ["Fiasco"])
    #expect(try titles(coordinator.context(), search) == ["Eden", "Fiasco"])
    try context.save()
    #expect(try titles(coordinator.context(), search) == ["Fiasco"])
    #expect(try titles(coordinator.context(), .not(search)) == ["Solaris"])
  }

  @Test func `PS-15 batches are searched as they are`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    try context.batchInsert(Book.self, 1...20) { number, book in
      book.set(\.title, to: "Book \(number)")
      book.set(\.pages, to: Int32(number))
    }
    while try !store.catchUpSearch() {}
    try context.batchUpdate(Book.self, where: .greater("pages", 15)) {
      $0.set(\.title, to: "Long")
    }
    #expect(try titles(context, try .words("title", "long")).count == 5)
    #expect(try titles(context, try .words("title", "book")).count == 15)
    try context.batchDelete(Book.self, where: .less("pages", 11))
    #expect(try titles(context, try .words("title", "book")).count == 5)
    while try !store.catchUpSearch() {}
    #expect(try titles(context, try .words("title", "long")).count == 5)
    #expect(try titles(context, try .words("title", "book*")).count == 5)
  }

  @Test func `PS-15 searches follow relationships to one object and to many`() throws {
    let coordinator = try open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let store = try #require(coordinator.store as? SQLiteStore)
    for (name, book) in [("Stanisław Lem", "Eden"), ("Philip Dick", "Ubik")] {
      let author = try context.insert(Author.self) { $0.name = name }
      let book = try context.insert(Book.self) { $0.title = book }
      book.author = author
    }
    _ = try context.insert(Book.self) { $0.title = "Anonymous" }
    try context.save()
    for isIndexed in [false, true] {
      if isIndexed { while try !store.catchUpSearch() {} }
      let fresh = coordinator.context()
      let byName = try FetchPredicate.words("author.name", "stanisław")
      #expect(try titles(fresh, byName) == ["Eden"])
      #expect(try titles(fresh, .not(byName)) == ["Anonymous", "Ubik"])
      let request = FetchRequest<Author>(where: .any("books", try .words("title", "ubik")))
      #expect(try fetchedNames(fresh, request) == ["Philip Dick"])
      let both = try FetchPredicate.words(["title", "author.name"], "lem eden")
      #expect(try titles(fresh, both) == ["Eden"])
    }
  }

  private func fetchedNames(
    _ context: ManagedObjectContext, _ request: FetchRequest<Author>
  ) throws -> [String] {
    try context.fetch(request).map(\.name)
  }
}
