import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

/// A store of the library's entities in memory, made anew for each test.
struct Library {
  let coordinator: PersistentStoreCoordinator

  init() throws {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    let compiled = try CompiledModel(ManagedObjectModel(types: types), classes: types)
    coordinator = try PersistentStoreCoordinator(compiled, at: .inMemory)
  }

  func context(_ name: String = "context", owner: ContextOwner = .holder) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name, owner: owner)
  }

  func book(_ title: String, pages: Int32 = 0, in context: ManagedObjectContext) throws -> Book {
    let book = try context.insert(Book.self)
    book.title = title
    book.pages = pages
    return book
  }

  /// A saved book of an author as two contexts have it.
  func sharedBook(
    _ mine: ManagedObjectContext, _ theirs: ManagedObjectContext
  ) throws -> (mine: Book, theirs: Book) {
    let author = try mine.insert(Author.self) { $0.name = "A" }
    let book = try book("title", pages: 1, in: mine)
    book.author = author
    try mine.save()
    return (book, try theirs.existingObject(with: book.objectID, as: Book.self))
  }

  /// The titles that a fresh context finds, sorted.
  func titlesOnDisk() throws -> [String] {
    try context().fetch(FetchRequest<Book>(sortedBy: [SortKey("title")])).map(\.title)
  }
}
