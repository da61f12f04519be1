import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Views of a moment, while other connections and processes change the store.
@Suite struct PinnedViewProcessTests {
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try TemporaryFolder()
    coordinator = try Self.open(folder.file("store.sqlite"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    for number in 0..<20 {
      let book = try context.insert(Book.self)
      (book.title, book.pages, book.author) = ("b\(10 + number)", Int32(number), author)
    }
    try context.save()
  }

  private static func compiled() throws -> CompiledModel {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    return try CompiledModel(ManagedObjectModel(types: types), classes: types)
  }

  private static func open(_ path: String) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(compiled(), at: .file(path))
  }

  /// Deletes every second book, changes the others, adds some, and writes enough that the log is
  /// copied into the file.
  private static func disturb(_ path: String) throws {
    let coordinator = try open(path)
    let context = ManagedObjectContext(coordinator: coordinator)
    for (place, book) in try context.fetch(Book.self, sortedBy: [.ascending(\.title)]).enumerated()
    {
      if place % 2 == 0 { try context.delete(book) } else { book.pages += 1000 }
    }
    try context.save()
    for _ in 0..<4 {
      for _ in 0..<1000 {
        _ = try context.insert(Tag.self) { $0.name = String(repeating: "x", count: 1500) }
      }
      try context.save()
    }
    coordinator.close()
  }

