import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// The histories of two stores behind one coordinator.
@Suite(.timeLimit(.minutes(30))) struct SeveralHistoriesTests {
  private let stores: TwoStores

  init() throws { stores = try TwoStores() }

  /// Saves a picture in a store that has no books.
  private func add(_ picture: String, to gallery: PersistentStoreCoordinator) throws {
    let context = gallery.context()
    _ = try context.insert(Picture.self) { $0.title = picture }
    try context.save()
  }

  // MARK: Waiting

  @Test func `PS-11 who begins to wait while a store is locked hears of its saves later`() throws {
    let coordinator = try stores.open(hasLog: false) { $0.busyMilliseconds = 1 }
    defer { coordinator.close() }
    let holder = try Connection(
      path: stores.file("Gallery"), configuration: .init(role: .sole))
    try holder.run("BEGIN EXCLUSIVE")
    let called = DispatchSemaphore(value: 0)
    #expect(
      throws: PersistenceError.self, performing: { try coordinator.currentHistoryToken() })
    let watch = try coordinator.store.requireHistory().watch { _ in
      called.signal()
      return false
    }
    try holder.run("COMMIT")
    holder.close()
    let gallery = try stores.openAlone("Gallery")
    defer { gallery.close() }
    try add("a", to: gallery)
    called.wait()
    withExtendedLifetime(watch) {}
  }

  // MARK: Reading

  @Test func `PS-11 a token names each of several stores, and reads as text`() throws {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let start = try coordinator.currentHistoryToken()
    #expect(
      try Set(start.places.map(\.store))
        == Set(["Book", "Picture"].map { try coordinator.storeIdentifier(ofEntityNamed: $0) }))
    #expect(start.places.map(\.number) == [0, 0])
    #expect(HistoryToken(start.description) == start)
    #expect(try JSONDecoder().decode(HistoryToken.self, from: JSONEncoder().encode(start)) == start)
    let place = start.places[0]
    #expect(HistoryToken("\(place)+\(place)") == nil && HistoryToken("\(place)+") == nil)
    try TwoStores.add("a", nil, context)
    let library = try #require(context.lastHistoryToken)
    #expect(library.places.map(\.number) == [1])
    try TwoStores.add(nil, "b", context)
    let both = try coordinator.currentHistoryToken()
    #expect(context.lastHistoryToken == both && both.places.map(\.number) == [1, 1])
    #expect(start.moved(to: library) < both && start.moved(to: library).places.count == 2)
  }

  @Test func `PS-11 a save of two stores is a row in each, and rows come in the order of time`()
    throws
  {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let context = coordinator.context("desk")
    context.transactionAuthor = "clerk"
    let start = try coordinator.currentHistoryToken()
    try TwoStores.add("a", nil, context)
    try TwoStores.add(nil, "b", context)
    try TwoStores.add("c", "d", context)
    let saves = try coordinator.saves(after: start)
    #expect(saves.map(\.date) == saves.map(\.date).sorted())
    #expect(saves.map(\.author) == Array(repeating: "clerk", count: 4))
    let library = try coordinator.storeIdentifier(ofEntityNamed: "Book")
    let inLibrary = try coordinator.saves(after: start, where: .store(library))
    #expect(
      inLibrary.map(\.number) == [1, 2] && inLibrary.allSatisfy { $0.place.store == library })
    #expect(try coordinator.saves(after: start, where: .entity("Picture")).map(\.number) == [1, 2])
    #expect(try saves.last?.token == coordinator.currentHistoryToken())
    // Each token goes on where it is, and the rows are the same whenever they are read.
    for (index, save) in saves.enumerated() {
      #expect(
        try coordinator.saves(after: save.token).map(\.place) == saves[(index + 1)...].map(\.place))
    }
    #expect(try coordinator.saves().map(\.place) == saves.map(\.place))
  }

  @Test func `PS-11 large saves in parts and many small ones of the other store are all read`()
    throws
  {
    let coordinator = try stores.open([.values, .keys])
    defer { coordinator.close() }
    let context = coordinator.context()
    let books = try (0..<3000).map { number in
      try context.insert(Book.self) { $0.title = String(repeating: "t", count: 200) + "\(number)" }
    }
    try context.save()
    for book in books { try context.delete(book) }
    try TwoStores.add(nil, "first", context)
    for number in 0..<20 { try TwoStores.add(nil, "\(number)", context) }
    var history = try coordinator.history()
    history.limits.saves = 7
    let saves = try history.transactions()
    let library = try coordinator.storeIdentifier(ofEntityNamed: "Book")
    let large = saves.filter { $0.place.store == library && $0.deletedCount > 0 }
    #expect(large.count > 1 && large.dropLast().allSatisfy(\.isContinued))
    #expect(large.flatMap(\.changes).count { $0.kind == .delete } == 3000)
    let pictures = saves.filter { $0.place.store != library }.map(\.number)
    #expect(pictures == Array(1...21))
    // A part is not a place to go on from: the save comes again, whole.
    let again = try coordinator.saves(after: large[0].token)
    #expect(again.count { $0.place == large[0].place } == large.count)
  }

  @Test func `PS-11 a store that a token does not name is read from its first save on`() throws {
    let alone = try stores.openAlone("Library")
    try TwoStores.add("a", nil, alone.context())
    let token = try alone.currentHistoryToken()
    alone.close()
    let coordinator = try stores.open()
    defer { coordinator.close() }
    try TwoStores.add(nil, "b", coordinator.context())
    try TwoStores.add("c", nil, coordinator.context())
    let saves = try coordinator.saves(after: token)
    #expect(saves.map { $0.changes.map(\.entityName) } == [["Picture"], ["Book"]])
    // And the token of both is one of each store.
    let both = try coordinator.currentHistoryToken()
    try TwoStores.add("d", "e", coordinator.context())
    let library = try stores.openAlone("Library")
    defer { library.close() }
    #expect(try library.saves(after: both).map(\.number) == [3])
    let stranger = try HistoryLibrary().open()
    defer { stranger.close() }
    let error = #expect(throws: PersistenceError.self) {
      try coordinator.saves(after: stranger.currentHistoryToken())
    }
    #expect(error?.code == .historyForeign)
  }

  @Test func `PS-11 stores without a history are left out, and without any there is none`() throws {
    let coordinator = try stores.open([.off, .keys])
    let context = coordinator.context()
    try TwoStores.add("a", "b", context)
    #expect(try coordinator.saves().map { $0.changes.map(\.entityName) } == [["Picture"]])
    #expect(context.lastHistoryToken?.places.count == 1)
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .beginning)
    #expect(try consumer.nextBatch()?.transactions.count == 1)
    coordinator.close()
    let token = try #require(context.lastHistoryToken)
    _ = try SQLiteStoreFile(stores.file("Gallery")).removeHistory(allowsLoss: true, force: true)
    let silent = try stores.open([.off, .off])
    defer { silent.close() }
    let off = #expect(throws: PersistenceError.self) { try silent.currentHistoryToken() }
    #expect(off?.code == .historyOff)
    let lost = #expect(throws: PersistenceError.self) { try silent.saves(after: token) }
    #expect(lost?.code == .historyOff)
  }

  @Test func `PS-11 what is missing in one store is a gap with its name, and the rest is read`()
    throws
  {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let start = try coordinator.currentHistoryToken()
    let consumer = try coordinator.historyConsumer(named: "slow", from: .now)
    for number in 0..<3 { try TwoStores.add("\(number)", "\(number)", context) }
    let gallery = try coordinator.storeIdentifier(ofEntityNamed: "Picture")
    let end = try #require(try coordinator.currentHistoryToken().place(in: gallery))
    let needed = #expect(throws: PersistenceError.self) {
      try coordinator.deleteHistory(before: start.with(end))
    }
    #expect(needed?.code == .historyNeeded && needed?.message.contains("Gallery.sqlite") == true)
    #expect(try coordinator.deleteHistory(before: start.with(end), force: true) == 3)
    let batch = try #require(try consumer.nextBatch())
    guard case .missed(let gap) = batch.element else {
      Issue.record("the gap is not handed out")
      return
    }
    #expect(gap.store == gallery && gap.count == 3 && gap.token == start.with(end))
    try consumer.acknowledge(batch)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [1, 2, 3])
    #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 0)
    try consumer.acknowledge(try #require(try consumer.nextBatch()))
    #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 3)
  }

  // MARK: Consumers

  @Test func `PS-11 a consumer is registered in each store, and works on all or none`() throws {
    let coordinator = try stores.open()
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    try TwoStores.add("a", "b", coordinator.context())
    try TwoStores.add("c", nil, coordinator.context())
    #expect(try consumer.lag() == 3)
    let library = try stores.openAlone("Library")
    let inUse = #expect(throws: PersistenceError.self) {
      try library.historyConsumer(named: "mailer", from: .now)
    }
    #expect(inUse?.code == .consumerInUse)
    library.close()
    try withExtendedLifetime(consumer) {
      try consumer.acknowledge(try #require(try consumer.nextBatch()))
      while let batch = try consumer.nextBatch() { try consumer.acknowledge(batch) }
    }
    let states = try coordinator.historyConsumers()
    #expect(states.map(\.name) == ["mailer"] && states.map(\.lag) == [0])
    #expect(try states[0].token == coordinator.currentHistoryToken())
    try coordinator.forgetHistoryConsumer(named: "mailer")
    #expect(try coordinator.historyConsumers().isEmpty)
    let unknown = #expect(throws: PersistenceError.self) {
      try coordinator.forgetHistoryConsumer(named: "mailer")
    }
    #expect(unknown?.code == .consumerUnknown)
    coordinator.close()
  }

  @Test func `PS-11 a consumer sees the saves of a store that was added since`() throws {
    let alone = try stores.openAlone("Library")
    _ = try alone.historyConsumer(named: "mailer", from: .now)
    try TwoStores.add("a", nil, alone.context())
    alone.close()
    let gallery = try stores.openAlone("Gallery")
    try add("b", to: gallery)
    gallery.close()
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    var seen: [String] = []
    while let batch = try consumer.nextBatch() {
      seen += batch.transactions.flatMap(\.changes).map(\.entityName)
      try consumer.acknowledge(batch)
    }
    #expect(seen.sorted() == ["Book", "Picture"])
  }

  @Test func `PS-11 an acknowledgment goes with a save of its store, and follows a save of others`()
    throws
  {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(
      named: "counter", from: .now, where: .notAuthor("counter"))
    try TwoStores.add("a", "b", coordinator.context())
    let context = coordinator.context()
    context.transactionAuthor = "counter"
    var seen = 0
    while let batch = try consumer.nextBatch() {
      seen += batch.transactions.count
      _ = try context.insert(Tag.self) { $0.name = "\(seen)" }
      try context.acknowledge(batch)
      try context.save()
    }
    #expect(try seen == 2 && consumer.lag() == 0)
    // What only acknowledges is no save of either store.
    let end = try coordinator.currentHistoryToken()
    try TwoStores.add("c", "d", coordinator.context())
    let now = try coordinator.currentHistoryToken()
    while let batch = try consumer.nextBatch() {
      try context.acknowledge(batch)
      try context.save()
    }
    #expect(try coordinator.currentHistoryToken() == now && now != end)
    #expect(try consumer.lag() == 0)
  }

  @Test func `PS-11 what another worker has acknowledged in one store is refused in all`() throws {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "counter", from: .now)
    try TwoStores.add(nil, "b", coordinator.context())
    let batch = try #require(try consumer.nextBatch())
    try consumer.acknowledge(batch)
    for (book, picture) in [("x", nil), (nil, "x"), ("x", "x"), (nil, nil)] as [(String?, String?)]
    {
      let late = coordinator.context()
      if let book { _ = try late.insert(Book.self) { $0.title = book } }
      if let picture { _ = try late.insert(Picture.self) { $0.title = picture } }
      try late.acknowledge(batch)
      let error = #expect(throws: PersistenceError.self) { try late.save() }
      #expect(error?.code == .conflict)
    }
    #expect(try TwoStores.titles(coordinator.context()).values.sorted() == ["b"])
  }

  @Test func `PS-11 a commit that fails after another one has acknowledged nothing`() throws {
    let model = try TwoStores.model()
    let parts = try TwoStores.names.map { name in
      let names = try model.source.requireConfiguration(named: name)
      let part = ModelPart(Set(names), of: model)
      return FailingStore(
        try SQLiteStore(
          model, part: part, at: .file(stores.file(name)),
          options: SQLiteStoreOptions(history: .keys)), part.entities)
    }
    let coordinator = PersistentStoreCoordinator(
      store: CombinedStore(parts.map { ($0, $0.entities) }, model))
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "counter", from: .now)
    try TwoStores.add("a", "b", coordinator.context())
    let last = try #require(parts.min { $0.identifier.uuidString < $1.identifier.uuidString })
    last.fails.withLock { $0 = true }
    let batch = try #require(try consumer.nextBatch())
    let context = coordinator.context()
    _ = try context.insert(Book.self) { $0.title = "c" }
    _ = try context.insert(Picture.self) { $0.title = "d" }
    try context.acknowledge(batch)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .partlySaved)
    #expect(try consumer.lag() == 3 && consumer.nextBatch()?.element == batch.element)
  }

  @Test func `PS-11 a loop acknowledges what a save has not`() async throws {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(
      named: "loop", from: .now, where: .notAuthor("loop"))
    try TwoStores.add("a", "b", coordinator.context())
    let context = coordinator.context()
    context.transactionAuthor = "loop"
    var seen: [String] = []
    for try await batch in consumer {
      seen += batch.transactions.flatMap(\.changes).map(\.entityName)
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.acknowledge(batch)
      try context.save()
      if seen.count == 2 { break }
    }
    // Its own saves are left, of which the second batch may have seen the first.
    #expect(try seen.sorted() == ["Book", "Picture"] && (1...2).contains(consumer.lag()))
    #expect(try consumer.nextBatch() == nil)
    #expect(try consumer.lag() == 0)
  }

  // MARK: Contexts

  @Test func `PS-11 the rows of a save of two stores are undone one by one, and merged`() throws {
    let coordinator = try stores.open([.values, .values])
    defer { coordinator.close() }
    let context = coordinator.context()
    let start = try coordinator.currentHistoryToken()
    try TwoStores.add("a", "b", context)
    try TwoStores.add("c", nil, context)
    let book = try #require(try context.fetch(Book.self, where: .equal("title", "a")).first)
    let other = coordinator.context()
    let mine = try other.existingObject(with: book.objectID, as: Book.self)
    book.title = "changed"
    try context.save()
    let saves = try coordinator.saves(after: start)
    #expect(mine.title == "a")
    try other.mergeChanges(from: try #require(saves.last))
    #expect(mine.title == "changed")
    for save in saves.reversed() { try other.undo(save) }
    try other.save()
    #expect(try TwoStores.titles(coordinator.context()).isEmpty)
    let stranger = try HistoryLibrary().open(.values)
    defer { stranger.close() }
    let elsewhere = stranger.context()
    let error = #expect(throws: PersistenceError.self) { try elsewhere.undo(saves[0]) }
    #expect(error?.code == .historyForeign)
  }

  @Test func `PS-11 each of several stores is followed, and its saves come in their order`()
    async throws
  {
    let follower = try stores.open { $0.followsOtherProcesses = true }
    let writer = try stores.open()
    defer {
      follower.close()
      writer.close()
    }
    let list = follower.context("list")
    list.automaticallyMergesChangesFromParent = true
    let events = follower.didSaveEvents()
    let contexts = [follower.context("near"), writer.context("far")]
    for number in 0..<8 {
      try TwoStores.add("\(number)", number % 3 == 0 ? "\(number)" : nil, contexts[number % 2])
    }
    // A near save of both stores is one event, a far one an event for each store.
    let expected = 4 + 4 + 1
    var seen: [SaveEvent] = []
    for await news in events {
      #expect(news.isComplete)
      seen += news.events
      if seen.count >= expected { break }
    }
    #expect(seen.count == expected && seen.count { $0.author == "near" } == 4)
    for entity in ["Book", "Picture"] {
      let store = try follower.storeIdentifier(ofEntityNamed: entity)
      let numbers = seen.compactMap { $0.historyToken?.place(in: store)?.number }
      #expect(numbers == Array(1...(entity == "Book" ? 8 : 3)))
    }
    #expect(seen.flatMap(\.insertedObjectIDs).count == 11)
    #expect(try list.fetch(Book.self).count == 8)
  }

  @Test func `PS-11 saves of many threads in two stores are each posted once`() async throws {
    let follower = try stores.open { $0.followsOtherProcesses = true }
    let writer = try stores.open()
    defer {
      follower.close()
      writer.close()
    }
    let events = follower.didSaveEvents()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let context = (thread % 2 == 0 ? follower : writer).context("\(thread)")
          for number in 0..<10 {
            try TwoStores.add(
              number % 3 == 0 ? nil : "\(number)", number % 3 == 1 ? nil : "\(number)", context)
          }
        }
      }
      try await group.waitForAll()
    }
    // Of ten saves, three change both stores: one event near, two far.
    let expected = 2 * 10 + 2 * 13
    var seen: [SaveEvent] = []
    for await news in events {
      seen += news.events
      if seen.count >= expected { break }
    }
    #expect(seen.count == expected)
    let ids = seen.flatMap(\.insertedObjectIDs)
    #expect(ids.count == 4 * 13 && Set(ids).count == ids.count)
  }

  // MARK: Random

  @Test func `PS-11 rows of two stores that are written meanwhile come once each, in order`() throws
  {
    let coordinator = try stores.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "reader", from: .now)
    let running = Lock(3)
    let threads = (0..<3).map { thread in
      ThreadRunner {
        defer { running.withLock { $0 -= 1 } }
        var random = SeededRandom(seed: 700 + UInt64(thread))
        let context = coordinator.context("\(thread)")
        for number in 0..<60 {
          let kind = Int.random(in: 0...2, using: &random)
          try? TwoStores.add(
            kind == 0 ? nil : "\(number)", kind == 1 ? nil : "\(number)", context)
        }
      }
    }
    var seen: [UUID: [Int64]] = [:]
    func drain() throws {
      while let batch = try consumer.nextBatch() {
        for save in batch.transactions { seen[save.place.store, default: []].append(save.number) }
        try consumer.acknowledge(batch)
      }
    }
    while running.withLock({ $0 > 0 }) { try drain() }
    for thread in threads { thread.join() }
    try drain()
    for place in try coordinator.currentHistoryToken().places {
      #expect(seen[place.store] == Array(1...place.number), "seeds 700 to 702")
    }
  }
}
