import Dispatch
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct StreamTests {
  let recorder = LogRecorder()
  let library: Library

  init() throws {
    library = try Library(recorder: recorder, at: .temporary)
    try library.fill(authors: 10, books: 10)
  }

  /// A condition that no row meets and that takes forever to find out.
  static let endless = FetchPredicate.sql(
    """
    EXISTS (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
    SELECT 1 FROM c WHERE n < 0)
    """)

  func titles() throws -> [String] {
    try library.context().fetch(Book.self, sortedBy: [.ascending(\.title)]).map(\.title)
  }

  @Test func `values come page by page, each page with one statement (PF-12)`() async throws {
    let before = recorder.statements.count
    var sizes: [Int] = []
    var titles: [String] = []
    let stream = library.coordinator.stream(FetchRequest<Book>(), pageSize: 30) { $0.title }
    for try await page in stream.pages {
      sizes.append(page.count)
      titles += page
    }
    #expect(sizes == [30, 30, 30, 10])
    #expect(try titles.sorted() == self.titles())
    let selects = recorder.statements.dropFirst(before).filter { $0.contains(" AS t0") }
    #expect(selects.filter { $0.contains("t0.\"_id\" > ?") }.count == 3)
    #expect(selects.filter { $0.contains("LIMIT ?") }.count == 4)
  }

  @Test func `elements keep the order, the limit and the offset of the request (PF-12)`()
    async throws
  {
    let request = FetchRequest<Book>(
      where: .greater("pages", 99), sortedBy: [.descending(\.title)], limit: 25, offset: 5)
    var streamed: [String] = []
    for try await title in library.coordinator.stream(request, pageSize: 7, row: { $0.title }) {
      streamed.append(title)
    }
    #expect(try streamed == library.context().fetch(request).map(\.title))
    #expect(streamed.count == 25)
  }

  @Test func `an empty result ends at once, and an iterator may be asked again (PF-12)`()
    async throws
  {
    for request in [
      FetchRequest<Book>(where: .constant(false)),
      FetchRequest<Book>(where: .constant(false), sortedBy: [.ascending(\.title)]),
    ] {
      var iterator = library.coordinator.stream(request) { $0.title }.makeAsyncIterator()
      #expect(try await iterator.next() == nil)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func `a stream crosses isolation and prefetches (PF-12)`() async throws {
    var request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    request.prefetching = [\.author, \.tags]
    let stream = library.coordinator.stream(request, pageSize: 50) { book in
      (book.author?.name, book.tags.count)
    }
    let (count, tags) = try await Task.detached {
      var (count, tags) = (0, 0)
      for try await (author, number) in stream {
        if author != nil { count += 1 }
        tags += number
      }
      return (count, tags)
    }.value
    #expect(count == 100)
    #expect(tags == 200)
  }

  @Test func `a page is not read before it is asked for (PF-12)`() async throws {
    var iterator = library.coordinator.stream(FetchRequest<Book>(), pageSize: 1) { $0.title }
      .makeAsyncIterator()
    _ = try await iterator.next()
    let before = recorder.statements.count
    _ = try await iterator.next()
    let selects = recorder.statements.dropFirst(before).filter { $0.contains(" AS t0") }
    #expect(selects.count == 1)
  }

  @Test func `an error ends the sequence (PF-12)`() async throws {
    let request = FetchRequest<Book>(where: .equal("titel", "x"))
    var iterator = library.coordinator.stream(request) { $0.title }.makeAsyncIterator()
    let error = await #expect(throws: PersistenceError.self) { try await iterator.next() }
    #expect(error?.code == .unknownProperty)
    #expect(try await iterator.next() == nil)
  }

  @Test func `a row that fails ends the sequence (PF-12)`() async throws {
    let stream = library.coordinator.stream(FetchRequest<Book>(), pageSize: 10) {
      book throws(PersistenceError) in
      try book.value("pages", as: String.self)
    }
    let error = await #expect(throws: PersistenceError.self) { for try await _ in stream {} }
    #expect(error?.code != .cancelled)
  }

  // MARK: Cancelling

  @Test func `a cancelled task reads no further page (PF-12)`() async throws {
    let stream = library.coordinator.stream(FetchRequest<Book>(), pageSize: 10) { $0.title }
    let task = Task {
      var count = 0
      do throws(PersistenceError) {
        for try await _ in stream {
          count += 1
          withUnsafeCurrentTask { $0?.cancel() }
        }
      } catch { return (count, error.code) }
      return (count, .unsupported)
    }
    // The first page had been read when the task was cancelled.
    let (count, code) = await task.value
    #expect(count == 10)
    #expect(code == .cancelled)
  }

  @Test(arguments: [StoreLocation.temporary, .inMemory])
  func `cancelling stops the statement that runs, and no other (PF-12)`(
    location: StoreLocation
  ) throws {
    let library = try Library(recorder: LogRecorder(), at: location)
    try library.fill()
    var fetch = StoreFetch(
      entity: try library.coordinator.model.requireEntity(named: "Book").index)
    fetch.predicate = Self.endless
    let cancellation = ReadCancellation()
    fetch.cancellation = cancellation
    let (store, endless) = (library.coordinator.store, fetch)
    let code = Lock<PersistenceError.Code?>(nil)
    let reading = ThreadRunner {
      do throws(PersistenceError) {
        _ = try store.rows(of: endless)
      } catch { code.withLock { $0 = error.code } }
    }
    // No task waits: behind other tests, it would let the statement run for minutes.
    while !cancellation.isReading {}
    cancellation.cancel()
    reading.join()
    #expect(code.withLock { $0 } == .cancelled)
    let again = #expect(throws: PersistenceError.self) { try store.rows(of: endless) }
    #expect(again?.code == .cancelled)
    // The reader that was stopped serves others.
    for _ in 0..<10 { #expect(try library.titlesOnDisk().count == 6) }
  }

  @Test func `cancelling the task of a loop stops its statement (PF-12)`() async throws {
    for sortKeys in [[], [SortKey<Book>.ascending(\.title)]] {
      let stream = library.coordinator.stream(
        FetchRequest<Book>(where: Self.endless, sortedBy: sortKeys)
      ) { $0.title }
      let task = Task { () -> PersistenceError.Code? in
        do throws(PersistenceError) {
          for try await _ in stream {}
          return nil
        } catch { return error.code }
      }
      // From a thread of its own: the reads of this and other tests may have all of the pool's.
      let canceller = ThreadRunner { task.cancel() }
      #expect(await task.value == .cancelled)
      canceller.join()
    }
  }

  // MARK: Objects

  @Test func `an actor streams the objects of its context (PF-12)`() async throws {
    let worker = Worker(library)
    #expect(try await worker.raise(pageSize: 7) == 100)
    let pages = try library.context().fetch(Book.self).map(\.pages).reduce(0, +)
    #expect(pages == 45_550)
  }

  @Test func `a task streams the objects of its own context (PF-12)`() async throws {
    let context = library.context()
    var titles: [String] = []
    let request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    for try await book in context.stream(request, pageSize: 9) {
      #expect(book.context === context)
      titles.append(book.title)
    }
    #expect(try titles == self.titles())
    #expect(context.statistics.faultsFired == 0)
  }

  @Test func `unsaved changes count in a stream of objects (PF-12)`() async throws {
    let context = library.context()
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    books[0].title = "zzz"
    try context.delete(books[1])
    _ = try library.book("new", in: context)
    var titles: [String] = []
    let request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    for try await book in context.stream(request, pageSize: 9) { titles.append(book.title) }
    #expect(titles == (try context.fetch(request).map(\.title)))
    #expect(titles.suffix(2) == ["new", "zzz"])
    #expect(titles.count == 100)
  }

  @Test func `what is deleted on the way is left out (PF-12)`() async throws {
    let context = library.context()
    let doomed = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])[50]
    var count = 0
    for try await _ in context.stream(
      FetchRequest<Book>(sortedBy: [.ascending(\.title)]), pageSize: 10)
    {
      count += 1
      if count == 1 {
        try context.delete(doomed)
        try context.save()
      }
    }
    #expect(count == 99)
  }

  @Test func `a page that was read before a save shows what was saved (PF-12)`() async throws {
    let store = FailingStore(library.coordinator.store, [])
    let (reads, read) = AsyncStream.makeStream(of: Void.self)
    let (isFirst, isSaved) = (Lock(true), DispatchSemaphore(value: 0))
    store.spoil.withLock {
      $0 = { slab in
        let waits = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if waits {
          read.yield()
          isSaved.wait()
        }
        return slab
      }
    }
    let worker = Worker(
      ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    let reading = Task { try await worker.titles() }
    for await _ in reads { break }
    try await worker.change()
    isSaved.signal()
    let titles = try await reading.value
    #expect(titles.count == 99 && titles.contains("changed"))
    #expect(try titles.sorted() == self.titles().sorted())
  }

  @Test func `a cancelled task ends a stream of objects (PF-12)`() async throws {
    let worker = Worker(library)
    let task = Task { try await worker.raise(pageSize: 10, cancelling: true) }
    let error = await #expect(throws: PersistenceError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(await worker.count == 10)
  }
}

/// An actor that owns a context.
private actor Worker {
  let context: ManagedObjectContext
  private(set) var count = 0

  init(_ library: Library) { context = library.context("worker") }

  init(_ context: sending ManagedObjectContext) { self.context = context }

  func titles() async throws -> [String] {
    var titles: [String] = []
    for try await book in context.stream(FetchRequest<Book>()) { titles.append(book.title) }
    return titles
  }

  /// Renames the first book and deletes the last one.
  func change() throws {
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    books.first?.title = "changed"
    if let last = books.last { try context.delete(last) }
    try context.save()
  }

  /// Gives each book a page more.
  func raise(pageSize: Int, cancelling: Bool = false) async throws -> Int {
    for try await book in context.stream(FetchRequest<Book>(), pageSize: pageSize) {
      book.pages += 1
      count += 1
      if cancelling { withUnsafeCurrentTask { $0?.cancel() } }
    }
    try context.save()
    return count
  }
}
