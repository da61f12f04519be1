import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import Synchronization
import Testing

/// PS-05: what a thread meets that got hold of another one's objects (review S-C2, S-C3).
@Suite struct OffOwnerTests {
  let library: Library
  let reports = Reports()

  init() throws {
    library = try Library()
    library.coordinator.sendReports { [reports] in reports.add($0) }
    let context = library.context()
    let book = try library.book("Solaris", pages: 204, in: context)
    let author = try context.insert(Author.self)
    author.name = "Lem"
    book.author = author
    try context.save()
  }

  /// Objects on their way to where they do not belong.
  struct Leak<Value>: @unchecked Sendable {
    // That it is none is what these tests are about.
    let value: Value
  }

  /// Runs `body` on another thread.
  func visit<Value, R: Sendable>(_ value: Value, _ body: @escaping @Sendable (Value) -> R) throws
    -> R
  {
    let leak = Leak(value: value)
    let result = Lock<R?>(nil)
    ThreadRunner {
      let found = body(leak.value)
      result.withLock { $0 = found }
    }.join()
    return try #require(result.withLock { $0 })
  }

  /// A book in a context of this thread.
  func ownBook() throws -> (ManagedObjectContext, Book) {
    let context = library.context("owner", owner: .currentThread)
    return (context, try #require(context.fetch(FetchRequest<Book>()).first))
  }

  @Test func `a getter of a clean object returns a stand-in, and the owner is thrown the visit`()
    throws
  {
    let (context, book) = try ownBook()
    #expect(try visit(book) { $0.title } == "")
    #expect(try visit(book) { $0.pages } == 0)
    #expect(reports.texts.count == 2)
    #expect(reports.texts.first?.contains("the object 'Book/p1' was used off its owner") == true)
    #expect(reports.texts.first?.contains("reading 'title'") == true)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .wrongOwner)
    try context.save()
    #expect(book.title == "Solaris")
  }

  @Test func `a visit that is made again and again is reported once until the owner was thrown it`()
    throws
  {
    let (context, book) = try ownBook()
    _ = try visit(book) { book in (0..<100).reduce(0) { $0 + $1 + book.title.utf8.count } }
    #expect(reports.texts.count == 1)
    #expect(throws: PersistenceError.self) { try context.save() }
    _ = try visit(book) { $0.title }
    #expect(reports.texts.count == 2)
  }

  @Test func `an edit of the owner is not seen, and none can be made`() throws {
    let (context, book) = try ownBook()
    book.title = "Eden"
    #expect(try visit(book) { $0.title } == "")
    _ = try visit(book) { book in
      book.title = "Fiasco"
      book.author = nil
      book.tags = []
      return 0
    }
    #expect(book.title == "Eden")
    #expect(book.author?.name == "Lem")
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.save()
    #expect(try library.titlesOnDisk() == ["Eden"])
  }

  @Test func `relationships and states are refused`() throws {
    let (context, book) = try ownBook()
    book.pages = 1
    #expect(try visit(book) { $0.author == nil && $0.tags.isEmpty && $0.context == nil })
    #expect(try visit(book) { !$0.hasChanges && !$0.isUpdated && !$0.isFault && !$0.isInserted })
    #expect(try visit(book) { !$0.isDeleted && $0.faultError == nil })
    #expect(book.isUpdated)
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.save()
  }

  @Test func `an object's ID and its description are for everybody`() throws {
    let (context, book) = try ownBook()
    let id = book.objectID
    #expect(try visit(book) { $0.objectID } == id)
    #expect(
      try visit(book) { "\($0) \($0.entityName) \(Mirror(reflecting: $0).children.count)" }
        == "Book/p1 Book 1")
    #expect(reports.texts.isEmpty)
    try context.save()
  }

  @Test func `calls by name throw`() throws {
    let (context, book) = try ownBook()
    try context.refresh(book)
    let codes = try visit(book) { book in
      [
        code { _ = try book.value("title", as: String.self) },
        code { try book.setValue("Eden", for: "title") },
        code { _ = try book.objects("author") },
        code { try book.setObjects([], for: "tags") },
      ]
    }
    #expect(codes == Array(repeating: .wrongOwner, count: 4))
    #expect(book.title == "Solaris")
    try context.save()
  }

