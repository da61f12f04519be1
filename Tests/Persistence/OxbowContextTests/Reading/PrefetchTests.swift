import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct PrefetchTests {
  let recorder = LogRecorder()
  let library: Library

  init() throws { library = try Library(recorder: recorder) }

  /// A context in which no getter may read.
  func strictContext() -> ManagedObjectContext {
    let context = library.context()
    context.faultPolicy = .refuse
    return context
  }

  @Test func `a path is read with one statement for each level (PF-05)`() throws {
    try library.fill(authors: 5, books: 7)
    let context = strictContext()
    let (books, selects) = try recorder.selects {
      try context.fetch(
        Book.self, sortedBy: [.ascending(\.title)], prefetching: [\.author?.books.tags])
    }
    #expect(selects.count == 4)
    #expect(books.count == 35)
    let (names, later) = recorder.selects {
      books.map { $0.author?.books.flatMap { $0.tags.map(\.name) }.count }
    }
    #expect(Set(names) == [14])
    #expect(later == [])
    #expect(context.statistics.faultsFired == 0)
    #expect(context.statistics.fetches == 4)
  }

  @Test func `paths with a common beginning read it once (PF-05)`() throws {
    try library.fill()
    let context = strictContext()
    let (tags, selects) = try recorder.selects {
      try context.fetch(
        Tag.self, prefetching: .named("books.author", "books.tags", "books"))
    }
    #expect(selects.count == 4)
    #expect(tags.flatMap { $0.books.flatMap(\.tags) }.count == 24)
    #expect(Set(tags.flatMap { $0.books.compactMap { $0.author?.name } }) == ["A0", "A1"])
    try context.save()
  }

  @Test func `a path may come back to where it was (PF-05)`() throws {
    try library.fill()
    let context = strictContext()
    let (authors, selects) = try recorder.selects {
      try context.fetch(
        Author.self, prefetching: [\.books.author?.books.author?.books.tags.books.author])
    }
    // Authors, their books, the tags of these; the books of the tags; all else is in memory.
    #expect(selects.count == 4)
    let counts = authors.flatMap { $0.books.compactMap { $0.author?.books.count } }
    #expect(counts == [3, 3, 3, 3, 3, 3])
    try context.save()
  }

  @Test func `an ordered relationship keeps its order (PF-05)`() throws {
    let context = library.context()
    let books = try ["a", "b", "c", "d"].map { try library.book($0, in: context) }
    for (name, order) in [("x", [3, 1]), ("y", [0, 3, 2])] {
      try context.insert(Tag.self) { tag in
        tag.name = name
        tag.books = order.map { books[$0] }
      }
    }
    try context.save()
    let strict = strictContext()
    let tags = try strict.fetch(
      Tag.self, sortedBy: [.ascending(\.name)], prefetching: [\.books])
    #expect(tags.map { $0.books.map(\.title) } == [["d", "b"], ["a", "d", "c"]])
    try strict.save()
  }

  @Test func `objects that one has are prefetched as well (PF-05)`() throws {
    try library.fill()
    let context = strictContext()
    let ids = try context.fetchIDs(Book.self)
    let faults = try ids.map { try #require(try context.object(with: $0) as? Book) }
    let (_, selects) = try recorder.selects { try context.prefetch(faults, [\.author, \.tags]) }
    #expect(selects.count == 3)
    #expect(Set(faults.compactMap { $0.author?.name }) == ["A0", "A1"])
    #expect(faults.flatMap(\.tags).count == 12)
    let (_, again) = try recorder.selects { try context.prefetch(faults, [\.author, \.tags]) }
    #expect(again == [])
    try context.save()
  }

  @Test func `a repository prefetches through its protocol (PF-05)`() throws {
    try library.fill()
    let context = strictContext()
    let repository: any ObjectContext = context
    let books = try repository.fetch(Book.self, prefetching: [\.tags])
    try repository.prefetch(books, [\.author?.books])
    #expect(books.compactMap { $0.author?.books.count } == [3, 3, 3, 3, 3, 3])
    try context.save()
  }

  @Test func `unsaved changes lead where they say (PF-05)`() throws {
    try library.fill()
    let context = strictContext()
    let authors = try context.fetch(
      Author.self, sortedBy: [.ascending(\.name)], prefetching: [\.books])
    let moved = try #require(authors[0].books.first { $0.title == "A0B0" })
    moved.author = authors[1]
    let new = try library.book("new", in: context)
    new.author = authors[1]
    let deleted = try #require(authors[1].books.first { $0.title == "A1B1" })
    try context.prefetch([deleted], [\.tags])
    try context.delete(deleted)
    let again = try context.fetch(
      Author.self, sortedBy: [.ascending(\.name)], prefetching: [\.books.tags, \.books.author])
    #expect(again[0].books.map(\.title).sorted() == ["A0B1", "A0B2"])
    #expect(again[1].books.map(\.title).sorted() == ["A0B0", "A1B0", "A1B2", "new"])
    #expect(again[1].books.allSatisfy { $0.author === authors[1] })
    #expect(again[1].books.flatMap(\.tags).count == 6)
    #expect(context.statistics.faultsFired == 0)
  }

  @Test func `a change of one end counts in a prefetch of the other (PF-05)`() throws {
    try library.fill()
    let context = library.context()
    let book = try #require(try context.fetch(Book.self, where: .equal("title", "A0B0")).first)
    book.author = nil
    context.faultPolicy = .refuse
    let authors = try context.fetch(
      Author.self, sortedBy: [.ascending(\.name)], prefetching: [\.books])
    #expect(authors.map { $0.books.count } == [2, 3])
    try context.rollback()
  }

  @Test func `a path goes through inherited relationships and those of sub-entities (PF-05)`()
    throws
  {
    try library.fill()
    let context = strictContext()
    let novels = try context.fetch(Novel.self, prefetching: [\.author?.books.tags])
    #expect(novels.count == 2)
    #expect(novels.compactMap { $0.author?.books.flatMap(\.tags).count } == [6, 6])
    let sites = try Sites()
    try sites.fill()
    let places = sites.context()
    let (found, selects) = try sites.recorder.selects {
      try places.fetch(Place.self, prefetching: .named("rooms.guests"))
    }
    // Places, their rooms, the guests of those; a place that is not a hotel has none.
    #expect(selects.count == 3)
    #expect(found.count == 3)
    let hotels = found.compactMap { $0 as? Hotel }
    #expect(hotels.map { $0.rooms.map(\.guests.count) } == [[2, 2], [2, 2]])
    try places.save()
  }

  @Test func `an empty result and an unknown path (PF-05)`() throws {
    let context = strictContext()
    #expect(try context.fetch(Book.self, prefetching: [\.author?.books]) == [])
    func refusal(_ paths: PrefetchPaths<Book>) -> String? {
      let error = #expect(throws: PersistenceError.self) {
        try context.fetch(Book.self, prefetching: paths)
      }
      #expect(error?.code == .unknownProperty)
      return error.map { "\($0)" }
    }
    #expect(
      refusal(.named("author.bokos")) == """
        'bokos' cannot be prefetched: the entity 'Author' has no such relationship; it has 'books'
          did you mean: 'books'?
        """)
    #expect(
      refusal(.named("author.name")) == """
        'name' cannot be prefetched: it is an attribute of 'Author' and comes with its object; a \
        path to prefetch consists of relationships
        """)
    #expect(refusal(.named(""))?.contains("the entity 'Book' has no such relationship") == true)
  }

  @Test func `a row that another context deleted is an unreadable fault, not a read (PF-05)`()
    throws
  {
    let zoo = try Zoo()
    _ = try zoo.fill()
    try zoo.intrude("PRAGMA foreign_keys = OFF; DELETE FROM Animal")
    let context = zoo.context()
    let keepers = try context.fetch(Keeper.self, prefetching: .named("guest"))
    #expect(keepers.count == 1)
    let guest = try #require(keepers[0].guest)
    #expect(guest.name == "")
    #expect(guest.faultError?.code == .rowGone)
    #expect(context.statistics.faultsFired == 0)
    #expect(throws: PersistenceError.self) { try context.save() }
  }

  @Test func `a level of more objects than a statement has parameters is one statement (PF-05)`()
    throws
  {
    let context = library.context()
    for _ in 0..<16_500 { try context.insert(Book.self) { $0.title = "b" } }
    let book = try library.book("c", in: context)
    try context.insert(Tag.self) { tag in
      tag.name = "t"
      tag.books = [book]
    }
    try context.save()
    let strict = strictContext()
    let ids = try strict.fetchIDs(Book.self)
    let books = try ids.map { try #require(try strict.object(with: $0) as? Book) }
    let (_, selects) = try recorder.selects { try strict.prefetch(books, [\.tags.books]) }
    // The books' own rows, their tags, and the books of these.
    #expect(selects.count == 3)
    #expect(books.count == 16_501)
    #expect(books.flatMap(\.tags).map { $0.books.map(\.title) } == [["c"]])
    try strict.save()
  }
}
