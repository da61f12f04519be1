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

  /// The titles that a fresh context finds, sorted.
  func titlesOnDisk() throws -> [String] {
    try context().fetch(FetchRequest<Book>(sortedBy: [SortKey("title")])).map(\.title)
  }
}