  @Test func `a visitor does not take the owner's pending error`() throws {
    let (context, book) = try ownBook()
    let gone = try #require(context.object(with: try idOfDeletedBook()) as? Book)
    #expect(gone.title == "")
    #expect(
      try visit(book) { book in code { _ = try book.value("title", as: String.self) } }
        == .wrongOwner)
    #expect(code { try context.save() } == .rowGone)
  }

  @Test func `a stand-in is reported again after a load has failed`() throws {
    let (context, _) = try ownBook()
    let gone = try #require(context.object(with: try idOfDeletedBook()) as? Book)
    #expect(gone.title == "")
    #expect(code { try context.save() } == .rowGone)
    #expect(code { try context.load([gone]) } == .rowGone)
    #expect(gone.title == "")
    #expect(gone.faultError?.code == .rowGone)
    #expect(code { try context.save() } == .rowGone)
    #expect(code { _ = try context.existingObject(with: gone.objectID, as: Book.self) } == .rowGone)
    #expect(gone.title == "")
    #expect(code { try context.save() } == .rowGone)
  }

  @Test func `what a context cannot throw it refuses`() throws {
    let (context, book) = try ownBook()
    book.pages = 1
    let id = book.objectID
    let isRefused = try visit(context) { context in
      context.sweep()
      return context.registeredObject(for: id) == nil && context.registeredCount == 0
        && !context.hasChanges && context.registeredObjects.isEmpty
        && context.insertedObjects.isEmpty && context.updatedObjects.isEmpty
        && context.deletedObjects.isEmpty
    }
    #expect(isRefused)
    #expect(reports.texts.count == 8)
    #expect(reports.texts.allSatisfy { $0.contains("the context was used off its owner") })
    #expect(code { try context.save() } == .wrongOwner)
    #expect(context.hasChanges)
    #expect(context.registeredObject(for: id) === book)
  }

  @Test func `visitors read while the owner exchanges the rows`() throws {
    let (context, book) = try ownBook()
    let leak = Leak(value: book)
    let id = book.objectID
    let flag = Flag()
    let seen = Lock<Set<String>>([])
    let visitors = (0..<3).map { _ in
      ThreadRunner {
        while !flag.isSet.load(ordering: .relaxed) {
          let book = leak.value
          let text = "\(book.title)\(book.pages)\(book.isFault)\(book.author == nil) \(book)"
          let isRight = book.objectID == id
          _ = seen.withLock { $0.insert("\(text) \(isRight)") }
        }
      }
    }
    for round in 0..<500 {
      if round % 2 == 0 {
        book.title = "Solaris \(round)"
        // Each visit makes one call throw.
        while code({ try context.save() }) != nil {}
      } else {
        while code({ try context.refresh(book) }) != nil {}
        #expect(book.title == "Solaris \(round - 1)")
      }
    }
    flag.isSet.store(true, ordering: .relaxed)
    for visitor in visitors { visitor.join() }
    #expect(seen.withLock { $0 }.isSubset(of: ["0falsetrue Book/p1 true"]))
    #expect(try library.titlesOnDisk() == ["Solaris 498"])
  }

  @Test func `the last reference to a context may be dropped while its objects are used`() throws {
    for _ in 0..<200 {
      let book: Book
      var leak: Leak<ManagedObjectContext>?
      do {
        let (context, own) = try ownBook()
        book = own
        leak = Leak(value: context)
      }
      let dropped = Lock(leak)
      leak = nil
      let runner = ThreadRunner { dropped.withLock { $0 = nil } }
      for _ in 0..<20 {
        let name = book.author?.name
        #expect(name == nil || name == "Lem" || name == "")
        book.pages += 1
      }
      runner.join()
      #expect(book.context == nil)
    }
  }

  /// The ID of a book that is no longer there.
  private func idOfDeletedBook() throws -> ManagedObjectID {
    let context = library.context()
    let book = try library.book("Gone", in: context)
    try context.save()
    let id = book.objectID
    try context.delete(book)
    try context.save()
    return id
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }
}

/// The code of the error that `body` throws.
func code(_ body: () throws -> Void) -> PersistenceError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? PersistenceError)?.code
  }
}
