import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import Testing

@Suite struct SaveEventTests {
  let library: Library
  let saver: ManagedObjectContext
  let reader: ManagedObjectContext

  init() throws {
    library = try Library()
    saver = library.context("saver")
    reader = library.context("reader")
    reader.automaticallyMergesChangesFromParent = true
  }

  /// A saved book of an author, with a tag, in both contexts.
  private func book() throws -> (book: Book, seen: Book) {
    let book = try library.book("title", in: saver)
    book.author = try saver.insert(Author.self) { $0.name = "A" }
    book.tags = [try saver.insert(Tag.self) { $0.name = "t" }]
    try saver.save()
    let seen = try reader.existingObject(with: book.objectID, as: Book.self)
    return (book, seen)
  }

  /// A call that throws and reads nothing.
  private func pause() throws { try reader.load([]) }

  @Test func `callbacks hear of each save, once it is durable (PS-07)`() throws {
    let events = Lock<[SaveEvent]>([])
    let subscription = library.coordinator.onDidSave { event in
      events.withLock { $0.append(event) }
    }
    let book = try library.book("a", in: saver)
    let other = try library.book("b", in: saver)
    try saver.save()
    book.pages = 1
    try saver.delete(other)
    try saver.save()
    // Neither a refused save nor one without changes is one.
    try saver.save()
    _ = try saver.insert(entityNamed: "Tag")
    #expect(throws: PersistenceError.self) { try saver.save() }
    try saver.rollback()
    let seen = events.withLock(\.self)
    #expect(seen.map(\.author) == ["saver", "saver"] && seen.map(\.number) == [1, 2])
    #expect(Set(seen[0].insertedObjectIDs) == [book.objectID, other.objectID])
    #expect(seen[1].updatedObjectIDs == [book.objectID])
    #expect(seen[1].deletedObjectIDs == [other.objectID])
    subscription.cancel()
    book.pages = 2
    try saver.save()
    #expect(events.withLock(\.count) == 2)
  }

