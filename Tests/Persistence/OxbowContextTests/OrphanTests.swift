import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// Objects that belong to no context any more (review G-X-5, CD-018).
@Suite struct OrphanTests {
  let library: Library
  let reports = Reports()

  init() throws {
    library = try Library()
    library.coordinator.sendReports { [reports] in reports.add($0) }
    let context = library.context()
    let author = try context.insert(Author.self)
    author.name = "Lem"
    for title in ["Eden", "Solaris"] {
      let book = try library.book(title, in: context)
      book.author = author
    }
    try context.save()
  }

  /// How an object loses its context.
  enum End: CaseIterable {
    case gone, reset, deleted, undone, deletedBeforeItWasSaved

    /// Whether the context lives on.
    var leavesContext: Bool { self != .gone && self != .reset }

    var reason: String {
      switch self {
      case .gone, .reset: "its context 'owner' was reset or is gone"
      case .deleted: "it was deleted, and the deletion was saved"
      case .undone, .deletedBeforeItWasSaved: "it was new, and its insert was undone"
      }
    }
  }

  /// A book without a context, and the context if it lives on.
  func orphan(_ end: End) throws -> (
    Book, ManagedObjectContext?
  ) {
    let context = library.context("owner")
    guard end != .undone, end != .deletedBeforeItWasSaved else {
      let book = try library.book("Eden", in: context)
      if end == .undone { try context.rollback() } else { try context.delete(book) }
      return (book, context)
    }
    let request = FetchRequest<Book>(where: .equal("title", "Eden"))
    let book = try #require(try context.fetch(request).first)
    switch end {
    case .gone: return (book, nil)
    case .reset: try context.reset()
    default:
      try context.delete(book)
      try context.save()
    }
    return (book, context)
  }

  @Test(arguments: End.allCases)
  func `it keeps its attributes and belongs to no context`(end: End) throws {
    let (book, context) = try orphan(end)
    #expect(book.context == nil)
    #expect(book.title == "Eden")
    #expect(try book.value("title", as: String.self) == "Eden")
    #expect(!book.isFault)
    #expect(book.faultError == nil)
    #expect(reports.texts.isEmpty)
    try context?.save()
  }

  @Test(arguments: End.allCases)
  func `reading a relationship is an error`(end: End) throws {
    let (book, context) = try orphan(end)
    #expect(book.author == nil)
    let error = try #require(book.faultError)
    #expect(error.code == .foreignObject)
    #expect(error.message.contains("reading 'author' of '\(book)' had no effect"))
    #expect(error.message.contains(end.reason))
    #expect(error.objectIDs == [book.objectID])
    #expect(book.tags.isEmpty)
    #expect(reports.texts == ["\(error)"])
    #expect(code { _ = try book.objects("tags") } == .foreignObject)
    #expect(code { _ = try book.objects("author") } == .foreignObject)
    if end.leavesContext { #expect(code { try context?.save() } == .foreignObject) }
    try context?.save()
  }

  @Test(arguments: End.allCases)
  func `an edit is an error and changes nothing`(end: End) throws {
    let (book, context) = try orphan(end)
    book.title = "Fiasco"
    #expect(book.title == "Eden")
    #expect(book.faultError?.code == .foreignObject)
    #expect(book.faultError?.message.contains("changing 'title'") == true)
    #expect(reports.texts.count == 1)
    book.author = nil
    book.tags = []
    #expect(code { try book.setValue("Fiasco", for: "title") } == .foreignObject)
    #expect(code { try book.setObjects([], for: "tags") } == .foreignObject)
    if end.leavesContext { #expect(code { try context?.save() } == .foreignObject) }
    #expect(context?.hasChanges != true)
    try context?.save()
  }

  @Test func `W-4 after a reset nothing is new or changed any more`() throws {
    let context = library.context("owner")
    let request = FetchRequest<Book>(where: .equal("title", "Eden"))
    let edited = try #require(try context.fetch(request).first)
    let new = try library.book("new", in: context)
    edited.title = "edited"
    #expect(new.isInserted && edited.isUpdated && new.hasChanges && edited.hasChanges)
    try context.reset()
    for book in [edited, new] {
      #expect(!book.isInserted && !book.isUpdated && !book.isDeleted && !book.hasChanges)
    }
    #expect(edited.title == "edited" && new.title == "new")
  }

  @Test(arguments: [End.gone, .reset])
  func `what was not read is an error`(end: End) throws {
    let context = library.context("owner")
    let id = try #require(context.fetchIDs(FetchRequest<Book>()).first)
    var holder: ManagedObjectContext? = library.context("owner")
    let fault = try #require(holder?.object(with: id) as? Book)
    if end == .reset { try holder?.reset() } else { holder = nil }
    #expect(fault.isFault)
    #expect(fault.title == "")
    #expect(fault.faultError?.code == .foreignObject)
    #expect(code { _ = try fault.value("title", as: String.self) } == .foreignObject)
    #expect(fault.objectID == id)
  }

  @Test(arguments: [End.deleted, .undone])
  func `it cannot become the other end of a relationship`(end: End) throws {
    let (book, context) = try orphan(end)
    let living = try #require(context)
    let author = try #require(living.fetch(FetchRequest<Author>()).first)
    author.books.insert(book)
    #expect(code { try living.save() } == .foreignObject)
    #expect(author.books.map(\.title) == ["Solaris"] || author.books.count == 2)
    #expect(!author.books.contains(book))
    try living.save()
  }

  @Test(arguments: [End.gone, .reset])
  func `another context says why it refuses it`(end: End) throws {
    let (book, _) = try orphan(end)
    let other = library.context()
    let error = #expect(throws: PersistenceError.self) { try other.delete(book) }
    #expect(error?.code == .foreignObject)
    #expect(error?.message.contains("was reset or is gone") == true)
  }

  @Test func `the objects that a reset context fetches anew are its own`() throws {
    let context = library.context()
    let before = try #require(context.fetch(FetchRequest<Author>()).first)
    try context.reset()
    let after = try #require(context.fetch(FetchRequest<Author>()).first)
    #expect(before !== after)
    #expect(before.books.isEmpty)
    #expect(before.faultError != nil)
    #expect(after.books.count == 2)
    #expect(after.faultError == nil)
    try context.save()
  }
}
