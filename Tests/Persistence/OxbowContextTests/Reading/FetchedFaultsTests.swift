import OxbowContext
import OxbowModel
import OxbowTestSupport
import Testing

/// Fetches without property values.
@Suite struct FetchedFaultsTests {
  let recorder = LogRecorder()
  let library: Library

  init() throws { library = try Library(recorder: recorder) }

  /// A request for all books in the order of their titles, without their values.
  private func request() -> FetchRequest<Book> {
    var request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    request.includesPropertyValues = false
    return request
  }

  @Test func `objects without values are faults, and one read brings all their rows (PF-02)`()
    throws
  {
    try library.fill(authors: 2, books: 3)
    let context = library.context()
    let (books, selects) = try recorder.selects { try context.fetch(request()) }
    #expect(books.count == 6)
    #expect(books.filter(\.isFault).count == 6)
    #expect(selects.count == 1)
    let (titles, later) = recorder.selects { books.map(\.title) }
    #expect(titles == titles.sorted())
    #expect(later.count == 1)
    #expect(context.statistics.faultsFired == 1)
    #expect(books.filter(\.isFault).count == 0)
  }

  @Test func `objects that the context has met keep their rows and their edits (PF-02)`() throws {
    try library.fill(authors: 1, books: 3)
    let context = library.context()
    context.faultPolicy = .refuse
    let all = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    all[0].pages = 1815
    // The order is that of an attribute without edits, so the store alone decides.
    let again = try context.fetch(request())
    #expect(again.map(ObjectIdentifier.init) == all.map(ObjectIdentifier.init))
    #expect(again.map(\.pages).first == 1815)
    #expect(again.filter(\.isFault).count == 0)
    try context.save()
  }

  @Test func `unsaved changes that decide are counted in (PF-02, PF-06)`() throws {
    try library.fill(authors: 1, books: 3)
    let context = library.context()
    let new = try context.insert(Book.self)
    new.title = "A"
    let books = try context.fetch(request())
    #expect(books.count == 4)
    #expect(books.first === new)
    try context.delete(books[1])
    #expect(try context.fetch(request()).count == 3)
  }

  @Test func `a request without unsaved changes is answered alike in all forms (PF-06)`() throws {
    let context = library.context()
    _ = try library.book("new", in: context)
    var request = FetchRequest<Book>()
    request.includesPendingChanges = false
    let count = try context.fetch(request).count
    #expect(try context.fetch(request, batchSize: 10).count == count)
    #expect(try count == context.count(FetchRequest<Book>()) - 1)
  }

  @Test func `paths are read ahead for objects without values (PF-02, PF-05)`() throws {
    try library.fill(authors: 2, books: 3)
    let context = library.context()
    var request = request()
    request.prefetching = [\.author]
    let books = try context.fetch(request)
    let (names, selects) = recorder.selects { books.compactMap { $0.author?.name } }
    #expect(names.count == 6)
    #expect(selects == [])
  }

  @Test func `a fault that a fetch found and another context deleted says so (PF-02)`() throws {
    try library.fill(authors: 1, books: 1)
    let context = library.context()
    let book = try #require(try context.fetch(request()).first)
    let other = library.context()
    for book in try other.fetch(Book.self) { try other.delete(book) }
    try other.save()
    _ = book.title
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(book.faultError?.code == .rowGone)
  }
}
