import OxbowContext
import OxbowModel
import OxbowStore
import Testing

@Suite struct RelationshipTests {
  let library: Library

  init() throws { library = try Library() }

  @Test func `both ends of a to-one and a to-many change together (PG-01)`() throws {
    let context = library.context()
    let (ann, bob) = (try author("Ann", context), try author("Bob", context))
    let book = try library.book("x", in: context)
    book.author = ann
    #expect(ann.books == [book])
    book.author = bob
    #expect(ann.books == [])
    #expect(bob.books == [book])
    ann.books = [book]
    #expect(book.author == ann)
    #expect(bob.books == [])
    ann.books = []
    #expect(book.author == nil)
  }

  @Test func `ends change together on stored objects, loaded or not`() throws {
    let context = library.context()
    let (ann, bob) = (try author("Ann", context), try author("Bob", context))
    let books = try (1...3).map { try library.book("\($0)", in: context) }
    for book in books { book.author = ann }
    try context.save()

    let other = library.context()
    let mine = try other.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    let toBob = try other.existingObject(with: bob.objectID, as: Author.self)
    mine[0].author = toBob
    #expect(toBob.books == [mine[0]])
    #expect(mine[1].author?.books == [mine[1], mine[2]])
    try other.save()

    let third = library.context()
    let bobs = try third.existingObject(with: bob.objectID, as: Author.self).books
    #expect(bobs.map(\.title) == ["1"])
  }

  @Test func `many-to-many links are kept in both directions (PG-04)`() throws {
    let context = library.context()
    let tags = try ["red", "blue"].map { try tag($0, context) }
    let books = try ["a", "b"].map { try library.book($0, in: context) }
    books[0].tags = Set(tags)
    tags[0].books.append(books[1])
    #expect(books[1].tags == [tags[0]])
    try context.save()

    let other = library.context()
    let found = try other.fetch(FetchRequest<Tag>(sortedBy: [SortKey("name")]))
    #expect(found.map { $0.books.map(\.title) } == [["a"], ["a", "b"]])
    found[1].books = []
    try other.save()
    let third = library.context()
    let book = try #require(try third.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")])).first)
    #expect(book.tags.map(\.name) == ["blue"])
  }

  @Test func `the order of an ordered relationship is kept (PG-03)`() throws {
    let context = library.context()
    let red = try tag("red", context)
    let books = try ["a", "b", "c"].map { try library.book($0, in: context) }
    red.books = [books[2], books[0], books[1]]
    try context.save()
    let other = library.context()
    let found = try #require(try other.fetch(FetchRequest<Tag>()).first)
    #expect(found.books.map(\.title) == ["c", "a", "b"])
    found.books = [found.books[1], found.books[2], found.books[0]]
    try other.save()
    let third = library.context()
    #expect(try third.fetch(FetchRequest<Tag>()).first?.books.map(\.title) == ["a", "b", "c"])
  }

  @Test func `deleting an author deletes the books (PG-02 cascade)`() throws {
    let context = library.context()
    let ann = try author("Ann", context)
    for title in ["a", "b"] { try library.book(title, in: context).author = ann }
    let other = try library.book("other", in: context)
    try context.save()
    try context.delete(ann)
    #expect(try context.fetch(FetchRequest<Book>()) == [other])
    try context.save()
    #expect(try library.titlesOnDisk() == ["other"])
    #expect(try library.context().count(FetchRequest<Author>()) == 0)
  }

  @Test func `deleting a book takes it out of its relationships (PG-02 nullify)`() throws {
    let context = library.context()
    let ann = try author("Ann", context)
    let red = try tag("red", context)
    let book = try library.book("a", in: context)
    book.author = ann
    book.tags = [red]
    try context.save()
    try context.delete(book)
    #expect(ann.books == [])
    #expect(red.books == [])
    try context.save()
    #expect(try library.context().count(FetchRequest<Author>()) == 1)
    #expect(try library.context().fetch(FetchRequest<Tag>()).first?.books == [])
  }

  @Test func `deleting a new object leaves nothing to save`() throws {
    let context = library.context()
    let book = try library.book("a", in: context)
    try context.delete(book)
    #expect(!context.hasChanges)
    try context.save()
    #expect(context.statistics.saves == 0)
  }

  @Test func `an object of another context is refused`() throws {
    let context = library.context("mine")
    let foreign = try author("Ann", library.context("theirs"))
    let book = try library.book("a", in: context)
    book.author = foreign
    #expect(book.author == nil)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .foreignObject)
    #expect("\(error!)".contains("'theirs'"))
  }

  func author(_ name: String, _ context: ManagedObjectContext) throws -> Author {
    let author = try context.insert(Author.self)
    author.name = name
    return author
  }

  func tag(_ name: String, _ context: ManagedObjectContext) throws -> Tag {
    let tag = try context.insert(Tag.self)
    tag.name = name
    return tag
  }
}
