import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// Sort keys as typed paths; how values compare is a matter of the terms of an order.
@Suite struct SortKeyTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
    let authors = try ["Lem", "Dick"].map { name in
      try context.insert(Author.self) { ($0.name, $0.age) = (name, name == "Lem" ? 84 : nil) }
    }
    try context.insert(Book.self) { ($0.title, $0.author) = ("Eden", authors[0]) }
    try context.insert(Book.self) { ($0.title, $0.author) = ("Ubik", authors[1]) }
    try context.insert(Novel.self) {
      ($0.title, $0.author, $0.genre) = ("Solaris", authors[0], "sf")
    }
  }

  @Test func `a path has the names of its steps`() {
    #expect(SortKey<Book>(\.title) == SortKey<Book>("title"))
    #expect(SortKey<Book>.descending(\.pages) == SortKey<Book>("pages", ascending: false))
    #expect(SortKey<Author>.ascending(\.age).path == ["age"])
    #expect(SortKey<Book>.ascending(\.author?.name).path == ["author", "name"])
    #expect(SortKey<Book>.ascending(\.author!.age).path == ["author", "age"])
  }

  @Test func `inherited properties are found from the class below, and in generic code`() {
    func title<B: Book>(of type: B.Type) -> SortKey<B> { .ascending(\.title) }
    #expect(SortKey<Novel>.ascending(\.title).path == ["title"])
    #expect(SortKey<Novel>.ascending(\.author?.name).path == ["author", "name"])
    #expect(title(of: Novel.self).path == ["title"])
    #expect(title(of: Book.self).path == ["title"])
  }

  @Test func `an order follows relationships, saved or not`() throws {
    for _ in 0..<2 {
      let books = try context.fetch(
        Book.self, sortedBy: [.descending(\.author?.name), .ascending(\.title)])
      #expect(books.map(\.title) == ["Eden", "Solaris", "Ubik"])
      let byAge = try context.fetch(Book.self, sortedBy: [.ascending(\.author?.age)], limit: 1)
      #expect(byAge.map(\.title) == ["Ubik"])
      try context.save()
    }
  }

  @Test func `a step that is not stored is an error of the fetch, which names those that are`()
    throws
  {
    let first = SortKey<Book>.ascending(\.shout)
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, sortedBy: [first])
    }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message == """
        a sort key for 'Book' cannot be used: the step is not a stored property of the entity 'Book'; \
        it has 'author', 'pages', 'tags', 'title'
        """)
    let second = #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, sortedBy: [.descending(\.author?.initial)])
    }
    #expect(
      second?.message == """
        a sort key for 'Book' cannot be used: the step after 'author' is not a stored property of the \
        entity 'Author'; it has 'age', 'books', 'name'
        """)
  }

  @Test func `a name that the model does not have is an error of the fetch, with near names`()
    throws
  {
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, sortedBy: [SortKey("author.nam")])
    }
    #expect(error?.code == .unknownProperty)
    #expect(error?.description.contains("did you mean: 'name'?") == true)
  }
}

extension Book { fileprivate var shout: String { title.uppercased() } }
extension Author { fileprivate var initial: String? { name.first.map { String($0) } } }