  private func disturbElsewhere() async {
    await #expect(processExitsWith: .success) { [path = folder.file("store.sqlite") as String] in
      try Self.disturb(path)
    }
  }

  @Test func `a view keeps its moment while another process saves and checkpoints (PS-12, PS-02)`()
    async throws
  {
    let view = try ManagedObjectContext(pinning: coordinator, limits: .aDay)
    var request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    request.includesPropertyValues = false
    let books = try view.fetch(request)
    let batches = try view.fetch(
      FetchRequest<Book>(sortedBy: [.ascending(\.title)]), batchSize: 3)
    await disturbElsewhere()
    #expect(books.filter(\.isFault).count == 20)
    #expect(books.map(\.pages) == Array(0..<20))
    #expect(batches.map(\.title) == (10..<30).map { "b\($0)" })
    #expect(try view.fetch(Author.self)[0].books.count == 20)
    #expect(try view.count(Tag.self) == 0)
    try view.reset()
    #expect(try view.fetch(request).map(\.pages) == Array(0..<20))
    let now = ManagedObjectContext(coordinator: coordinator)
    #expect(try now.fetch(request).map(\.pages) == (0..<10).map { 1001 + 2 * $0 })
    #expect(try now.count(Tag.self) == 4000)
  }

  @Test func `a stream through a view brings what the view has (PS-12, PF-12)`() async throws {
    let view = try ManagedObjectContext(pinning: coordinator, limits: .aDay)
    var pages: [Int32] = []
    let request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    for try await book in view.stream(request, pageSize: 3) {
      pages.append(book.pages)
      if pages.count == 4 { await disturbElsewhere() }
    }
    #expect(pages == Array(0..<20))
  }

  @Test func `a view reads on while another connection changes the schema (PS-12)`() throws {
    let view = try ManagedObjectContext(pinning: coordinator, limits: .aDay)
    let other = try SQLiteStore(Self.compiled(), at: .file(folder.file("store.sqlite")))
    let now = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<3 {
      try other.database.write {
        try $0.execute("CREATE INDEX more\(number) ON Book (pages, title)")
        try $0.execute("UPDATE Book SET pages = pages + 100, _version = _version + 1")
      }
      #expect(try view.fetch(Book.self).map(\.pages).sorted() == Array(0..<20))
      let book = try now.fetch(Book.self, sortedBy: [.ascending(\.title)])[0]
      try now.refresh(book)
      #expect(book.pages == 100 * Int32(number + 1))
      try view.reset()
    }
    let author = try #require(try view.fetch(Author.self).first)
    #expect(author.books.map(\.pages).sorted() == Array(0..<20))
    try now.fetch(Author.self)[0].name = "S. Lem"
    try now.save()
    other.close()
  }

  @Test func `a view says that its store was migrated, or reads its moment (PS-12, PS-03)`() throws
  {
    let view = try ManagedObjectContext(pinning: coordinator, limits: .aDay)
    let other = try SQLiteStore(Self.compiled(), at: .file(folder.file("store.sqlite")))
    try other.database.write {
      try $0.execute("ALTER TABLE Book ADD COLUMN extra INTEGER")
      try $0.execute("UPDATE _oxbow_metadata SET value = 'another' WHERE name = 'model_hash'")
    }
    #expect(try view.fetch(Book.self).map(\.pages).sorted() == Array(0..<20))
    let now = ManagedObjectContext(coordinator: coordinator)
    let error = #expect(throws: PersistenceError.self) { try now.fetch(Book.self) }
    #expect(error?.code == .storeWasMigrated)
    try view.reset()
    let later = Result { try view.fetch(Book.self).map(\.pages).sorted() }
    switch later {
    case .success(let pages): #expect(pages == Array(0..<20))
    case .failure(let error): #expect((error as? PersistenceError)?.code == .storeWasMigrated)
    }
    other.close()
  }

  @Test(arguments: [true, false])
  func `a child context finds objects without values through its parent (PF-02, PG-10)`(
    _ isPinned: Bool
  ) throws {
    let parent =
      try isPinned
      ? ManagedObjectContext(pinning: coordinator, limits: .aDay)
      : ManagedObjectContext(coordinator: coordinator)
    let mine = try parent.fetch(Book.self, where: .equal("pages", 7))[0]
    mine.pages = 7000
    let child = ManagedObjectContext(parent: parent)
    var request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
    request.includesPropertyValues = false
    let books = try child.fetch(request)
    #expect(books.map(\.pages) == (0..<20).map { $0 == 7 ? 7000 : $0 })
    #expect(try child.fetch(request, batchSize: 4).map(\.pages) == books.map(\.pages))
  }

  // MARK: Values of the program's own

  @Test(
    arguments: [
      .mergeByProperty, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite,
      .rollback,
    ] as [MergePolicy])
  func `values are kept with a save whose conflict a policy decides (PS-17, PG-11)`(
    _ policy: MergePolicy
  ) throws {
    let (mine, theirs) = (
      ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
    )
    let book = try mine.fetch(Book.self, sortedBy: [.ascending(\.title)])[0]
    try theirs.fetch(Book.self, sortedBy: [.ascending(\.title)])[0].pages = 500
    try theirs.setMetadata("theirs", for: "who")
    try theirs.save()
    book.title = "mine"
    try mine.setMetadata("mine", for: "who")
    mine.mergePolicy = policy
    try mine.save()
    #expect(!mine.hasChanges)
    #expect(try coordinator.metadata("who") == "mine")
  }

  @Test func `a killed save leaves its value with its objects, or neither (PS-17, PS-06)`()
    async throws
  {
    for seed in 1...6 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let folder = try TemporaryFolder()
      let result = await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          folder = folder.path as String,
          operation = Int.random(in: 1...120, using: &random) as Int
        ] in
        try Self.countUntilKilled(folder, operation)
      }
      #expect(result != nil)
      let coordinator = try Self.open(folder.file("store.sqlite"))
      let tags = try ManagedObjectContext(coordinator: coordinator).count(Tag.self)
      #expect(try coordinator.metadata("tags") ?? 0 == tags, "seed \(seed)")
      let heard = try? folder.text(of: "heard")
      #expect(tags >= heard?.split(separator: "\n").count ?? 0, "seed \(seed)")
      coordinator.close()
    }
  }

  /// Saves a tag and the number of tags, again and again.
  private static func countUntilKilled(_ folder: String, _ operation: Int) throws {
    let plan = FaultyFiles.plan(for: folder)
    let coordinator = try open(folder + "/store.sqlite")
    let context = ManagedObjectContext(coordinator: coordinator)
    _ = FileManager.default.createFile(atPath: folder + "/heard", contents: nil)
    let heard = FileHandle(forWritingAtPath: folder + "/heard")
    plan.arm(operation, .kill)
    for number in 1...100 {
      _ = try context.insert(Tag.self) { $0.name = "\(number)" }
      try context.setMetadata(number, for: "tags")
      try context.save()
      try heard?.write(contentsOf: Data("\(number)\n".utf8))
    }
    raise(SIGKILL)
  }
}

extension PinnedViewLimits {
  /// Longer than a test waits for another process, however slow the machine is.
  fileprivate static let aDay = PinnedViewLimits(age: .seconds(86_400))
}
