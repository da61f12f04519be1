import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct TemplateTests {
  let context: ManagedObjectContext

  init() throws {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    let model = ManagedObjectModel(types: types).adding(fetchRequestTemplates: [
      FetchRequestTemplate(
        "booksOf", entity: "Book",
        where: try FetchPredicate(format: "author.name == $name AND pages IN $pages")),
      FetchRequestTemplate("anyBook", entity: "Book", limit: 1, includesSubentities: false),
      FetchRequestTemplate(
        "booksBy", entity: "Book", where: try FetchPredicate(format: "author == $author")),
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: types), at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator)
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    for (title, pages) in [("Solaris", 204), ("Fiasco", 322), ("Eden", 1)] {
      try context.insert(Novel.self) { novel in
        novel.title = title
        novel.pages = Int32(pages)
        novel.author = author
      }
    }
    try context.insert(Book.self) { $0.title = "Ubik" }
    try context.save()
  }

  @Test func `a template finds objects with values for its variables (PF-13)`() throws {
    let books: [Book] = try context.fetch(
      template: "booksOf", ["name": "Lem", "pages": [204, 322]], sortedBy: [.ascending(\.title)])
    #expect(books.map(\.title) == ["Fiasco", "Solaris"])
    #expect(try context.fetch(template: "anyBook", as: Book.self).map(\.title) == ["Ubik"])
    let author = try #require(try context.fetch(Author.self).first)
    #expect(try context.fetch(template: "booksBy", ["author": author], as: Book.self).count == 3)
    #expect(try context.fetch(template: "booksBy", ["author": nil], as: Book.self).count == 1)
  }

  @Test func `a template is a request that can be completed (PF-13)`() throws {
    var request = try context.request(
      template: "booksOf", ["name": "Lem", "pages": [1, 204]], as: Book.self)
    request.prefetching = [\.author]
    request.limit = 1
    #expect(try context.fetch(request).count == 1)
    #expect(try context.count(request) == 1)
  }

  @Test func `an unknown template and a missing value are named (PF-13)`() throws {
    let unknown = #expect(throws: PersistenceError.self) {
      try context.fetch(template: "bookOf", as: Book.self)
    }
    #expect(unknown?.code == .unknownTemplate)
    #expect(
      unknown.map { "\($0)" } == """
        the model has no fetch request template 'bookOf'; it has 'anyBook', 'booksBy', 'booksOf'
          did you mean: 'booksOf'?
        """)
    let missing = #expect(throws: PersistenceError.self) {
      try context.fetch(template: "booksOf", ["name": "Lem"], as: Book.self)
    }
    #expect(missing?.code == .invalidPredicate)
    #expect(missing?.message.contains("'$pages'") == true)
    let mismatch = #expect(throws: PersistenceError.self) {
      try context.fetch(template: "anyBook", as: Author.self)
    }
    #expect(mismatch?.code == .classMismatch)
  }

  @Test func `templates are not part of what a store has (PF-13)`() {
    let plain = ManagedObjectModel(entities: [Tag.entityDescription])
    let other = plain.adding(fetchRequestTemplates: [FetchRequestTemplate("all", entity: "Tag")])
    #expect(other != plain)
    #expect(other.versionHash == plain.versionHash)
    #expect(
      other.adding(fetchRequestTemplates: [FetchRequestTemplate("all", entity: "Tag", limit: 1)])
        .fetchRequestTemplates.map(\.limit) == [1])
  }
}
