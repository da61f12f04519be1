import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reading a store as a whole at a moment that is a place in its history.
@Suite(.timeLimit(.minutes(30))) struct HistorySnapshotTests {
  /// Where the store is.
  enum Place: CaseIterable {
    case log, journal, memory, server

    static let all = allCases.filter { $0 != .server || HistoryLibrary.Kind.all.contains(.server) }
    static let beside = all.filter { $0 == .log || $0 == .server }
  }

  private let library: HistoryLibrary

  init() throws { library = try HistoryLibrary() }

  private func open(
    _ place: Place, _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    if place == .server { return try HistoryLibrary(.server).open(.keys, hasLog: true, change) }
    guard place == .memory else { return try library.open(hasLog: place == .log, change) }
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory,
      options: SQLiteStoreOptions(history: .keys))
  }

  private func add(_ title: String, to coordinator: PersistentStoreCoordinator) throws {
    let context = coordinator.context()
    _ = try context.insert(Book.self) { $0.title = title }
    try context.save()
  }

  private func titles(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(Book.self, sortedBy: [.ascending(\.title)]).map(\.title)
  }

  /// A consumer that was asleep while its saves were removed.
  private func sleeper(
    _ coordinator: PersistentStoreCoordinator
  ) throws -> (HistoryConsumer, HistoryBatch) {
    let consumer = try coordinator.historyConsumer(named: "mirror", from: .now)
    for title in ["a", "b", "c"] { try add(title, to: coordinator) }
    try coordinator.deleteHistory(before: coordinator.currentHistoryToken(), force: true)
    try add("d", to: coordinator)
    let batch = try #require(try consumer.nextBatch())
    guard case .missed = batch.element else { throw Failure() }
    return (consumer, batch)
  }

  private struct Failure: Error {}

  @Test(arguments: Place.all)
  func `PS-11 a snapshot behind a gap reads one moment, and the consumer goes on after it`(
    place: Place
  ) throws {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let consumer = try sleeper(coordinator).0
    var kept: ManagedObjectContext?
    let found = try consumer.snapshot { context in
      #expect(context.isPinned)
      kept = context
      return try titles(context)
    }
    #expect(try found == ["a", "b", "c", "d"] && consumer.lag() == 0)
    #expect(try consumer.nextBatch() == nil)
    try add("e", to: coordinator)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [5])
    let over = #expect(throws: PersistenceError.self) { try kept?.fetch(Book.self) }
    #expect(over?.code == .storeClosed || over?.code == .viewEnded)
  }

  @Test(arguments: Place.all.filter { $0 != .journal })
  func `PS-11 what is saved during a snapshot is not in it, and comes next`(place: Place) throws {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let consumer = try sleeper(coordinator).0
    try consumer.snapshot { context in
      try add("e", to: coordinator)
      let found = try titles(context)
      #expect(found == ["a", "b", "c", "d"])
      let save = #expect(throws: PersistenceError.self) {
        _ = try context.insert(Book.self) { $0.title = "x" }
        try context.save()
      }
      #expect(save?.code == .storeReadOnly)
    }
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [5])
  }

  @Test func `PS-11 without a log, a save during a snapshot waits, and is refused in the end`()
    throws
  {
    let coordinator = try open(.journal) { $0.busyMilliseconds = 1 }
    defer { coordinator.close() }
    let consumer = try sleeper(coordinator).0
    try consumer.snapshot { context in
      let locked = #expect(throws: PersistenceError.self) { try add("e", to: coordinator) }
      #expect(locked?.code == .storeLocked)
      // Readers do not wait.
      let found = (try titles(context), try titles(coordinator.context()))
      #expect(found.0 == ["a", "b", "c", "d"] && found.0 == found.1)
    }
    try add("f", to: coordinator)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [5])
    #expect(try titles(coordinator.context()) == ["a", "b", "c", "d", "f"])
  }

  @Test(arguments: Place.all)
  func `PS-11 a snapshot whose body throws leaves the consumer where it is`(place: Place) throws {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let (consumer, batch) = try sleeper(coordinator)
    #expect(throws: Failure.self) { try consumer.snapshot { _ in throw Failure() } }
    #expect(try consumer.nextBatch()?.element == batch.element)
    // And so does one that another worker was faster than, where there can be one meanwhile.
    if place == .journal { return }
    let error = #expect(throws: PersistenceError.self) {
      try consumer.snapshot { _ in try consumer.acknowledge(batch) }
    }
    #expect(error?.code == .conflict)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [4])
  }

  @Test(arguments: [true, false])
  func `PS-11 a reader that is killed in a snapshot leaves the consumer where it is`(
    hasLog: Bool
  ) async throws {
    try withExtendedLifetime(open(hasLog ? .log : .journal)) { coordinator in
      try withExtendedLifetime(sleeper(coordinator)) {}
      coordinator.close()
    }
    for _ in 1...2 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = library.path as String, hasLog = hasLog as Bool] in
        let coordinator = try HistoryLibrary.open(path, hasLog: hasLog)
        let consumer = try coordinator.historyConsumer(named: "mirror", from: .now)
        try consumer.snapshot { context in
          let titles = try context.fetch(Book.self).map(\.title)
          if titles.count == 4 { raise(SIGKILL) }
        }
      }
    }
    let coordinator = try open(hasLog ? .log : .journal)
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mirror", from: .now)
    guard case .missed? = try consumer.nextBatch()?.element else { throw Failure() }
    try add("e", to: coordinator)
    #expect(try consumer.snapshot(titles) == ["a", "b", "c", "d", "e"])
    #expect(try consumer.lag() == 0)
  }

  @Test(arguments: Place.beside)
  func `PS-11 a snapshot that reaches a limit leaves the consumer where it is`(_ place: Place)
    throws
  {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let (consumer, batch) = try sleeper(coordinator)
    let error = #expect(throws: PersistenceError.self) {
      try consumer.snapshot(limits: PinnedViewLimits(age: .zero)) { try titles($0) }
    }
    #expect(error?.code == .viewEnded)
    #expect(try consumer.nextBatch()?.element == batch.element)
  }

  @Test(arguments: Place.beside)
  func `PS-11 in a loop a snapshot takes the place of an acknowledgment`(_ place: Place)
    async throws
  {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let consumer = try sleeper(coordinator).0
    var seen: [String] = []
    func note(_ batch: HistoryBatch) async throws -> Bool {
      if case .missed = batch.element {
        seen += try await consumer.snapshot { context in
          await Task.yield()
          return try titles(context)
        }
        try add("e", to: coordinator)
      } else {
        seen += batch.transactions.map { "\($0.number)" }
      }
      return seen.last == "5"
    }
    for try await batch in consumer where try await note(batch) { break }
    #expect(seen == ["a", "b", "c", "d", "5"])
    try consumer.acknowledge(try #require(try consumer.nextBatch()))
    try add("f", to: coordinator)
    try coordinator.deleteHistory(before: coordinator.currentHistoryToken(), force: true)
    await #expect(throws: Failure.self) {
      try await consumer.run { batch in
        guard case .missed = batch.element else { throw Failure() }
        try consumer.snapshot { _ in }
        try add("g", to: coordinator)
      }
    }
    #expect(try consumer.lag() == 1)
  }

  @Test(arguments: Place.beside)
  func `PS-11 a reader that keeps its own place goes on after a snapshot`(_ place: Place) throws {
    let coordinator = try open(place)
    defer { coordinator.close() }
    let start = try coordinator.currentHistoryToken()
    try withExtendedLifetime(sleeper(coordinator)) {}
    var history = try coordinator.history(after: start)
    guard case .missed? = try history.next() else { throw Failure() }
    let before = history.token
    #expect(throws: Failure.self) { try history.snapshot { _ in throw Failure() } }
    #expect(history.token == before)
    #expect(try history.snapshot(titles) == ["a", "b", "c", "d"])
    #expect(try history.token == coordinator.currentHistoryToken() && history.next() == nil)
    try add("e", to: coordinator)
    #expect(try history.transactions().map(\.number) == [5])
  }

  @Test func `PS-11 of several stores, a snapshot reads each at a moment of its own`() throws {
    let stores = try TwoStores()
    for hasLog in [true, false] {
      let coordinator = try stores.open(hasLog: hasLog)
      defer { coordinator.close() }
      let consumer = try coordinator.historyConsumer(named: "mirror", from: .now)
      try TwoStores.add("a", "b", coordinator.context())
      try coordinator.deleteHistory(before: coordinator.currentHistoryToken(), force: true)
      let found = try consumer.snapshot { context in try TwoStores.titles(context) }
      #expect(try found == TwoStores.titles(coordinator.context()) && consumer.lag() == 0)
      try TwoStores.add("c", "d", coordinator.context())
      var seen = 0
      while let batch = try consumer.nextBatch() {
        seen += batch.transactions.count
        try consumer.acknowledge(batch)
      }
      #expect(seen == 2)
    }
    let pinned = #expect(throws: PersistenceError.self) {
      let coordinator = try stores.open()
      defer { coordinator.close() }
      _ = try ManagedObjectContext(pinning: coordinator)
    }
    #expect(pinned?.code == .unsupported)
  }

  // MARK: Mirrors

  /// What a consumer has of a store; it reads the objects that a save has changed.
  private struct Mirror {
    let hasLog: Bool
    var titles: [ManagedObjectID: String] = [:]
    var snapshots = 0

    mutating func follow(
      _ consumer: HistoryConsumer, _ coordinator: PersistentStoreCoordinator
    ) throws {
      while let batch = try consumer.nextBatch() {
        guard case .saves(let saves) = batch.element else {
          snapshots += 1
          titles = try consumer.snapshot { context in
            // Without a log, it would have to wait.
            if hasLog { try TwoStores.add("book", "picture", coordinator.context()) }
            return try TwoStores.titles(context)
          }
          continue
        }
        try apply(saves.flatMap(\.changes), coordinator.context())
        try consumer.acknowledge(batch)
      }
    }

    private mutating func apply(
      _ changes: [HistoryChange], _ context: ManagedObjectContext
    ) throws {
      for change in changes {
        guard let id = change.objectID else { continue }
        if change.kind == .insert, titles[id] != nil { Issue.record("\(id) comes again") }
        let object = try? context.existingObject(with: id, as: ManagedObject.self)
        titles[id] = change.kind == .delete ? nil : try object?.value("title", as: String.self)
      }
    }
  }

  /// Changes random books and pictures.
  private static func write(
    _ coordinator: PersistentStoreCoordinator, _ seed: UInt64, _ count: Int
  ) {
    var random = SeededRandom(seed: seed)
    for number in 0..<count {
      let context = coordinator.context()
      // Another thread may be faster; what is refused is not saved.
      try? change(context, "\(seed) \(number)", &random)
      if Int.random(in: 0...5, using: &random) == 0,
        let now = try? coordinator.currentHistoryToken()
      {
        _ = try? coordinator.deleteHistory(before: now, force: true)
      }
    }
  }

  private static func change(
    _ context: ManagedObjectContext, _ title: String, _ random: inout SeededRandom
  ) throws {
    let books = try context.fetch(Book.self)
    let pictures = try context.fetch(Picture.self)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0...5, using: &random) {
      case 0: _ = try context.insert(Book.self) { $0.title = title }
      case 1: _ = try context.insert(Picture.self) { $0.title = title }
      case 2: books.randomElement(using: &random)?.title = title
      case 3: pictures.randomElement(using: &random)?.title = title
      case 4:
        if let book = books.randomElement(using: &random), !book.isDeleted {
          try context.delete(book)
        }
      default:
        if let picture = pictures.randomElement(using: &random), !picture.isDeleted {
          try context.delete(picture)
        }
      }
    }
    try context.save()
  }

  @Test(arguments: [true, false])
  func `PS-11 a mirror of two stores that are written and purged meanwhile has what they have`(
    hasLog: Bool
  ) throws {
    let stores = try TwoStores()
    let coordinator = try stores.open(hasLog: hasLog)
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mirror", from: .now)
    let running = Lock(2)
    let threads = (0..<2).map { thread in
      ThreadRunner {
        Self.write(coordinator, 40 + UInt64(thread), 60)
        running.withLock { $0 -= 1 }
      }
    }
    var mirror = Mirror(hasLog: hasLog)
    while running.withLock({ $0 > 0 }) { try mirror.follow(consumer, coordinator) }
    for thread in threads { thread.join() }
    try mirror.follow(consumer, coordinator)
    #expect(mirror.snapshots > 0)
    #expect(try mirror.titles == TwoStores.titles(coordinator.context()), "seeds 40 and 41")
  }
}
