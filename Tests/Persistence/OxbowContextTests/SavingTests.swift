import OxbowContext
import OxbowModel
import OxbowStore
import Testing

@Suite struct SavingTests {
  let library: Library

  init() throws { library = try Library() }

  @Test func `what was saved is found by another context`() throws {
    let context = library.context()
    let author = try context.insert(Author.self)
    author.name = "Ursula"
    author.age = 36
    let book = try context.insert(Book.self)
    book.title = "The Dispossessed"
    book.pages = 341
    book.author = author
    try context.save()

    let other = library.context()
    let found = try #require(try other.fetch(FetchRequest<Book>()).first)
    #expect(found.title == "The Dispossessed")
    #expect(found.pages == 341)
    #expect(found.author?.name == "Ursula")
    #expect(found.author?.age == 36)
    #expect(found.author?.books == [found])
  }

  @Test func `an object ID is a dictionary key across a save`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    var shelf = [book.objectID: "new"]
    let before = book.objectID.hashValue
    try context.save()
    #expect(shelf[book.objectID] == "new")
    #expect(book.objectID.hashValue == before)
    let found = try #require(try library.context().fetch(FetchRequest<Book>()).first)
    shelf[found.objectID] = "found"
    #expect(shelf == [book.objectID: "found"])
  }

  @Test func `saved objects keep their values and count as clean (PG-08)`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    #expect(book.isInserted)
    #expect(context.hasChanges)
    try context.save()
    #expect(!book.hasChanges)
    #expect(!context.hasChanges)
    #expect(book.title == "Solaris")
    book.pages = 204
    #expect(book.isUpdated)
    try context.save()
    #expect(book.pages == 204)
    #expect(book.title == "Solaris")
    #expect(try library.titlesOnDisk() == ["Solaris"])
  }

  @Test func `setting an equal value is not a change (PG-07)`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    try context.save()
    book.title = "Solaris"
    book.author = nil
    #expect(!context.hasChanges)
    try context.save()
    #expect(context.statistics.saves == 1)
  }

  @Test func `a save writes only what changed`() throws {
    let context = library.context()
    for title in ["a", "b", "c"] { _ = try library.book(title, in: context) }
    try context.save()
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    books[1].pages = 7
    try context.save()
    #expect(context.statistics.inserted == 3)
    #expect(context.statistics.updated == 1)
  }

  @Test func `two contexts that change one object conflict, and nothing of the second is written`()
    throws
  {
    let first = library.context()
    _ = try library.book("Solaris", in: first)
    try first.save()
    let second = library.context()
    let mine = try #require(try second.fetch(FetchRequest<Book>()).first)
    let theirs = try #require(try first.fetch(FetchRequest<Book>()).first)
    theirs.pages = 1
    try first.save()
    mine.pages = 2
    let extra = try library.book("Eden", in: second)
    let error = #expect(throws: PersistenceError.self) { try second.save() }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs == [mine.objectID])
    #expect(second.hasChanges)
    #expect(extra.isInserted)
    #expect(mine.pages == 2)
    #expect(try library.titlesOnDisk() == ["Solaris"])
  }

  @Test func `objects added to one owner by two contexts do not conflict`() throws {
    let first = library.context()
    let author = try first.insert(Author.self)
    author.name = "Stanisław"
    try first.save()
    for title in ["Eden", "Fiasco"] {
      let context = library.context()
      let book = try library.book(title, in: context)
      book.author = try context.existingObject(with: author.objectID, as: Author.self)
      try context.save()
    }
    #expect(try library.titlesOnDisk() == ["Eden", "Fiasco"])
  }

  @Test func `all broken rules are reported at once (PG-05)`() throws {
    let context = library.context()
    _ = try context.insert(Book.self)
    _ = try context.insert(Tag.self)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("'title' of 'Book/p1' has no value, but needs one"))
    #expect(text.contains("'name' of 'Tag/p1' has no value, but needs one"))
    #expect(try library.titlesOnDisk() == [])
  }

  @Test func `a rollback forgets new objects and edits`() throws {
    let context = library.context()
    let author = try context.insert(Author.self)
    let book = try library.book("Solaris", in: context)
    try context.save()
    book.title = "Eden"
    book.author = author
    try context.delete(author)
    let extra = try library.book("Fiasco", in: context)
    try context.rollback()
    #expect(book.title == "Solaris")
    #expect(book.author == nil)
    #expect(!author.isDeleted)
    #expect(!extra.isDeleted)
    #expect(!extra.isInserted)
    #expect(!extra.hasChanges)
    #expect(extra.context == nil)
    #expect(!context.hasChanges)
    #expect(try context.fetch(FetchRequest<Book>()) == [book])
  }

  @Test func `after a reset, objects keep their values and have no context`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    try context.save()
    try context.reset()
    #expect(book.context == nil)
    #expect(book.title == "Solaris")
    #expect(context.registeredCount == 0)
    let again = try #require(try context.fetch(FetchRequest<Book>()).first)
    #expect(again !== book)
    #expect(again.objectID == book.objectID)
  }

  @Test func `a refreshed object shows what others saved`() throws {
    let context = library.context()
    let book = try library.book("Solaris", in: context)
    try context.save()
    let other = library.context()
    let theirs = try other.existingObject(with: book.objectID, as: Book.self)
    theirs.pages = 9
    try other.save()
    #expect(book.pages == 0)
    try context.refresh(book)
    #expect(book.isFault)
    #expect(book.pages == 9)
  }
}
