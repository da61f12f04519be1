import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// `refresh(_:mergingChanges:)`: edits become edits of the newer row.
@Suite struct RefreshMergingTests {
  let library: Library
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init() throws {
    library = try Library()
    mine = library.context("mine")
    theirs = library.context("theirs")
  }

  private func book() throws -> (mine: Book, theirs: Book) { try library.sharedBook(mine, theirs) }

  @Test func `edits stay, and everything else is as in the store (PF-02)`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    book.theirs.pages = 5
    let other = try theirs.insert(Author.self) { $0.name = "B" }
    book.theirs.author = other
    try theirs.save()
    book.mine.title = "mine"
    try mine.refresh(book.mine, mergingChanges: true)
    #expect(book.mine.title == "mine" && book.mine.pages == 5)
    #expect(book.mine.author?.name == "B" && book.mine.author?.books == [book.mine])
    #expect(book.mine.hasChanges && mine.hasChanges)
    // The save compares with the newer row.
    try mine.save()
    try theirs.refresh(book.theirs)
    #expect(book.theirs.title == "mine" && book.theirs.pages == 5)
  }

  @Test func `an edit that the store has already is none (PF-02)`() throws {
    let book = try book()
    book.theirs.title = "same"
    try theirs.save()
    book.mine.title = "same"
    try mine.refresh(book.mine, mergingChanges: true)
    #expect(!book.mine.hasChanges && !mine.hasChanges && book.mine.title == "same")
  }

  @Test func `members are read again, with what came and went on top (PF-02)`() throws {
    let book = try book()
    let author = try #require(book.mine.author)
    #expect(author.books == [book.mine])
    let added = try library.book("added here", pages: 2, in: mine)
    author.books.insert(added)
    let foreign = try library.book("added there", pages: 3, in: theirs)
    foreign.author = book.theirs.author
    try theirs.save()
    try mine.refresh(author, mergingChanges: true)
    #expect(Set(author.books.map(\.title)) == ["title", "added here", "added there"])
    try mine.save()
    try theirs.reset()
    let stored = try theirs.existingObject(with: author.objectID, as: Author.self)
    #expect(Set(stored.books.map(\.title)) == ["title", "added here", "added there"])
  }

  @Test func `an object without changes becomes a fault (PF-02)`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    try mine.refresh(book.mine, mergingChanges: true)
    #expect(book.mine.isFault && book.mine.title == "theirs")
  }

  @Test func `a deletion stays, and no longer conflicts (PF-02)`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    try mine.delete(book.mine)
    try mine.refresh(book.mine, mergingChanges: true)
    #expect(book.mine.isDeleted)
    try mine.save()
    #expect(try theirs.count(FetchRequest<Book>()) == 0)
  }

  @Test func `a row that is gone is said, and the edits are kept (PF-02)`() throws {
    let book = try book()
    try theirs.delete(book.theirs)
    try theirs.save()
    book.mine.title = "mine"
    let error = #expect(throws: PersistenceError.self) {
      try mine.refresh(book.mine, mergingChanges: true)
    }
    #expect(error?.code == .rowGone && error?.objectIDs == [book.mine.objectID])
    #expect(book.mine.title == "mine" && book.mine.hasChanges)
  }

  @Test func `new objects are left alone, and those of others refused (PF-02)`() throws {
    let new = try library.book("new", pages: 1, in: mine)
    try mine.refresh(new, mergingChanges: true)
    #expect(throws: PersistenceError.self) { try theirs.refresh(new, mergingChanges: true) }
    #expect(new.title == "new" && new.isInserted)
  }

  @Test func `refreshing all objects changes nothing if it fails (PF-02)`() throws {
    let book = try book()
    let second = try library.book("second", in: mine)
    try mine.save()
    book.theirs.title = "theirs"
    try theirs.delete(theirs.existingObject(with: second.objectID, as: Book.self))
    try theirs.save()
    book.mine.pages = 7
    second.pages = 7
    let error = #expect(throws: PersistenceError.self) { try mine.refreshAllObjects() }
    #expect(error?.code == .rowGone && error?.objectIDs == [second.objectID])
    #expect(book.mine.title == "title" && book.mine.pages == 7 && second.pages == 7)
    try mine.delete(second)
    try mine.refresh(book.mine, mergingChanges: true)
    #expect(book.mine.title == "theirs" && book.mine.pages == 7)
  }

  @Test func `an object that could not be read and is gone since is left by a refresh (PF-04)`()
    throws
  {
    let book = try book().theirs
    let reader = library.context("reader")
    reader.automaticallyMergesChangesFromParent = true
    reader.faultPolicy = .refuse
    let gone = try #require(reader.object(with: book.objectID) as? Book)
    #expect(gone.title == "")
    #expect(throws: PersistenceError.self) { try reader.load([]) }
    try theirs.delete(book)
    try theirs.save()
    try reader.load([])
    #expect(gone.context == nil)
    try reader.insert(Tag.self) { $0.name = "t" }
    let error = #expect(throws: PersistenceError.self) { try reader.save() }
    #expect(error?.code == .faultRefused)
    try reader.refresh(gone)
    try reader.save()
    let foreign = #expect(throws: PersistenceError.self) { try reader.refresh(gone) }
    #expect(foreign?.code == .foreignObject)
  }
}
