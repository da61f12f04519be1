import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
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

/// Programs that write a history and programs that read it, each killed again and again.
///
/// `OXBOW_KILLS=2000` kills as often; `OXBOW_RANDOM_SEED=7` begins at another seed.
@Suite(.timeLimit(.minutes(60))) struct HistoryKillTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  /// One store, whose writer and whose consumers are killed a few times.
  private struct Place: Codable, Sendable {
    let folder: String
    let hasLog: Bool
    var operation = 0

    var path: String { folder + "/library.sqlite" }
    var line: String { folder + "/line" }

    func open() throws -> PersistentStoreCoordinator {
      try HistoryLibrary.open(path, hasLog: hasLog)
    }

    func killing(at operation: Int) -> Self {
      var place = self
      place.operation = operation
      return place
    }
  }

  /// A file of numbers that survives its writers.
  private struct Numbers: Sendable {
    private let path: String

    init(_ name: String, in place: Place) { path = place.folder + "/" + name }

    func add(_ number: Int64) {
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
      defer { close(file) }
      let line = Array("\(number)\n".utf8)
      precondition(write(file, line, line.count) == line.count, "a line is not written")
    }

    var all: [Int64] {
      ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        .split(separator: "\n").compactMap { Int64($0) }
    }
  }

  @Test(arguments: [true, false])
  func `PS-11 killed writers and consumers of several processes miss, repeat and reorder nothing`(
    hasLog: Bool
  ) async throws {
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    var counts = (kills: 0, saves: 0, acknowledged: 0, again: 0)
    for seed in first..<first + max(1, (Self.number("OXBOW_KILLS") ?? 8) / 8) {
      var random = SeededRandom(seed: UInt64(seed))
      let folder = try TemporaryFolder()
      let place = Place(folder: folder.path, hasLog: hasLog)
      try place.open().close()
      for _ in 1...2 {
        let writer = place.killing(at: Int.random(in: 1...400, using: &random))
        let consumers = place.killing(at: Int.random(in: 1...160, using: &random))
        try await kill(writer, consumers)
        counts.kills += 2
      }
      try await drain(place)
      let found = try check(place, "seed \(seed)")
      counts.saves += found.saves
      counts.acknowledged += found.acknowledged
      counts.again += found.again
    }
    print("kills of a history, log \(hasLog): \(counts)")
    #expect(counts.acknowledged > 0)
  }

  /// What the files and the store say.
  private func check(
    _ place: Place, _ note: String
  ) throws -> (saves: Int, acknowledged: Int, again: Int) {
    let coordinator = try place.open()
    defer { coordinator.close() }
    let context = coordinator.context()
    let last = try coordinator.currentHistoryToken().number
    let (heard, seen) = (Numbers("heard", in: place).all, Numbers("seen", in: place).all)
    // At least once, in order but for what comes again.
    #expect(Set(seen) == Set(1...last), "\(note): \(Set(1...last).subtracting(seen))")
    #expect(Set(heard).isSubset(of: seen), "\(note)")
    var end: Int64 = 0
    for number in seen {
      #expect(number <= end + 1, "\(note): \(number) after \(end)")
      end = max(end, number)
    }
    // Exactly once: a tag for each save, and an author for each tag.
    let names = try context.fetch(Author.self).sorted { $0.objectID.key < $1.objectID.key }
      .compactMap { Int64($0.name) }
    #expect(names == Set(names).sorted(), "\(note)")
    #expect(Set(heard).isSubset(of: names), "\(note)")
    #expect(try context.count(Tag.self) == names.count, "\(note)")
    return (Int(last), heard.count, seen.count - Set(seen).count)
  }

  /// Lets a writer and consumers work in processes of their own, until both were killed.
  ///
  /// Those who read wait for a save that is made when the writer has gone. Nothing that ends a
  /// process waits for a thread of the pool, because a test blocks one for each of its processes.
  private func kill(_ writer: Place, _ consumers: Place) async throws {
    let exchange = try Exchange(writer.line)
    defer { unlink(writer.line) }
    let error = Lock<(any Error)?>(nil)
    async let isWritten: Void = saveUntilKilled(writer)
    let ending = await withCheckedContinuation { continuation in
      let isThere = DispatchSemaphore(value: 0)
      let ending = ThreadRunner {
        do {
          let line = try exchange.accept()
          isThere.signal()
          while let _: Int = try line.read() {}
          try Self.end(writer)
        } catch let failure {
          error.withLock { $0 = failure }
        }
      }
      Thread.detachNewThread {
        isThere.wait()
        continuation.resume(returning: ending)
      }
    }
    await consumeUntilKilled(consumers)
    await isWritten
    ending.join()
    if let error = error.withLock(\.self) { throw error }
  }

  // MARK: Writing

  private func saveUntilKilled(_ place: Place) async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [place = place as Place] in
      let plan = FaultyFiles.plan(for: place.folder)
      let coordinator = try place.open()
      let line = try Line(connectingTo: place.line)
      let heard = Numbers("heard", in: place)
      plan.arm(place.operation, .kill)
      let threads = (0..<2).map { thread in
        ThreadRunner {
          let context = coordinator.context("writer")
          for number in 0..<60 {
            _ = try? context.insert(Tag.self) { $0.name = "\(thread) \(number)" }
            guard (try? context.save()) != nil, let token = context.lastHistoryToken else {
              continue
            }
            heard.add(token.number)
          }
        }
      }
      for thread in threads { thread.join() }
      raise(SIGKILL)
      withExtendedLifetime(line) {}
    }
    // A writer that has not come must not be waited for.
    _ = try? Line(connectingTo: place.line)
  }

  /// Makes a save that ends those who read.
  private static func end(_ place: Place) throws {
    let coordinator = try place.open()
    defer { coordinator.close() }
    let context = coordinator.context("end")
    _ = try context.insert(Tag.self) { $0.name = "end" }
    try context.save()
  }

  // MARK: Reading

  private func consumeUntilKilled(_ place: Place) async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [place = place as Place] in
      let plan = FaultyFiles.plan(for: place.folder)
      let coordinator = try place.open()
      let consumers = try Self.consumers(coordinator)
      plan.arm(place.operation, .kill)
      async let counted: Void = Self.count(consumers.counter, coordinator) { false }
      for try await batch in consumers.mailer {
        for save in batch.transactions { Numbers("seen", in: place).add(save.number) }
        // What both have acknowledged is not needed any more.
        let needed = try coordinator.historyConsumers().map(\.token).min()
        if let needed { _ = try coordinator.deleteHistory(before: needed) }
        if batch.transactions.contains(where: { $0.contextName == "end" }) { raise(SIGKILL) }
      }
      try await counted
    }
  }

  private static func consumers(
    _ coordinator: PersistentStoreCoordinator
  ) throws -> (mailer: HistoryConsumer, counter: HistoryConsumer) {
    (
      try coordinator.historyConsumer(named: "mailer", from: .beginning),
      try coordinator.historyConsumer(
        named: "counter", from: .beginning, where: .notAuthor("counter"))
    )
  }

  /// Saves an author for each save of others, together with the acknowledgment.
  private static func count(
    _ consumer: HistoryConsumer, _ coordinator: PersistentStoreCoordinator,
    until isOver: () throws -> Bool
  ) async throws {
    let context = coordinator.context("counter")
    context.transactionAuthor = "counter"
    for try await batch in consumer {
      for save in batch.transactions {
        _ = try context.insert(Author.self) { $0.name = "\(save.number)" }
      }
      try context.acknowledge(batch)
      try context.save()
      if try isOver() { return }
    }
  }

  /// Lets the consumers see the rest.
  private func drain(_ place: Place) async throws {
    let coordinator = try place.open()
    defer { coordinator.close() }
    let consumers = try Self.consumers(coordinator)
    if try consumers.counter.nextBatch() != nil {
      try await Self.count(consumers.counter, coordinator) {
        try consumers.counter.nextBatch() == nil
      }
    }
    while let batch = try consumers.mailer.nextBatch() {
      for save in batch.transactions { Numbers("seen", in: place).add(save.number) }
      try consumers.mailer.acknowledge(batch)
    }
  }
}
