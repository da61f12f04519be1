import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Contexts that read one moment of a store.
@Suite struct PinnedViewTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func coordinator(
    _ location: StoreLocation, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: location,
      options: options)
  }

  /// A store in a file, or on a server.
  private func open(
    _ kind: HistoryLibrary.Kind, views: Int = 4
  ) throws -> PersistentStoreCoordinator {
    let options = SQLiteStoreOptions(maximumPinnedViews: views)
    guard kind == .server else {
      return try Self.coordinator(.file(folder.file("store.sqlite")), options)
    }
    return try HistoryLibrary(kind).open(.off) { $0.maximumPinnedViews = views }
  }

  /// Saves an author with two books of 10 and 20 pages.
  private func fill(_ coordinator: PersistentStoreCoordinator) throws {
    let context = coordinator.context()
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    for (title, pages) in [("Fiasco", 10), ("Solaris", 20)] {
      let book = try context.insert(Book.self)
      (book.title, book.pages, book.author) = (title, Int32(pages), author)
    }
    try context.save()
  }

  /// Changes, deletes and adds a book.
  private func disturb(_ coordinator: PersistentStoreCoordinator) throws {
    let context = coordinator.context()
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    books[0].pages = 1000
    let new = try context.insert(Novel.self)
    (new.title, new.author) = ("Eden", books[1].author)
    try context.delete(books[1])
    try context.save()
  }

  private func pageSum(_ context: ManagedObjectContext) throws -> Int {
    try context.aggregate(Book.self) { Int($0.sum(\.pages)) }.reduce(0, +)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a view reads one moment by every kind of request (PS-12)`(_ kind: HistoryLibrary.Kind)
    throws
  {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator)
    #expect(view.isPinned && !coordinator.context().isPinned)
    try disturb(coordinator)
    let author = try #require(try view.fetch(Author.self).first)
    #expect(author.books.map(\.title).sorted() == ["Fiasco", "Solaris"])
    #expect(try view.fetch(Book.self).map(\.pages).sorted() == [10, 20])
    #expect(try view.count(Book.self) == 2)
    #expect(try view.fetchIDs(Novel.self).isEmpty)
    #expect(try pageSum(view) == 30)
    if kind == .file {
      let rows = try view.fetchRows(sql: "SELECT count(*) AS n FROM Book")
      #expect(rows.first?["n"] == .integer(2))
    }
    #expect(try coordinator.context().fetch(Book.self).map(\.pages).sorted() == [0, 1000])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a fault of a view is read as the view has it (PS-12)`(_ kind: HistoryLibrary.Kind) throws {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator)
    let ids = try view.fetchIDs(Book.self, sortedBy: [.ascending(\.title)])
    try disturb(coordinator)
    let titles = try ids.map { try #require(try view.object(with: $0) as? Book).title }
    #expect(titles == ["Fiasco", "Solaris"])
    let book = try view.existingObject(with: ids[0], as: Book.self)
    try view.refresh(book)
    #expect(book.pages == 10)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `saves of others are not merged into a view (PS-12, PS-08)`(_ kind: HistoryLibrary.Kind)
    throws
  {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator)
    view.automaticallyMergesChangesFromParent = true
    #expect(!view.automaticallyMergesChangesFromParent)
    let books = try view.fetch(Book.self, sortedBy: [.ascending(\.title)])
    let events = Lock<[SaveEvent]>([])
    let subscription = coordinator.onDidSave { event in events.withLock { $0.append(event) } }
    try disturb(coordinator)
    subscription.cancel()
    for event in events.withLock({ $0 }) { try view.mergeChanges(from: event) }
    #expect(events.withLock { $0.count } == 1)
    #expect(books.map(\.pages) == [10, 20])
    #expect(books.filter(\.isFault).isEmpty)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `nothing can be saved through a view, and the changes stay (PS-12)`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator)
    let book = try #require(try view.fetch(Book.self).first)
    book.pages = 1
    _ = try view.insert(Author.self) { $0.name = "Strugatsky" }
    let error = #expect(throws: PersistenceError.self) { try view.save() }
    #expect(error?.code == .storeReadOnly)
    #expect(error?.message.contains("without a pinned view") == true)
    #expect(view.hasChanges && book.pages == 1)
    #expect(try coordinator.context().fetch(Book.self).map(\.pages).sorted() == [10, 20])
    let update = #expect(throws: PersistenceError.self) {
      try view.batchUpdate(Book.self) { $0.set(\.pages, to: 5) }
    }
    #expect(update?.code == .storeReadOnly)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a view that is too old ends with its next read (PS-12)`(_ kind: HistoryLibrary.Kind) throws
  {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator, limits: .init(age: .zero))
    let error = #expect(throws: PersistenceError.self) { try view.fetch(Book.self) }
    #expect(error?.code == .viewEnded)
    #expect(error?.message.contains("older than 0.0 seconds") == true)
  }

  @Test func `a view ends when the log that it keeps is too large (PS-12)`() throws {
    let coordinator = try open(.file)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator, limits: .init(logBytes: 400_000))
    let book = try #require(try view.fetch(Book.self, sortedBy: [.ascending(\.title)]).first)
    let author = try view.fetch(Author.self)[0]
    let writer = coordinator.context()
    var saves = 0
    while saves < 1000, (try? view.count(Tag.self)) != nil {
      saves += 1
      _ = try writer.insert(Tag.self) { $0.name = String(repeating: "x", count: 1000) }
      try writer.save()
    }
    #expect(saves > 5 && saves < 1000)
    // What is in memory stays; a getter that has to read leaves the error to the next call.
    #expect(book.title == "Fiasco")
    #expect(author.books.isEmpty)
    let error = #expect(throws: PersistenceError.self) { try view.save() }
    #expect(error?.code == .viewEnded)
    #expect(error?.message.contains("write-ahead log that it kept has grown") == true)
    coordinator.close()
    #expect(try !folder.names().contains("store.sqlite-wal"))
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a view that ends leaves its place to another (PS-12)`(_ kind: HistoryLibrary.Kind) throws {
    let coordinator = try open(kind, views: 2)
    let first = try ManagedObjectContext(pinning: coordinator)
    do {
      let second = try ManagedObjectContext(pinning: coordinator)
      #expect(try second.count(Book.self) == 0)
      let error = #expect(throws: PersistenceError.self) {
        try ManagedObjectContext(pinning: coordinator)
      }
      #expect(error?.code == .viewEnded)
      #expect(error?.message.contains("2 pinned views already") == true)
    }
    let third = try ManagedObjectContext(pinning: coordinator)
    #expect(try third.count(Book.self) == 0 && first.count(Book.self) == 0)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a view of a closed store has ended (PS-12)`(_ kind: HistoryLibrary.Kind) throws {
    let coordinator = try open(kind)
    try fill(coordinator)
    let view = try ManagedObjectContext(pinning: coordinator)
    coordinator.close()
    let error = #expect(throws: PersistenceError.self) { try view.fetch(Book.self) }
    #expect(error?.code == .viewEnded)
    let late = #expect(throws: PersistenceError.self) {
      try ManagedObjectContext(pinning: coordinator)
    }
    #expect(late?.code == .storeClosed)
  }

  @Test func `stores whose readers and writers take turns refuse a view (PS-12)`() throws {
    var options = SQLiteStoreOptions()
    options.usesWriteAheadLog = false
    let stores = [
      try Self.coordinator(.inMemory),
      try Self.coordinator(.file(folder.file("journal.sqlite")), options),
    ]
    for store in stores {
      let error = #expect(throws: PersistenceError.self) {
        try ManagedObjectContext(pinning: store)
      }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("no write-ahead log") == true)
    }
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `a sum in a view holds while four threads move pages about (PS-12)`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let coordinator = try open(kind)
    try fill(coordinator)
    let ids = try coordinator.context().fetchIDs(Book.self)
    let threads = (0..<4).map { _ in
      ThreadRunner { Self.movePages(between: ids, coordinator) }
    }
    for _ in 0..<20 {
      let view = try ManagedObjectContext(pinning: coordinator)
      #expect(try pageSum(view) == 30)
      #expect(try view.fetch(Book.self).map(\.pages).reduce(0, +) == 30)
    }
    for thread in threads { thread.join() }
    #expect(try coordinator.context().fetch(Book.self).map(\.pages).reduce(0, +) == 30)
  }

  /// Makes the first book shorter and the second longer, again and again.
  private static func movePages(
    between ids: [ManagedObjectID], _ coordinator: PersistentStoreCoordinator
  ) {
    for _ in 0..<20 {
      let context = ManagedObjectContext(coordinator: coordinator)
      guard let books = try? ids.map({ try context.existingObject(with: $0, as: Book.self) })
      else { continue }
      (books[0].pages, books[1].pages) = (books[0].pages - 1, books[1].pages + 1)
      try? context.save()
    }
  }
}
