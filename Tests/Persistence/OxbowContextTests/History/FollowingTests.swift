import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(Observation)
  import Observation
#endif

/// Saves of other processes, which stores that follow them announce.
@Suite(.timeLimit(.minutes(30))) struct FollowingTests {
  private let library: HistoryLibrary

  init() throws { library = try HistoryLibrary() }

  private func follower(hasLog: Bool = true) throws -> PersistentStoreCoordinator {
    try library.open(hasLog: hasLog) { $0.followsOtherProcesses = true }
  }

  /// Saves a book in another process.
  private func addElsewhere(
    _ title: String, _ history: HistoryRecording = .keys, hasLog: Bool = true
  ) async {
    await #expect(processExitsWith: .success) {
      [
        path = library.path as String, title = title as String,
        history = history.rawValue as String, hasLog = hasLog as Bool
      ] in
      let coordinator = try HistoryLibrary.open(
        path, try #require(HistoryRecording(rawValue: history)), hasLog: hasLog)
      let context = coordinator.context("elsewhere")
      _ = try context.insert(Book.self) { $0.title = title }
      try context.save()
      coordinator.close()
    }
  }

  /// Renames the first book, deletes the second, and adds one, in another process.
  private func disturbElsewhere(hasLog: Bool = true) async {
    await #expect(processExitsWith: .success) {
      [path = library.path as String, hasLog = hasLog as Bool] in
      let coordinator = try HistoryLibrary.open(path, hasLog: hasLog)
      let context = coordinator.context("elsewhere")
      let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
      books[0].title = "renamed"
      let author = books[0].author
      try context.delete(books[1])
      let new = try context.insert(Novel.self) { $0.title = "new" }
      new.author = author
      try context.save()
      coordinator.close()
    }
  }

  /// Two books of an author.
  private func fill(_ context: ManagedObjectContext) throws -> (author: Author, books: [Book]) {
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let books = try ["a", "b"].map { title in try context.insert(Book.self) { $0.title = title } }
    for book in books { book.author = author }
    try context.save()
    return (author, books)
  }

  /// Lets a context merge until it has what is expected.
  private func merge(
    _ context: ManagedObjectContext, until condition: () throws -> Bool
  ) async throws {
    try await wait {
      try context.load([])
      return try condition()
    }
  }

  // MARK: Events

  @Test(arguments: [true, false])
  func `PS-11 a save of another process is an event, but no handler of a thread hears of it`(
    hasLog: Bool
  ) async throws {
    let coordinator = try follower(hasLog: hasLog)
    defer { coordinator.close() }
    let calls = Lock(0)
    let subscription = coordinator.onDidSave { _ in calls.withLock { $0 += 1 } }
    defer { subscription.cancel() }
    let events = coordinator.didSaveEvents()
    await addElsewhere("far", hasLog: hasLog)
    var iterator = events.makeAsyncIterator()
    let event = try #require(await iterator.next()?.events.first)
    let book = try #require(try coordinator.context().fetch(Book.self).first)
    #expect(event.insertedObjectIDs == [book.objectID] && event.author == "elsewhere")
    #expect(event.origin != .here)
    #expect(try event.historyToken == coordinator.currentHistoryToken())
    #expect(calls.withLock(\.self) == 0)
  }

  @Test(arguments: [true, false])
  func `PS-11 another opening in this process is heard of by one that only reads`(
    hasLog: Bool
  ) async throws {
    let writer = try library.open(hasLog: hasLog)
    defer { writer.close() }
    let reader = try library.open(hasLog: hasLog) {
      ($0.isReadOnly, $0.followsOtherProcesses) = (true, true)
    }
    defer { reader.close() }
    let events = reader.didSaveEvents()
    let context = writer.context()
    let book = try context.insert(Book.self) { $0.title = "a" }
    try context.save()
    var iterator = events.makeAsyncIterator()
    let event = try #require(await iterator.next()?.events.first)
    let sessions = try writer.store.requireHistory().historySessions
    #expect(sessions.map { .elsewhere(session: $0) } == [event.origin])
    #expect(event.insertedObjectIDs == [book.objectID])
    book.pages = 3
    try context.save()
    #expect(await iterator.next()?.events.map(\.updatedObjectIDs) == [[book.objectID]])
  }

  @Test func `PS-11 two coordinators of one process hear of each other, each of itself once`()
    async throws
  {
    let first = try follower()
    let second = try follower()
    defer {
      first.close()
      second.close()
    }
    let events = (first.didSaveEvents(), second.didSaveEvents())
    let contexts = (first.context("first"), second.context("second"))
    for number in 0..<4 {
      let context = number % 2 == 0 ? contexts.0 : contexts.1
      _ = try context.insert(Book.self) { $0.title = "\(number)" }
      try context.save()
    }
    for sequence in [events.0, events.1] {
      var seen: [SaveEvent] = []
      for await news in sequence {
        seen += news.events
        if seen.count >= 4 { break }
      }
      #expect(seen.map(\.author) == ["first", "second", "first", "second"])
      #expect(seen.allSatisfy { $0.origin == .here })
    }
  }

  @Test(arguments: [true, false])
  func `PS-11 saves of two processes are posted in the order of their numbers`(hasLog: Bool)
    async throws
  {
    let coordinator = try follower(hasLog: hasLog)
    defer { coordinator.close() }
    let events = coordinator.didSaveEvents()
    let context = coordinator.context("here")
    for number in 0..<2 {
      await addElsewhere("far \(number)", hasLog: hasLog)
      _ = try context.insert(Book.self) { $0.title = "near \(number)" }
      try context.save()
    }
    var iterator = events.makeAsyncIterator()
    let seen = try #require(await iterator.next()).events
    #expect(seen.map(\.author) == ["elsewhere", "here", "elsewhere", "here"])
    let tokens = seen.compactMap(\.historyToken)
    #expect(tokens.count == 4 && tokens == tokens.sorted())
  }

  @Test func `PS-11 saves of many threads are each posted once, with the others between them`()
    async throws
  {
    let coordinator = try follower()
    defer { coordinator.close() }
    let events = coordinator.didSaveEvents()
    async let far: Void = addElsewhere("far")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let context = coordinator.context("\(thread)")
          for number in 0..<10 {
            _ = try context.insert(Tag.self) { $0.name = "\(thread) \(number)" }
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    await far
    var seen: [SaveEvent] = []
    for await news in events {
      #expect(news.isComplete)
      seen += news.events
      if seen.count >= 41 { break }
    }
    #expect(seen.count == 41 && Set(seen.compactMap(\.historyToken)).count == 41)
    #expect(seen.filter { $0.origin != .here }.map(\.author) == ["elsewhere"])
  }

  // MARK: Contexts

  @Test(arguments: [true, false])
  func `PS-11 lists, held objects and their collections follow another process`(hasLog: Bool)
    async throws
  {
    let coordinator = try follower(hasLog: hasLog)
    defer { coordinator.close() }
    let context = coordinator.context("list")
    context.automaticallyMergesChangesFromParent = true
    let (author, books) = try fill(context)
    let shelf = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("title")]), in: context)
    #expect(author.books.count == 2)
    // Beside all other tests, this one may take long.
    let limits = PinnedViewLimits(age: .seconds(36_000))
    let view = hasLog ? try ManagedObjectContext(pinning: coordinator, limits: limits) : nil
    await disturbElsewhere(hasLog: hasLog)
    for try await _ in shelf.changes() where shelf.objects.map(\.title) == ["new", "renamed"] {
      break
    }
    try await merge(context) { books[1].context == nil }
    #expect(books[0].title == "renamed" && shelf.objects.contains(books[0]))
    #expect(Set(author.books.map(\.title)) == ["new", "renamed"])
    #expect(!context.hasChanges)
    // One moment stays one.
    #expect(try view?.fetch(Book.self).map(\.title).sorted() ?? ["a", "b"] == ["a", "b"])
  }

  #if canImport(Observation)
    @Test func `PS-11 what is observed hears of another process`() async throws {
      let coordinator = try follower()
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      context.isObservable = true
      context.automaticallyMergesChangesFromParent = true
      let books = try fill(context).books
      let rings = Lock(0)
      withObservationTracking {
        _ = books[0].title
      } onChange: {
        rings.withLock { $0 += 1 }
      }
      await disturbElsewhere()
      try await merge(context) { rings.withLock { $0 == 1 } }
      #expect(books[0].title == "renamed")
    }
  #endif

  @Test func `PS-11 what another process deletes and this one writes again is one object`()
    async throws
  {
    let coordinator = try follower()
    defer { coordinator.close() }
    let (mine, reader) = (coordinator.context("mine"), coordinator.context("reader"))
    reader.automaticallyMergesChangesFromParent = true
    let book = try fill(mine).books[1]
    let seen = try reader.existingObject(with: book.objectID, as: Book.self)
    book.pages = 7
    await disturbElsewhere()
    mine.mergePolicy = .overwrite
    try mine.save()
    try await merge(reader) { seen.pages == 7 }
    #expect(reader.registeredObject(for: book.objectID) === seen && seen.context === reader)
    #expect(try reader.existingObject(with: book.objectID) === seen)
  }

  @Test func `PS-11 batches of another process arrive like its saves`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let context = coordinator.context()
    context.automaticallyMergesChangesFromParent = true
    let (author, books) = try fill(context)
    #expect(author.books.count == 2)
    let events = coordinator.didSaveEvents()
    await #expect(processExitsWith: .success) { [path = library.path as String] in
      let coordinator = try HistoryLibrary.open(path, .values)
      let context = coordinator.context("elsewhere")
      try context.batchUpdate(Book.self) { $0.set(\.pages, to: 5) }
      try context.batchDelete(Book.self, where: .equal("title", "b"))
      try context.batchInsert(Tag.self, ["t"]) { $1.set(\.name, to: $0) }
      coordinator.close()
    }
    try await merge(context) { books[1].context == nil }
    #expect(books[0].pages == 5 && author.books == [books[0]])
    var seen: [SaveEvent] = []
    for await news in events {
      seen += news.events
      if seen.count == 3 { break }
    }
    #expect(seen.map(\.updatedObjectIDs.count) == [2, 0, 0])
    #expect(seen[1].deletedObjectIDs == [books[1].objectID] && seen[2].insertedObjectIDs.count == 1)
  }

  @Test func `PS-11 a child sees another process through its parent, and keeps its changes`()
    async throws
  {
    let coordinator = try follower()
    defer { coordinator.close() }
    let parent = coordinator.context("parent")
    parent.automaticallyMergesChangesFromParent = true
    let books = try fill(parent).books
    let child = ManagedObjectContext(parent: parent)
    child.automaticallyMergesChangesFromParent = true
    let seen = try child.existingObject(with: books[0].objectID, as: Book.self)
    let gone = try child.existingObject(with: books[1].objectID, as: Book.self)
    let tag = try child.insert(Tag.self) { $0.name = "mine" }
    await disturbElsewhere()
    try await merge(child) { gone.context == nil && seen.title == "renamed" }
    #expect(tag.isInserted && child.hasChanges)
    try child.save()
    try parent.save()
    #expect(try coordinator.context().count(Tag.self) == 1)
  }

  @Test func `PS-11 unsaved changes stay, and their save finds the conflict`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let context = coordinator.context()
    context.automaticallyMergesChangesFromParent = true
    let books = try fill(context).books
    books[0].title = "mine"
    await disturbElsewhere()
    try await merge(context) { books[1].context == nil }
    #expect(books[0].title == "mine")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    try context.rollback()
    try context.refresh(books[0])
    #expect(books[0].title == "renamed")
  }

  // MARK: What is not known

  @Test func `PS-11 what a program without a history saves makes lists fetch again`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let shelf = try FetchedResults(
      FetchRequest<Book>(sortedBy: [SortKey("title")]), in: coordinator.context())
    let events = coordinator.didSaveEvents()
    await addElsewhere("unseen", .off)
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.isComplete == false)
    for try await _ in shelf.changes() { break }
    #expect(shelf.objects.map(\.title) == ["unseen"])
  }

  @Test func `PS-11 what another program writes by SQL makes lists fetch again`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let context = coordinator.context()
    context.automaticallyMergesChangesFromParent = true
    let books = try fill(context).books
    let store = try #require(coordinator.store as? SQLiteStore)
    // What is written in the same moment as a save can go unnoticed.
    _ = try store.database.look()
    try store.database.write {
      try $0.run("UPDATE Book SET pages = 9, _version = _version + 1")
    }
    try await merge(context) { books.map(\.pages) == [9, 9] }
  }

  @Test func `PS-11 reserved keys and acknowledgments are nothing unknown`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    let events = coordinator.didSaveEvents()
    _ = try fill(coordinator.context())
    let store = try #require(coordinator.store as? SQLiteStore)
    let before = try #require(try store.database.look())
    _ = try store.reserveKeys(root: 0, count: 10)
    try consumer.acknowledge(try #require(try consumer.nextBatch()))
    #expect(try #require(try store.database.look()) == before)
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.isComplete == true)
  }

  @Test(arguments: [true, false])
  func `PS-11 the removal of files that are no longer needed is nothing unknown`(hasLog: Bool)
    throws
  {
    let stores = try TwoStores()
    let coordinator = try stores.open(hasLog: hasLog) { $0.followsOtherProcesses = true }
    defer { coordinator.close() }
    let context = coordinator.context()
    let image = try context.insert(Picture.self) { $0.image = picture(1) }
    try context.save()
    image.image = nil
    try context.save()
    let history = try coordinator.store.requireHistory().history(of: image.objectID.store)
    let store = try #require(history as? SQLiteStore)
    let before = try #require(try store.database.look())
    _ = try store.database.write { try $0.removeDiscardedFiles() }
    let folder = stores.file("Gallery") + "-files"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["incoming"])
    #expect(try #require(try store.database.look()) == before)
  }

  @Test func `PS-11 a save with more objects than asked for comes without them`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    let context = coordinator.context()
    for titles in [["a"], ["b", "c"]] {
      for title in titles { _ = try context.insert(Book.self) { $0.title = title } }
      try context.save()
    }
    var limits = HistoryBatchLimits()
    limits.objects = 1
    let elements = try coordinator.store.requireHistory().elements(after: start, limits)
    guard case .saves(let saves)? = elements.first else {
      Issue.record("there are no saves")
      return
    }
    #expect(saves.map(\.insertedCount) == [1, 2] && saves.map(\.changes.count) == [1, 0])
  }

  @Test func `PS-11 a save that cannot be read makes lists fetch again`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let events = coordinator.didSaveEvents()
    let store = try #require(coordinator.store as? SQLiteStore)
    try store.database.write { connection in
      try connection.transaction(.write) {
        try connection.execute(
          "INSERT INTO _oxbow_saves (number, time, kind, inserted, updated, deleted, changes) "
            + "SELECT coalesce(max(number), 0) + 1, 0, 1, 0, 0, 0, x'0128' FROM _oxbow_saves")
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.isComplete == false)
    await addElsewhere("later")
    #expect(await iterator.next() != nil)
  }

  @Test func `PS-11 a migration ends the watch, and reading says so`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let context = coordinator.context()
    let events = coordinator.didSaveEvents()
    let store = try #require(coordinator.store as? SQLiteStore)
    try store.database.write { connection in
      try connection.transaction(.write) {
        try connection.execute("ALTER TABLE Book ADD COLUMN extra INTEGER")
        try connection.execute(
          "UPDATE _oxbow_metadata SET value = 'another' WHERE name = 'model_hash'")
        try connection.execute(
          "UPDATE _oxbow_metadata SET value = value + 1 + (SELECT count(*) FROM _oxbow_saves) "
            + "WHERE name = 'saves'")
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.isComplete == false)
    let error = #expect(throws: PersistenceError.self) { try context.fetch(Book.self) }
    #expect(error?.code == .storeWasMigrated)
  }

  @Test func `PS-11 a store that moves is followed where it is`() async throws {
    let coordinator = try follower()
    defer { coordinator.close() }
    let events = coordinator.didSaveEvents()
    let moved = library.folder.file("moved.sqlite")
    try coordinator.moveStore(to: moved)
    let other = try HistoryLibrary.open(moved)
    defer { other.close() }
    let context = other.context("other")
    _ = try context.insert(Book.self) { $0.title = "a" }
    try context.save()
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.events.map(\.author) == ["other"])
  }

  // MARK: Opening

  @Test func `PS-11 without a history there is nothing to follow`() throws {
    let off = #expect(throws: PersistenceError.self) {
      try library.open(.off) { $0.followsOtherProcesses = true }
    }
    #expect(off?.code == .historyOff && off?.message.contains("followsOtherProcesses") == true)
    try library.open(.off).close()
    let reader = #expect(throws: PersistenceError.self) {
      try library.open { ($0.isReadOnly, $0.followsOtherProcesses) = (true, true) }
    }
    #expect(reader?.code == .historyOff)
  }

  // MARK: Consumers

  @Test(arguments: [true, false])
  func `PS-11 a consumer hears of the saves of another process`(hasLog: Bool) async throws {
    let coordinator = try library.open(hasLog: hasLog)
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    async let far: Void = addElsewhere("far", hasLog: hasLog)
    for try await batch in consumer {
      #expect(batch.transactions.map(\.contextName) == ["elsewhere"])
      break
    }
    await far
  }
}
