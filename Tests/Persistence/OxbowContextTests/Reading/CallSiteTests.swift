import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import Testing

@Suite struct CallSiteTests {
  let library: Library

  init() throws {
    library = try Library()
    let context = library.context()
    let author = try context.insert(Author.self) { $0.name = "A" }
    for title in ["x", "y"] { try library.book(title, in: context).author = author }
    try context.save()
  }

  #if os(Linux)
    @Test func `a reported read names its call site when asked to (PF-04)`() throws {
      let reports = Lock<[String]>([])
      library.coordinator.sendReports { text in reports.withLock { $0.append(text) } }
      let context = library.context()
      context.faultPolicy = .log
      context.namesCallSites = true
      let books = try context.fetch(Book.self)
      _ = books[0].author?.name
      let line = #line - 1
      let report = try #require(reports.withLock { $0 }.first)
      #expect(report.contains("from the store at CallSiteTests.swift:\(line) in "))
    }

    @Test func `a refused read names its call site when asked to (PF-04)`() throws {
      let context = library.context()
      context.faultPolicy = .refuse
      context.namesCallSites = true
      let author = try #require(try context.fetch(Author.self).first)
      #expect(author.books.isEmpty)
      let line = #line - 1
      let error = #expect(throws: PersistenceError.self) { try context.fetch(Author.self) }
      #expect(error?.code == .faultRefused)
      #expect("\(error!)".contains("read at: CallSiteTests.swift:\(line) in "))
    }

    @Test func `a task notes its unplanned reads (PF-04)`() throws {
      let reads = UnplannedReads()
      try UnplannedReads.$current.withValue(reads) {
        let context = library.context()
        let books = try context.fetch(Book.self, prefetching: [\.author])
        _ = books.map { $0.author?.name }
        #expect(reads.all.isEmpty)
        _ = books.map(\.tags)
        #expect(reads.all.count == 1)
        let read = try #require(reads.all.first)
        #expect(read.text.contains("'tags' of 'Book/p1'"))
        #expect(read.site?.file.hasSuffix("CallSiteTests.swift") == true)
      }
      _ = try library.context().fetch(Book.self).map(\.tags)
      #expect(reads.all.count == 1)
    }
  #endif

  @Test func `no one asks, nothing is named (PF-04)`() throws {
    let reports = Lock<[String]>([])
    library.coordinator.sendReports { text in reports.withLock { $0.append(text) } }
    let context = library.context()
    context.faultPolicy = .log
    _ = try context.fetch(Book.self).map(\.tags)
    let report = try #require(reports.withLock { $0 }.first)
    #expect(report.hasSuffix("from the store"))
  }
}
