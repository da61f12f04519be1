import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// What happens to a store while its saves are followed: it moves, its disk fails, it is purged.
@Suite(.timeLimit(.minutes(30))) struct FollowingPairTests {
  private let library: HistoryLibrary

  init() throws { library = try HistoryLibrary() }

  private func follower(
    _ history: HistoryRecording = .keys, hasLog: Bool = true
  ) throws -> PersistentStoreCoordinator {
    try library.open(history, hasLog: hasLog) { $0.followsOtherProcesses = true }
  }

  private func save(_ name: String, in context: ManagedObjectContext) throws {
    _ = try context.insert(Tag.self) { $0.name = name }
    try context.save()
  }

  /// The numbers of the saves that a sequence has, up to one; `nil` if it does not know them all.
  private func numbers(_ events: SaveEvents, through last: Int64) async -> [Int64]? {
    var numbers: [Int64] = []
    for await news in events {
      if !news.isComplete { return nil }
      numbers += news.events.compactMap { $0.historyToken?.number }
      if numbers.contains(last) { break }
    }
    return numbers
  }

  @Test(arguments: [true, false])
  func `PS-11 PS-18 no save is lost or posted twice while a store that is followed moves`(
    hasLog: Bool
  ) async throws {
    let coordinator = try follower(hasLog: hasLog)
    defer { coordinator.close() }
    let events = coordinator.didSaveEvents()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<3 {
        group.addTask {
          let context = coordinator.context("\(thread)")
          for number in 0..<20 { try save("\(number)", in: context) }
        }
      }
      for number in 0..<3 {
        try coordinator.moveStore(to: library.folder.file("moved \(number).sqlite"))
      }
      try await group.waitForAll()
    }
    let other = try HistoryLibrary.open(library.folder.file("moved 2.sqlite"), hasLog: hasLog)
    defer { other.close() }
    try save("other", in: other.context())
    let seen = await numbers(events, through: 61)
    #expect(seen?.sorted() == Array(1...61))
  }

  /// `OXBOW_FAULT_SWEEP=1` fails each operation; without, each of a fixed part of them.
  private static let stride =
    ProcessInfo.processInfo.environment["OXBOW_FAULT_SWEEP"] == nil ? 13 : 1

  @Test(arguments: [true, false])
  func `PS-11 each failure of the disk leaves a follower with the saves that are there`(
    hasLog: Bool
  ) async throws {
    var operation = 1
    while try await follow(failingAt: operation, hasLog: hasLog) { operation += Self.stride }
    #expect(operation > 2 * Self.stride)
    print("faults of followed saves, log \(hasLog): up to \(operation - 1)")
  }

  /// Saves in two openings while an operation on the files fails.
  ///
  /// - Returns: Whether the operation was reached.
  private func follow(failingAt operation: Int, hasLog: Bool) async throws -> Bool {
    let folder = try TemporaryFolder()
    let plan = FaultyFiles.plan(for: folder.path)
    defer { FaultyFiles.forget(folder.path) }
    let path = folder.file("library.sqlite")
    let coordinators = try (0..<2).map { _ in
      try HistoryLibrary.open(path, hasLog: hasLog) { $0.followsOtherProcesses = true }
    }
    defer { for coordinator in coordinators { coordinator.close() } }
    let events = coordinators.map { $0.didSaveEvents() }
    plan.arm(operation, .inputOutput)
    for number in 0..<3 {
      for coordinator in coordinators {
        let context = coordinator.context()
        do { try save("\(number)", in: context) } catch { try context.rollback() }
      }
    }
    let wasReached = plan.count >= operation
    plan.disarm()
    try save("last", in: coordinators[0].context())
    let last = try coordinators[0].currentHistoryToken().number
    for sequence in events {
      // What could not be read is unknown.
      guard let seen = await numbers(sequence, through: last) else { continue }
      #expect(seen.sorted() == Array(1...last), "operation \(operation)")
    }
    return wasReached
  }

  @Test func `PS-11 a save under way when the first reader comes is posted once, or was before it`()
    async throws
  {
    let coordinator = try follower()
    defer { coordinator.close() }
    let store = try #require(coordinator.store as? SQLiteStore)
    for round in 0..<20 as Range<Int64> {
      let before = try coordinator.currentHistoryToken().number
      // One save waits for the writer, and one is written and not yet announced.
      let isWaiting = round % 2 == 0
      let events = Lock<SaveEvents?>(nil)
      let subscription = coordinator.onDidSave { _ in
        if !isWaiting { events.withLock { $0 = $0 ?? coordinator.didSaveEvents() } }
      }
      let (isReady, mayBegin) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let saver = ThreadRunner {
        let context = coordinator.context()
        _ = try? context.insert(Tag.self) { $0.name = "\(round)" }
        isReady.signal()
        mayBegin.wait()
        try? context.save()
      }
      isReady.wait()
      if isWaiting {
        try store.database.write { _ in
          mayBegin.signal()
          while store.waitingSaves == 0 { sched_yield() }
          events.withLock { $0 = coordinator.didSaveEvents() }
        }
      } else {
        mayBegin.signal()
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          saver.join()
          continuation.resume()
        }
      }
      subscription.cancel()
      try save("after", in: coordinator.context())
      let sequence = try #require(events.withLock { $0 })
      var seen: [Int64] = []
      for await news in sequence {
        seen += news.events.compactMap { $0.historyToken?.number }
        if seen.contains(before + 2) { break }
      }
      #expect(seen == (isWaiting ? [before + 1, before + 2] : [before + 2]), "round \(round)")
    }
  }

  @Test func `PS-11 a batch of another process is undone where its saves are followed`()
    async throws
  {
    let coordinator = try follower(.values)
    defer { coordinator.close() }
    let (context, reader) = (coordinator.context("undo"), coordinator.context("reader"))
    reader.automaticallyMergesChangesFromParent = true
    for number in 1...4 {
      _ = try context.insert(Book.self) { ($0.title, $0.pages) = ("\(number)", Int32(number)) }
    }
    try context.save()
    let books = try reader.fetch(Book.self, sortedBy: [.ascending(\.title)])
    #expect(books.map(\.pages) == [1, 2, 3, 4])
    await #expect(processExitsWith: .success) { [path = library.path as String] in
      let coordinator = try HistoryLibrary.open(path, .values)
      let context = coordinator.context("elsewhere")
      try context.batchUpdate(Book.self, where: .greater("pages", 2)) { $0.set(\.pages, to: 9) }
      try context.batchDelete(Book.self, where: .equal("title", "1"))
      coordinator.close()
    }
    repeat { try reader.load([]) } while books[0].context != nil || books[3].pages != 9
    let saves = try coordinator.saves(where: .entity("Book"))
    #expect(saves.suffix(2).map(\.contextName) == ["elsewhere", "elsewhere"])
    for save in saves.suffix(2).reversed() { try context.undo(save) }
    try context.save()
    try reader.load([])
    #expect(
      try reader.fetch(Book.self, sortedBy: [.ascending(\.title)]).map(\.pages) == [1, 2, 3, 4])
    #expect(books.dropFirst().map(\.pages) == [2, 3, 4])
  }

  @Test(arguments: [true, false])
  func `PS-11 what is purged by force under a sleeping consumer is a gap of exactly that`(
    hasLog: Bool
  ) async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Purging under a consumer: seed \(seed)")
    let coordinator = try library.open(hasLog: hasLog)
    defer { coordinator.close() }
    let consumer = try coordinator.historyConsumer(named: "sleeper", from: .beginning)
    async let isWritten: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = library.path as String, hasLog = hasLog as Bool, seed = seed as UInt64] in
      var random = SeededRandom(seed: seed)
      let coordinator = try HistoryLibrary.open(path, hasLog: hasLog)
      let context = coordinator.context("writer")
      for number in 0..<60 {
        _ = try context.insert(Tag.self) { $0.name = "\(number)" }
        try context.save()
        guard random.chance(30) else { continue }
        let token = try coordinator.currentHistoryToken()
        let back = Int64.random(in: 0...3, using: &random)
        _ = try coordinator.deleteHistory(
          before: token.at(max(0, token.number - back)), force: true)
      }
      coordinator.close()
    }
    var (end, gaps, place) = (Int64(0), 0, 0)
    for try await batch in consumer {
      place += 1
      switch batch.element {
      case .saves(let saves):
        #expect(saves.map(\.number) == Array(end + 1...end + Int64(saves.count)), "seed \(seed)")
        end += Int64(saves.count)
      case .missed(let gap):
        #expect(gap.first == end + 1 && gap.count == Int(gap.last - end), "seed \(seed)")
        (end, gaps) = (gap.last, gaps + 1)
      case .migrated: Issue.record("there is no migration")
      }
      if end == 60 { break }
    }
    _ = await isWritten
    #expect(end == 60)
    print("purging, log \(hasLog): \(place) batches, \(gaps) gaps")
  }
}