  @Test(arguments: [false, true])
  func `a deletion that is heard of late does not make a second object of a row that is back`(
    isMember: Bool
  ) throws {
    let events = Lock<[SaveEvent]>([])
    reader.automaticallyMergesChangesFromParent = false
    let subscription = library.coordinator.onDidSave { event in
      events.withLock { $0.append(event) }
    }
    defer { subscription.cancel() }
    let (book, seen) = try book()
    let author = try #require(seen.author)
    if isMember { #expect(author.books == [seen]) }
    saver.isUndoEnabled = true
    try saver.delete(book)
    try saver.save()
    try saver.undo()
    try saver.save()
    for event in events.withLock(\.self).reversed() { try reader.mergeChanges(from: event) }
    #expect(reader.registeredObject(for: seen.objectID) === seen && seen.context === reader)
    #expect(try reader.existingObject(with: seen.objectID) === seen)
    #expect(author.books == [seen] && seen.title == "title")
    seen.pages = 5
    try reader.save()
    // One that is really gone goes.
    try saver.refresh(book)
    try saver.delete(book)
    try saver.save()
    if let last = events.withLock(\.last) { try reader.mergeChanges(from: last) }
    #expect(seen.context == nil && author.books.isEmpty)
  }

  @Test(.timeLimit(.minutes(30)))
  func `two readers of one sequence both end when they are cancelled (PS-07)`() async throws {
    let events = library.coordinator.didSaveEvents()
    let readers = (0..<2).map { _ in
      Task {
        var count = 0
        for await news in events { count += news.events.count }
        return count
      }
    }
    for number in 0..<20 {
      _ = try library.book("\(number)", in: saver)
      try saver.save()
      await Task.yield()
    }
    var seen = 0
    for reader in readers {
      reader.cancel()
      seen += await reader.value
    }
    #expect(seen <= 20)
  }

  @Test func `a sequence gives what has come, to each reader of its own (PS-07)`() async throws {
    let first = library.coordinator.didSaveEvents()
    let second = library.coordinator.didSaveEvents()
    let book = try library.book("a", in: saver)
    try saver.save()
    book.pages = 2
    try saver.save()
    for events in [first, second] {
      var iterator = events.makeAsyncIterator()
      let news = await iterator.next()
      #expect(news?.events.map(\.number) == [1, 2] && news?.isComplete == true)
    }
    let waiting = Task { () -> [Int] in
      for await news in first { return news.events.map(\.number) }
      return []
    }
    book.pages = 3
    try saver.save()
    #expect(await waiting.value == [3])
    let cancelled = Task { () -> Int in
      var count = 0
      for await _ in first { count += 1 }
      return count
    }
    cancelled.cancel()
    #expect(await cancelled.value == 0)
  }

  @Test(.timeLimit(.minutes(30)))
  func `sequences end when the store is closed, those of later calls too (PS-07)`() async throws {
    let events = library.coordinator.didSaveEvents()
    _ = try library.book("a", in: saver)
    try saver.save()
    let reader = Task {
      var count = 0
      for await news in events { count += news.events.count }
      return count
    }
    library.coordinator.close()
    #expect(await reader.value == 1)
    for await _ in library.coordinator.didSaveEvents() { Issue.record("there are no saves") }
  }

  @Test func `values arrive with the next call that throws, and not before (PS-08)`() throws {
    let book = try book()
    book.book.title = "new"
    book.book.pages = 3
    try saver.save()
    #expect(book.seen.title == "title" && book.seen.pages == 0)
    try pause()
    #expect(book.seen.title == "new" && book.seen.pages == 3)
    #expect(!reader.hasChanges)
    reader.automaticallyMergesChangesFromParent = false
    book.book.title = "newer"
    try saver.save()
    try pause()
    #expect(book.seen.title == "new")
  }

  @Test func `collections of every kind learn of links, inserts and deletions (PG-01, PS-08)`()
    throws
  {
    let book = try book()
    let author = try #require(book.seen.author)
    let tag = try #require(book.seen.tags.first)
    #expect(author.books == [book.seen] && tag.books == [book.seen])
    let second = try library.book("second", in: saver)
    second.author = book.book.author
    book.book.tags.first?.books = [second, book.book]
    try saver.save()
    try pause()
    #expect(Set(author.books.map(\.title)) == ["title", "second"])
    #expect(tag.books.map(\.title) == ["second", "title"])
    book.book.author = try saver.insert(Author.self) { $0.name = "B" }
    try saver.delete(second)
    try saver.save()
    try pause()
    #expect(author.books == [] && book.seen.author?.name == "B")
    #expect(book.seen.author?.books == [book.seen])
    #expect(tag.books == [book.seen])
    book.book.tags.first?.books = []
    try saver.save()
    try pause()
    #expect(tag.books == [] && book.seen.tags == [])
  }

  @Test func `a deleted object leaves the context, unless it has changes (PS-08)`() throws {
    let book = try book()
    let author = try #require(book.seen.author)
    author.age = 5
    try saver.delete(try #require(book.book.author))
    try saver.save()
    try pause()
    #expect(book.seen.context == nil && book.seen.title == "title")
    #expect(author.isUpdated && author.age == 5)
    #expect(throws: PersistenceError.self) { try reader.save() }
    reader.mergePolicy = .mergeByPropertyStoreTrump
    try reader.save()
    #expect(author.context == nil)
  }

  @Test func `unsaved changes stay, and their save finds the conflict (PG-11, PS-08)`() throws {
    let book = try book()
    book.seen.title = "mine"
    book.book.title = "theirs"
    book.book.pages = 4
    try saver.save()
    try pause()
    #expect(book.seen.title == "mine" && book.seen.pages == 0)
    #expect(throws: PersistenceError.self) { try reader.save() }
    reader.mergePolicy = .mergeByPropertyObjectTrump
    try reader.save()
    #expect(book.seen.title == "mine" && book.seen.pages == 4)
  }

  @Test func `a save is merged by hand where a context does not do it by itself (PS-08)`() throws {
    let book = try book()
    let other = library.context("other")
    let seen = try other.existingObject(with: book.book.objectID, as: Book.self)
    let events = Lock<[SaveEvent]>([])
    let subscription = library.coordinator.onDidSave { event in
      events.withLock { $0.append(event) }
    }
    book.book.title = "new"
    try saver.save()
    try other.load([])
    #expect(seen.title == "title")
    for event in events.withLock(\.self) { try other.mergeChanges(from: event) }
    #expect(seen.title == "new")
    subscription.cancel()
  }

  @Test func `saves of many contexts in any order leave nothing stale (PS-08)`() throws {
    let book = try book()
    let third = library.context("third")
    for pages in 1...20 {
      let context = pages.isMultiple(of: 2) ? saver : third
      let found = try context.existingObject(with: book.book.objectID, as: Book.self)
      try context.refresh(found)
      found.pages = Int32(pages)
      try context.save()
      if pages.isMultiple(of: 7) { try pause() }
    }
    try pause()
    #expect(book.seen.pages == 20)
    #expect(reader.statistics.faultsFired == 0)
  }
}
