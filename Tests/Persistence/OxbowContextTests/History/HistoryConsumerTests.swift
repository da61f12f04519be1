import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Named readers of a history.
@Suite struct HistoryConsumerTests {
  private let library: HistoryLibrary

  init() throws { library = try HistoryLibrary() }

  /// Saves books one by one.
  private func add(_ titles: [String], to coordinator: PersistentStoreCoordinator) throws {
    let context = coordinator.context()
    for title in titles {
      _ = try context.insert(Book.self) { $0.title = title }
      try context.save()
    }
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a consumer gets a batch again until it is acknowledged`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    #expect(try consumer.nextBatch() == nil && consumer.lag() == 0)
    try add(["a", "b"], to: coordinator)
    let first = try #require(try consumer.nextBatch())
    #expect(first.transactions.map(\.number) == [1, 2])
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [1, 2])
    #expect(try consumer.lag() == 2)
    try consumer.acknowledge(first)
    #expect(try consumer.nextBatch() == nil && consumer.lag() == 0)
    let error = #expect(throws: PersistenceError.self) { try consumer.acknowledge(first) }
    #expect(error?.code == .conflict)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a consumer that waits ends when it is cancelled, and when its store is closed`(
    _ kind: HistoryLibrary.Kind
  ) async throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    let consumers = try ["one", "two"].map {
      try coordinator.historyConsumer(named: $0, from: .now)
    }
    let tasks = consumers.map { consumer in
      Task {
        var count = 0
        for try await _ in consumer { count += 1 }
        return count
      }
    }
    tasks[0].cancel()
    #expect(try await tasks[0].value == 0)
    coordinator.close()
    let error = await #expect(throws: PersistenceError.self) { try await tasks[1].value }
    #expect(error?.code == .storeClosed)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 where a consumer is survives its program`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    do {
      let coordinator = try library.open()
      defer { coordinator.close() }
      let consumer = try coordinator.historyConsumer(named: "mailer", from: .beginning)
      try add(["a", "b"], to: coordinator)
      try consumer.acknowledge(try #require(try consumer.nextBatch()))
    }
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["c"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .beginning)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [3])
    #expect(try coordinator.historyConsumers().map(\.name) == ["mailer"])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 one value works as a consumer at a time`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    do {
      let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
      let error = #expect(throws: PersistenceError.self) {
        try coordinator.historyConsumer(named: "mailer", from: .now)
      }
      #expect(error?.code == .consumerInUse)
      _ = try coordinator.historyConsumer(named: "indexer", from: .now)
      withExtendedLifetime(consumer) {}
    }
    _ = try coordinator.historyConsumer(named: "mailer", from: .now)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 an acknowledgment in a save is kept with it or not at all`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "counter", from: .beginning)
    let batch = try #require(try consumer.nextBatch())
    let context = coordinator.context()
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.acknowledge(batch)
    try context.rollback()
    #expect(try consumer.lag() == 1 && !context.hasChanges)
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.acknowledge(batch)
    #expect(context.hasChanges)
    try context.save()
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [2])
    let late = coordinator.context()
    _ = try late.insert(Tag.self) { $0.name = "tag" }
    try late.acknowledge(batch)
    let error = #expect(throws: PersistenceError.self) { try late.save() }
    #expect(error?.code == .conflict)
    #expect(try coordinator.context().count(FetchRequest<Tag>()) == 1)
  }

  @Test
  func `PS-11 a save acknowledges one batch of a consumer, and a child's goes with its parent`()
    throws
  {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "counter", from: .beginning)
    try add(["a"], to: coordinator)
    let batch = try #require(try consumer.nextBatch())
    let parent = coordinator.context()
    let child = ManagedObjectContext(parent: parent)
    try child.acknowledge(batch)
    try child.save()
    #expect(try consumer.lag() == 1)
    // Read again before the parent saves, the batch would have its effect twice.
    for context in [parent, ManagedObjectContext(parent: parent)] {
      let again = try #require(try consumer.nextBatch())
      let error = #expect(throws: PersistenceError.self) {
        if context !== parent { _ = try context.insert(Tag.self) { $0.name = "tag" } }
        try context.acknowledge(again)
        try context.save()
      }
      #expect(error?.code == .validation)
      if context !== parent { try context.rollback() }
    }
    try parent.save()
    #expect(try coordinator.context().count(FetchRequest<Tag>()) == 0)
    #expect(try consumer.nextBatch() == nil && consumer.lag() == 0)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 no merge policy writes what another worker has acknowledged`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "counter", from: .beginning)
    let batch = try #require(try consumer.nextBatch())
    try consumer.acknowledge(batch)
    let context = coordinator.context()
    context.mergePolicy = .mergeByProperty
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.acknowledge(batch)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(try coordinator.context().count(FetchRequest<Tag>()) == 0)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a loop and a body may acknowledge their batch in a save`(
    _ kind: HistoryLibrary.Kind
  ) async throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(
      named: "loop", from: .beginning, where: .notAuthor("loop"))
    let context = coordinator.context()
    context.transactionAuthor = "loop"
    var seen: [Int64] = []
    for try await batch in consumer {
      seen += batch.transactions.map(\.number)
      if seen.count == 2 { break }
      _ = try context.insert(Tag.self) { $0.name = "tag" }
      try context.acknowledge(batch)
      try context.save()
      try add(["b"], to: coordinator)
    }
    #expect(seen == [1, 3])
    struct Done: Error {}
    await #expect(throws: Done.self) {
      try await consumer.run { batch in
        seen += batch.transactions.map(\.number)
        if seen.count == 4 { throw Done() }
        try context.acknowledge(batch)
        try context.save()
        try add(["c"], to: coordinator)
      }
    }
    #expect(seen == [1, 3, 3, 4])
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a loop acknowledges a batch when it asks for the next`(
    _ kind: HistoryLibrary.Kind
  ) async throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "loop", from: .beginning)
    for try await batch in consumer {
      #expect(batch.transactions.map(\.number) == [1])
      break
    }
    #expect(try consumer.lag() == 1)
    var seen: [Int64] = []
    for try await batch in consumer {
      seen += batch.transactions.map(\.number)
      if seen == [1] { try add(["b"], to: coordinator) }
      if seen.contains(2) { break }
    }
    #expect(seen == [1, 2])
    #expect(try consumer.lag() == 1)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a body that throws gets its batch again`(
    _ kind: HistoryLibrary.Kind
  ) async throws {
    let library = try HistoryLibrary(kind)
    struct Refused: Error {}
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "run", from: .beginning)
    await #expect(throws: Refused.self) { try await consumer.run { _ in throw Refused() } }
    #expect(try consumer.lag() == 1)
    await #expect(throws: Refused.self) {
      try await consumer.run { batch in
        if batch.transactions.first?.number == 2 { throw Refused() }
        try add(["b"], to: coordinator)
      }
    }
    #expect(try consumer.lag() == 1)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 what a consumer needs is not deleted, unless it is forced`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "slow", from: .beginning)
    try add(["a", "b", "c"], to: coordinator)
    let token = try coordinator.currentHistoryToken()
    let error = #expect(throws: PersistenceError.self) {
      try coordinator.deleteHistory(before: token)
    }
    #expect(error?.code == .historyNeeded && error?.message.contains("'slow'") == true)
    #expect(try coordinator.deleteHistory(before: Date(timeIntervalSinceNow: 60)) == 0)
    #expect(try coordinator.deleteHistory(before: token, force: true) == 3)
    let batch = try #require(try consumer.nextBatch())
    guard case .missed(let gap) = batch.element else {
      Issue.record("the consumer does not hear what it missed")
      return
    }
    #expect(gap.count == 3)
    try consumer.acknowledge(batch)
    #expect(try consumer.nextBatch() == nil)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 what is ignored counts as seen`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(
      named: "others", from: .beginning, ignoresOwnSession: true)
    try add(["a", "b"], to: coordinator)
    #expect(try consumer.nextBatch() == nil)
    #expect(try consumer.lag() == 0)
    let filtered = try coordinator.historyConsumer(
      named: "tags", from: .beginning, where: .entity("Tag"))
    let context = coordinator.context()
    _ = try context.insert(Tag.self) { $0.name = "tag" }
    try context.save()
    let batch = try #require(try filtered.nextBatch())
    #expect(batch.transactions.map(\.number) == [3])
    try filtered.acknowledge(batch)
    #expect(try filtered.lag() == 0)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a consumer that was forgotten says so`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "gone", from: .now)
    try coordinator.forgetHistoryConsumer(named: "gone")
    let error = #expect(throws: PersistenceError.self) { try consumer.nextBatch() }
    #expect(error?.code == .consumerUnknown)
    let unknown = #expect(throws: PersistenceError.self) {
      try coordinator.forgetHistoryConsumer(named: "gone")
    }
    #expect(unknown?.code == .consumerUnknown)
  }

  @Test func `PS-11 the limits are kept by the program that writes`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "slow", from: .beginning)
    try add(["a", "b", "c"], to: coordinator)
    let store = try #require(coordinator.store as? SQLiteStore)
    store.keepHistory(within: HistoryLimits())
    #expect(try coordinator.saves().count == 3)
    store.keepHistory(within: HistoryLimits(days: 30, bytes: 1))
    #expect(try coordinator.saves().map(\.number) == [3])
    #expect(try consumer.lag() == 3)
  }

  @Test func `PS-11 a program that changes objects by batches keeps the limits too`() throws {
    do {
      let coordinator = try library.open()
      defer { coordinator.close() }
      try add(["a", "b", "c"], to: coordinator)
    }
    let coordinator = try library.open { $0.historyLimits = HistoryLimits(days: 30, bytes: 1) }
    defer { coordinator.close() }
    _ = try coordinator.context().batchUpdate(Book.self) { $0.set(\.pages, to: 3) }
    #expect(try coordinator.saves().map(\.number) == [4])
  }

  @Test func `PS-11 a limit of bytes keeps the newest saves that are within it`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a", "b", "c", "d", "e"], to: coordinator)
    let store = try #require(coordinator.store as? SQLiteStore)
    var kept: [[Int64]] = []
    for bytes in (1...200).reversed() {
      store.keepHistory(within: HistoryLimits(days: 30, bytes: bytes))
      let numbers = try coordinator.saves().map(\.number)
      if kept.last != numbers { kept.append(numbers) }
    }
    #expect(kept == (1...5).map { Array($0...5) })
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 a save that only acknowledges is not news`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "counter", from: .now)
    let other = try coordinator.historyConsumer(named: "other", from: .now)
    try add(["a"], to: coordinator)
    let end = try coordinator.currentHistoryToken()
    let context = coordinator.context()
    let calls = Lock(0)
    let subscription = coordinator.onDidSave { _ in calls.withLock { $0 += 1 } }
    defer { subscription.cancel() }
    try context.acknowledge(try #require(try consumer.nextBatch()))
    try context.acknowledge(try #require(try other.nextBatch()))
    try context.save()
    #expect(calls.withLock(\.self) == 0)
    #expect(try consumer.nextBatch() == nil && other.nextBatch() == nil)
    #expect(try coordinator.currentHistoryToken() == end)
    #expect(!context.hasChanges)
  }

  @Test(arguments: HistoryLibrary.Kind.all)
  func `PS-11 of acknowledgments in one save, all are kept or none`(
    _ kind: HistoryLibrary.Kind
  ) throws {
    let library = try HistoryLibrary(kind)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "counter", from: .now)
    let other = try coordinator.historyConsumer(named: "other", from: .now)
    try add(["a"], to: coordinator)
    let batches = [try #require(try consumer.nextBatch()), try #require(try other.nextBatch())]
    try other.acknowledge(batches[1])
    let context = coordinator.context()
    for batch in batches { try context.acknowledge(batch) }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(try consumer.lag() == 1 && other.lag() == 0)
  }

  @Test func `PS-11 a coordinator that was closed changes nothing where another one is open`()
    throws
  {
    let open = try library.open()
    defer { open.close() }
    let closed = try library.open()
    let consumer = try closed.historyConsumer(named: "mailer", from: .now)
    try add(["a", "b"], to: open)
    let batch = try #require(try consumer.nextBatch())
    let end = try closed.currentHistoryToken()
    let store = closed.store
    closed.close()
    let acknowledging = [batch.acknowledgment]
    let attempts: [() throws -> Void] = [
      { try consumer.acknowledge(batch) },
      { try store.requireHistory().acknowledge(acknowledging) },
      { try closed.deleteHistory(before: end, force: true) },
      { try closed.deleteHistory(before: Date(timeIntervalSinceNow: 60)) },
      { try closed.forgetHistoryConsumer(named: "mailer") },
      { _ = try store.requireHistory().own("other") },
      { _ = try closed.historyConsumer(named: "other", from: .now) },
      { _ = try store.reserveKeys(root: 0, count: 1) },
      { try consumer.snapshot { _ in } },
    ]
    for attempt in attempts {
      let error = #expect(throws: PersistenceError.self) { try attempt() }
      #expect(error?.code == .storeClosed)
    }
    #expect(try open.historyConsumers().map(\.lag) == [2] && open.saves().count == 2)
  }

  @Test
  func `PS-11 a consumer hears that a backup was restored, and may read the store as a whole`()
    throws
  {
    let backup = library.folder.file("backup.sqlite")
    do {
      let coordinator = try library.open()
      defer { coordinator.close() }
      try add(["a"], to: coordinator)
      let mirror = try coordinator.historyConsumer(named: "mirror", from: .now)
      try SQLiteStoreFile(library.path).backUp(to: backup)
      try add(["b", "c"], to: coordinator)
      try mirror.acknowledge(try #require(try mirror.nextBatch()))
    }
    try SQLiteStoreFile(library.path).restore(from: backup, replacing: true)
    let coordinator = try library.open()
    defer { coordinator.close() }
    let mirror = try coordinator.historyConsumer(named: "mirror", from: .now)
    let batch = try #require(try mirror.nextBatch())
    let note: [String] =
      if case .migrated(let restoring) = batch.element { restoring.notes } else { [] }
    #expect(note == ["restored from a backup"])
    #expect(try mirror.snapshot { try $0.fetch(Book.self).map(\.title) } == ["a"])
    #expect(try mirror.nextBatch() == nil)
  }

  @Test func `PS-11 a store is not moved while a consumer works on it`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    let path = library.folder.file("moved.sqlite")
    do {
      let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
      let error = #expect(throws: PersistenceError.self) { try coordinator.moveStore(to: path) }
      #expect(error?.code == .consumerInUse)
      #expect(!FileManager.default.fileExists(atPath: path))
      withExtendedLifetime(consumer) {}
    }
    try coordinator.moveStore(to: path)
    try add(["a"], to: coordinator)
    let consumer = try coordinator.historyConsumer(named: "mailer", from: .now)
    #expect(try consumer.nextBatch()?.transactions.map(\.number) == [1])
  }

  @Test func `PS-11 what was saved before a move is of this opening too`() throws {
    let coordinator = try library.open()
    defer { coordinator.close() }
    try add(["a"], to: coordinator)
    try coordinator.moveStore(to: library.folder.file("moved.sqlite"))
    try add(["b"], to: coordinator)
    let consumer = try coordinator.historyConsumer(
      named: "others", from: .beginning, ignoresOwnSession: true)
    #expect(try consumer.nextBatch() == nil)
  }
}
