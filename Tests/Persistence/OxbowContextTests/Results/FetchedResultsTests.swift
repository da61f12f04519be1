import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowContext

// PS-09

@Suite struct FetchedResultsTests {
  private let library: Library
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    library = try Library()
    mine = library.context("mine")
    theirs = library.context("theirs")
    for (title, pages) in [("b", 2), ("d", 4), ("f", 6)] {
      _ = try library.book(title, pages: Int32(pages), in: theirs)
    }
    try theirs.save()
  }

  private func byTitle(_ predicate: FetchPredicate? = nil) throws -> FetchedResults<Book> {
    try FetchedResults(
      FetchRequest<Book>(where: predicate, sortedBy: [SortKey("title")]), in: mine)
  }

  private func theirBook(_ title: String) throws -> Book {
    try #require(theirs.fetch(FetchRequest<Book>()).first { $0.title == title })
  }

  @Test func `nothing changes before an update, and an update without news changes nothing`() throws
  {
    let shelf = try byTitle()
    _ = try library.book("a", in: theirs)
    try theirs.save()
    #expect(shelf.objects.map(\.title) == ["b", "d", "f"])
    #expect(try shelf.update().insertions.map(\.position.index) == [0])
    #expect(try shelf.update().isEmpty)
  }

  @Test func `unsaved changes of the own context count`() throws {
    let shelf = try byTitle(.pages(from: 4))
    let new = try library.book("e", pages: 5, in: mine)
    shelf.objects[1].title = "a"
    let change = try shelf.update()
    #expect(shelf.objects.map(\.title) == ["a", "d", "e"])
    #expect(change.insertions.map(\.objectID) == [new.objectID])
    #expect(change.moves.map(\.to.index) == [0])
    #expect(change.updates.map(\.objectID) == [shelf.objects[0].objectID])
    new.pages = 1
    try mine.delete(shelf.objects[0])
    #expect(try shelf.update().deletions.map(\.position.index) == [0, 2])
    try mine.rollback()
    #expect(try shelf.update().insertions.map(\.position.index) == [1])
    #expect(shelf.objects.map(\.title) == ["d", "f"])
  }

  @Test func `a request without values brings them, for sections and versions are made of them`()
    throws
  {
    var request = FetchRequest<Book>(sortedBy: [SortKey("title")])
    request.includesPropertyValues = false
    let shelf = try FetchedResults(request, in: mine) { $0.title }
    #expect(shelf.objects.filter(\.isFault).isEmpty)
    #expect(mine.statistics.faultsFired == 0)
    #expect(shelf.sections.map(\.name) == ["b", "d", "f"])
    #expect(try shelf.update().isEmpty)
  }

  @Test func `membership is decided in memory, with one request for the rows that changed`() throws
  {
    let shelf = try byTitle(.pages(from: 4))
    let other = try theirBook("b")
    other.pages = 10
    try theirBook("f").pages = 0
    try theirs.save()
    let before = mine.statistics.fetches
    let change = try shelf.update()
    #expect(mine.statistics.fetches == before + 1)
    #expect(shelf.objects.map(\.title) == ["b", "d"])
    #expect(change.insertions.map(\.objectID) == [other.objectID])
    #expect(change.deletions.count == 1)
  }

  @Test func `what follows relationships, and what has a limit, is fetched again`() throws {
    let author = try theirs.insert(Author.self) { $0.name = "A" }
    try theirs.save()
    let ofAuthor = try FetchedResults(
      FetchRequest<Book>(
        where: .comparison(.path(["author", "name"]), .equal, .value(.attribute(.string("A"))))),
      in: mine)
    let first = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("title")], limit: 1), in: mine)
    try theirBook("f").author = author
    try theirBook("b").title = "z"
    try theirs.save()
    #expect(try ofAuthor.update().insertions.count == 1)
    #expect(try first.update().deletions.count == 1)
    #expect(first.objects.map(\.title) == ["d"])
  }

  @Test func `sections follow their names, and come and go`() throws {
    let shelf = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("pages"), SortKey("title")]), in: mine,
      sectionName: { $0.pages < 5 ? "thin" : "thick" })
    #expect(shelf.sections.map(\.name) == ["thin", "thick"])
    #expect(shelf.sections.map(\.indices) == [0..<2, 2..<3])
    #expect(shelf.position(of: shelf.objects[2])?.section == 1)
    try theirBook("f").pages = 3
    try theirs.save()
    let change = try shelf.update()
    #expect(shelf.sections.map(\.name) == ["thin"])
    #expect(change.deletedSections == [1])
    #expect(change.moves.map(\.to.section) == [0] && change.moves.map(\.to.item) == [1])
  }

  @Test func `a section's title in an index is the capital of its name`() throws {
    for title in ["éclair", "ßa", "7 bridges", ""] { _ = try library.book(title, in: theirs) }
    try theirs.save()
    let shelf = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("title")]), in: mine, sectionName: { $0.title })
    #expect(shelf.sections.map(\.name) == ["", "7 bridges", "b", "d", "f", "ßa", "éclair"])
    #expect(shelf.sections.map(\.indexTitle) == ["", "7", "B", "D", "F", "SS", "É"])
    #expect(try FetchedResults(FetchRequest<Book>(), in: mine).sections.map(\.indexTitle) == [""])
  }

  @Test(arguments: [("b", "z"), ("d", "a"), ("f", "c")])
  func `W-1 what is not touched does not move, and one that changes its section is one move`(
    old: String, new: String
  ) throws {
    // Twice the same list: in one section, and in one for each half of the alphabet.
    let plain = try byTitle()
    let halves = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("title")]), in: mine,
      sectionName: { $0.title < "e" ? "first" : "second" })
    let book = try theirBook(old)
    book.title = new
    try theirs.save()
    #expect(try plain.update().moves.map(\.objectID) == [book.objectID])
    #expect(try halves.update().moves.map(\.objectID) == [book.objectID])
  }

  @Test func `S-3 an update looks at nothing when nothing has happened`() throws {
    let shelf = try byTitle()
    func isUpToDate() -> Bool { shelf.isUpToDate(shelf.news.mailbox.take()) }
    // Others, here and there, are no news of this entity.
    _ = try mine.insert(Tag.self) { $0.name = "u" }
    _ = try theirs.insert(Tag.self) { $0.name = "v" }
    try theirs.save()
    #expect(isUpToDate())
    #expect(try shelf.update().isEmpty)
    // What comes without word of it, as from another process, comes with a row.
    let other = shelf.objects[0]
    try theirBook("b").title = "x"
    try theirs.save()
    #expect(!isUpToDate())
    try mine.refresh(other)
    #expect(!isUpToDate())
    #expect(try shelf.update().moves.map(\.objectID) == [other.objectID])
    #expect(isUpToDate())
    other.title = "a"
    #expect(!isUpToDate())
    #expect(try shelf.update().moves.count == 1)
    #expect(!isUpToDate())
    try mine.reset()
    #expect(!isUpToDate())
  }

  @Test func `an object that others have deleted while it was a fault goes without an error`()
    throws
  {
    let shelf = try byTitle()
    try mine.refresh(shelf.objects[1])
    try theirs.delete(theirBook("d"))
    try theirs.save()
    #expect(try shelf.update().deletions.map(\.position.index) == [1])
    #expect(shelf.objects.map(\.title) == ["b", "f"])
  }

  @Test func `a section whose objects are scattered is refused, with what to sort by`() throws {
    let error = #expect(throws: PersistenceError.self) {
      _ = try FetchedResults(
        FetchRequest<Book>(sortedBy: [SortKey("title")]), in: mine,
        sectionName: { $0.title == "d" ? "x" : "y" })
    }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains("'y'") == true)
  }

  @Test func `an update passes over what a fetch does: a division by zero, an overflow`() throws {
    let context = library.context()
    let request = FetchRequest<Book>(where: try FetchPredicate(format: "100 / pages > 10"))
    let results = try FetchedResults(request, in: context)
    let other = library.context("other")
    for pages in [0, 5] as [Int32] { _ = try library.book("\(pages)", pages: pages, in: other) }
    try other.save()
    let expected = try library.context("reader").fetch(request).map(\.title)
    try results.update()
    #expect(Set(results.objects.map(\.title)) == Set(expected) && expected.contains("5"))
    // Unsaved, it is the same.
    _ = try library.book("zero", pages: 0, in: context)
    #expect(try context.count(request) == expected.count)
  }

  @Test func `an update that fails changes nothing, and the next one fetches`() throws {
    let shelf = try byTitle()
    _ = try library.book("a", in: theirs)
    try theirs.save()
    library.coordinator.close()
    #expect(throws: PersistenceError.self) { try shelf.update() }
    #expect(shelf.objects.map(\.title) == ["b", "d", "f"])
  }

  @Test func `after a reset, an update has new objects for the same rows`() throws {
    let shelf = try byTitle()
    try mine.reset()
    #expect(try shelf.update().isEmpty)
    #expect(shelf.objects.map(\.title) == ["b", "d", "f"])
  }

  @Test func `the sequence gives what saves have changed, until its task is cancelled`()
    async throws
  {
    let shelf = try byTitle()
    _ = try library.book("a", in: theirs)
    try theirs.save()
    var titles: [[String]] = []
    for try await change in shelf.changes() {
      #expect(change.insertions.count == 1)
      titles.append(shelf.objects.map(\.title))
      guard titles.count < 3 else { break }
      _ = try library.book("x\(titles.count)", in: theirs)
      try theirs.save()
    }
    #expect(
      titles == [
        ["a", "b", "d", "f"], ["a", "b", "d", "f", "x1"], ["a", "b", "d", "f", "x1", "x2"],
      ])
  }

  @Test(.timeLimit(.minutes(30)))
  func `the sequence throws when the store is closed`() async throws {
    let shelf = try byTitle()
    let coordinator = library.coordinator
    let closing = Task { coordinator.close() }
    let error = await #expect(throws: PersistenceError.self) {
      for try await _ in shelf.changes() {}
    }
    #expect(error?.code == .storeClosed)
    await closing.value
  }
}

extension FetchPredicate {
  fileprivate static func pages(from count: Int64) -> FetchPredicate {
    .comparison(.path(["pages"]), .greaterOrEqual, .value(.attribute(.integer(count))))
  }
}
