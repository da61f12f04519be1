import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct BatchTests {
  let recorder = LogRecorder()
  let library: Library
  let context: ManagedObjectContext
  let request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])

  init() throws {
    library = try Library(recorder: recorder)
    try library.fill(authors: 10, books: 10)
    context = library.context()
    context.faultPolicy = .refuse
  }

  func expectedTitles() throws -> [String] {
    (0..<10).flatMap { author in (0..<10).map { "A\(author)B\($0)" } }
  }

  @Test func `a batch is read when one of its objects is asked for (PF-06)`() throws {
    let (books, keys) = try recorder.selects { try context.fetch(request, batchSize: 15) }
    #expect(keys.count == 1)
    #expect(keys.allSatisfy { !$0.contains("title\" FROM") && !$0.contains("\"pages\"") })
    #expect(books.count == 100)
    let (title, first) = recorder.selects { books[37].title }
    #expect(title == "A3B7")
    #expect(first.count == 1)
    let (_, near) = recorder.selects { (30..<45).map { books[$0].title } }
    #expect(near == [])
    let (titles, all) = recorder.selects { books.map(\.title) }
    #expect(try titles == expectedTitles())
    #expect(all.count == 6)
    #expect(context.statistics.faultsFired == 0)
    try context.save()
  }

  @Test func `a collection is one of random access (PF-06)`() throws {
    let books = try context.fetch(request, batchSize: 10)
    let (found, selects) = recorder.selects {
      books.reversed().prefix(3).map(\.title) + books[40..<42].map(\.title)
    }
    #expect(found == ["A9B9", "A9B8", "A9B7", "A4B0", "A4B1"])
    #expect(selects.count == 2)
    #expect(books.first?.title == "A0B0")
    #expect(books.firstIndex { $0.title == "A2B5" } == 25)
    #expect(books.objectIDs.count == 100)
    #expect(books[3].objectID == books.objectIDs[3])
    #expect(try context.fetch(FetchRequest<Book>(where: .constant(false)), batchSize: 5).isEmpty)
  }

  @Test func `objects that the context has are not read again (PF-06)`() throws {
    let known = try context.fetch(request)
    let (books, _) = try recorder.selects { try context.fetch(request, batchSize: 10) }
    let (same, selects) = recorder.selects { zip(books, known).allSatisfy { $0 === $1 } }
    #expect(same)
    #expect(selects == [])
  }

  @Test func `a batch is read with what the request prefetches (PF-06)`() throws {
    var request = request
    request.prefetching = [\.author, \.tags]
    let books = try context.fetch(request, batchSize: 10)
    let (names, selects) = recorder.selects { books.prefix(10).map { $0.author?.name } }
    #expect(names == Array(repeating: "A0", count: 10))
    #expect(selects.count == 3)
    #expect(books.prefix(10).flatMap(\.tags).count == 20)
    try context.save()
  }

  @Test func `unsaved changes count, as in a fetch (PF-06)`() throws {
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    books[0].title = "zzz"
    try context.delete(books[1])
    let new = try library.book("new", in: context)
    let batches = try context.fetch(request, batchSize: 7)
    #expect(batches.count == 100)
    #expect(batches.map(\.title).suffix(2) == ["new", "zzz"])
    #expect(batches[98] === new)
  }

  @Test func `the collection is stable while rows change (PF-06)`() throws {
    let books = try context.fetch(request, batchSize: 10)
    #expect(books[0].title == "A0B0")
    let other = library.context()
    let theirs = try other.fetch(request)
    try other.delete(theirs[95])
    theirs[94].title = "0"
    _ = try library.book("00", in: other)
    try other.save()
    #expect(books.count == 100)
    #expect(books[94].title == "0")
    #expect(books[96].title == "A9B6")
    let gone = books[95]
    #expect(gone.objectID == theirs[95].objectID)
    #expect(gone.title == "")
    #expect(gone.faultError?.code == .rowGone)
    #expect(context.statistics.faultsFired == 0)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .rowGone)
  }

  @Test func `load reads ahead and names what is gone (PF-06)`() throws {
    let books = try context.fetch(request, batchSize: 10)
    let other = library.context()
    let doomed = try other.fetch(request)[12]
    let id = doomed.objectID
    try other.delete(doomed)
    try other.save()
    let (error, selects) = recorder.selects {
      #expect(throws: PersistenceError.self) { try books.load(5..<25) }
    }
    #expect(error?.code == .rowGone)
    #expect(error?.objectIDs == [id])
    #expect(selects.count == 1)
    let (_, later) = recorder.selects { books[5..<12].map(\.title) + books[13..<25].map(\.title) }
    #expect(later == [])
    try books.load(30..<60)
    try context.save()
  }

  @Test func `a batch that cannot be read is an error of the next call (PF-06)`() throws {
    let books = try context.fetch(request, batchSize: 10)
    #expect(books[0].title == "A0B0")
    library.coordinator.close()
    #expect(books[50].title == "")
    #expect(throws: PersistenceError.self) { try books.load(60..<70) }
    let error = #expect(throws: PersistenceError.self) { try books.load(60..<70) }
    #expect(error?.code == .storeClosed)
  }

  @Test func `batches that are not held are dropped and read again (PF-06)`() throws {
    let books = try context.fetch(request, batchSize: 10)
    let held = books[5]
    for book in books { _ = book.title }
    #expect(context.registeredCount == 100)
    context.sweep()
    // The two last batches, and what the test holds.
    #expect(context.registeredCount == 21)
    let (title, selects) = recorder.selects { books[4].title }
    #expect(title == "A0B4")
    #expect(selects.count == 1)
    #expect(books[5] === held)
  }

  @Test func `a collection of sub-entities has their classes (PF-06)`() throws {
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [.ascending(\.title)]), batchSize: 3)
    #expect(books.prefix(4).map { $0 is Novel } == [false, false, true, false])
    let novels = try context.fetch(FetchRequest<Novel>(), batchSize: 100)
    #expect(novels.count == 30)
    #expect(novels.allSatisfy { $0.title.hasPrefix("A") })
  }

  @Test func `off its owner a collection reads nothing (PF-06)`() throws {
    let context = library.context("bound", owner: .currentThread)
    final class Box: @unchecked Sendable {
      var books: FetchedObjects<Book>?
      var title: String?
    }
    let box = Box()
    box.books = try context.fetch(request, batchSize: 10)
    library.coordinator.sendReports { _ in }
    ThreadRunner { box.title = box.books?[0].title }.join()
    #expect(box.title == "")
    let error = #expect(throws: PersistenceError.self) { try context.fetch(request) }
    #expect(error?.code == .wrongOwner)
    #expect(box.books?[0].title == "A0B0")
  }
}
