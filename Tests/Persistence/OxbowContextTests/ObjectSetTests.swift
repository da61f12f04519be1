import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// The sets of a context's objects.
@Suite struct ObjectSetTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  @Test func `each object is in the set of what the next save does with it`() throws {
    let kept = try library.book("kept", in: context)
    let changed = try library.book("changed", in: context)
    let doomed = try library.book("doomed", in: context)
    #expect(context.insertedObjects == [kept, changed, doomed])
    try context.save()
    #expect(context.insertedObjects.isEmpty)
    #expect(context.registeredObjects == [kept, changed, doomed])

    changed.title = "new"
    doomed.title = "gone"
    try context.delete(doomed)
    let added = try context.insert(Book.self) { $0.title = "added" }
    #expect(context.insertedObjects == [added])
    #expect(context.updatedObjects == [changed])
    #expect(context.deletedObjects == [doomed])
    #expect(context.registeredObjects.isSuperset(of: [kept, changed, added]))
  }

  @Test func `what is taken back is in no set`() throws {
    let book = try library.book("a", in: context)
    try context.save()
    book.title = "b"
    book.title = "a"
    #expect(context.updatedObjects.isEmpty)
    let brief = try library.book("brief", in: context)
    try context.delete(brief)
    #expect(context.insertedObjects.isEmpty)
    #expect(context.deletedObjects.isEmpty)
    book.title = "c"
    try context.rollback()
    #expect(context.updatedObjects.isEmpty)
    try context.reset()
    #expect(context.registeredObjects.isEmpty)
  }

  @Test func `a link changes the object that keeps it, and faults are registered`() throws {
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let book = try library.book("Eden", in: context)
    try context.save()
    author.books = [book]
    #expect(context.updatedObjects.contains(book))
    let other = library.context()
    let fault = try other.object(with: book.objectID)
    #expect(other.registeredObjects == [fault])
  }
}
