import Foundation
import OxbowRuntime
import Synchronization
import Testing

// PS-18
@Suite struct RetryingTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription("Counter", attributes: [AttributeDescription("value", .integer64)]),
    EntityDescription(
      "Invoice", attributes: [AttributeDescription("number", .string)],
      uniquenessConstraints: [["number"]]),
  ])

  private let store: PersistentContainer

  init() throws { store = try PersistentContainer(.temporary, model: Self.model) }

  private func counters(_ count: Int) throws -> [ManagedObjectID] {
    try store.perform { context in
      let counters = try (0..<count).map { _ in try context.insert(entityNamed: "Counter") }
      for counter in counters { try counter.setValue(0, for: "value") }
      try context.save()
      return counters.map(\.objectID)
    }
  }

  private static func increment(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws {
    let counter = try context.object(with: id)
    let value = try counter.value("value", as: Int.self) ?? 0
    try counter.setValue(value + 1, for: "value")
    try context.save()
  }

  private func values() throws -> [Int] {
    try store.perform { context in
      try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Counter")).map {
        try $0.value("value", as: Int.self) ?? -1
      }
    }
  }

  @Test(arguments: [1, 20])
  func `no increment of eight threads is lost (PS-18)`(_ rows: Int) throws {
    let ids = try counters(rows)
    let retry = TransactionRetry(attempts: 1000, delay: .microseconds(50))
    try onThreads(8) { [store] thread in
      for number in 0..<50 {
        try store.perform(retrying: retry) { context in
          try Self.increment(ids[(thread * 50 + number) % rows], context)
        }
      }
    }
    #expect(try values().reduce(0, +) == 400)
  }

  @Test func `an attempt that met another writer is repeated after a pause (PS-18)`() throws {
    let id = try counters(1)[0]
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 3, delay: .milliseconds(2)) { pauses.add($0) }
    try store.perform(retrying: retry) { [store] context in
      _ = try context.object(with: id).value("value", as: Int.self)
      if pauses.all.count < 2 { try store.perform { try Self.increment(id, $0) } }
      try Self.increment(id, context)
    }
    #expect(pauses.all == [.milliseconds(2), .milliseconds(4)])
    #expect(try values() == [3])
  }

  @Test func `a unit of work is repeated in asynchronous code (PS-18)`() async throws {
    let id = try counters(1)[0]
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 3) { pauses.add($0) }
    try await store.perform(retrying: retry) { [store] context in
      _ = try context.object(with: id).value("value", as: Int.self)
      if pauses.all.isEmpty { try store.perform { try Self.increment(id, $0) } }
      try Self.increment(id, context)
    }
    #expect(pauses.all.count == 1)
    #expect(try values() == [2])
  }

  @Test func `the last attempt throws, and other errors are not worth another (PS-18)`() throws {
    let id = try counters(1)[0]
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 2) { pauses.add($0) }
    let meetsAnother: @Sendable (ManagedObjectContext) throws -> Void = { [store] context in
      _ = try context.object(with: id).value("value", as: Int.self)
      try store.perform { try Self.increment(id, $0) }
      try Self.increment(id, context)
    }
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: retry, meetsAnother)
    }
    #expect(error?.code == .conflict)
    #expect(pauses.all.count == 1)
    #expect(throws: CocoaError.self) {
      try store.perform(retrying: retry) { _ in throw CocoaError(.fileNoSuchFile) }
    }
    #expect(pauses.all.count == 1)
  }

  private static func issue(_ number: String, _ context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Invoice").setValue(number, for: "number")
    try context.save()
  }

  private static func count(
    _ number: String, _ context: ManagedObjectContext
  ) throws -> Int {
    try context.count(
      FetchRequest<ManagedObject>(entityNamed: "Invoice", where: .equal("number", number)))
  }

  @Test func `an attempt that has saved something itself is the last (PS-18)`() async throws {
    let id = try counters(1)[0]
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 3) { pauses.add($0) }
    let savesTwice: @Sendable (ManagedObjectContext) throws -> Void = { [store] context in
      _ = try context.object(with: id).value("value", as: Int.self)
      try Self.issue(UUID().uuidString, context)
      try store.perform { try Self.increment(id, $0) }
      try Self.increment(id, context)
    }
    let onThread = { @Sendable () throws -> Void in
      try store.perform(retrying: retry, savesTwice)
    }
    let error = #expect(throws: PersistenceError.self) { try onThread() }
    #expect(error?.code == .conflict)
    let later = await #expect(throws: PersistenceError.self) {
      try await store.perform(retrying: retry, savesTwice)
    }
    #expect(later?.code == .conflict)
    #expect(pauses.all.isEmpty)
    let invoices = try await store.perform {
      try $0.count(FetchRequest<ManagedObject>(entityNamed: "Invoice"))
    }
    #expect(invoices == 2)
  }

  @Test func `product D4 a value that no call looked for is a mistake, and not tried again`() throws
  {
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 20) { pauses.add($0) }
    try store.perform { try Self.issue("R-1", $0) }
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: retry) { try Self.issue("R-1", $0) }
    }
    #expect(error?.code == .uniquenessViolated)
    #expect(pauses.all.isEmpty)
  }

  @Test func `product D4 find or create finds what another writer has made`() throws {
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 3) { pauses.add($0) }
    try store.perform(retrying: retry) { [store] context in
      guard try Self.count("R-1", context) == 0 else { return }
      try store.perform { try Self.issue("R-1", $0) }
      try Self.issue("R-1", context)
    }
    #expect(pauses.all.count == 1)
    #expect(try store.perform { try Self.count("R-1", $0) } == 1)
  }

  @Test func `product D4 a value that the same object has twice is a mistake`() throws {
    let pauses = Pauses()
    let retry = TransactionRetry(attempts: 20) { pauses.add($0) }
    try store.perform { try Self.issue("R-1", $0) }
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: retry) { context in
        _ = try Self.count("R-2", context)
        try Self.issue("R-1", context)
      }
    }
    #expect(error?.code == .uniquenessViolated)
    #expect(pauses.all.count == 1)
  }

  @Test func `product D4 listed errors are tried again, and no others`() throws {
    let pauses = Pauses()
    let id = try counters(1)[0]
    let retry = TransactionRetry(attempts: 3, on: [.uniquenessViolated]) { pauses.add($0) }
    try store.perform { try Self.issue("R-1", $0) }
    #expect(throws: PersistenceError.self) {
      try store.perform(retrying: retry) { try Self.issue("R-1", $0) }
    }
    #expect(pauses.all.count == 2)
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: retry) { [store] context in
        _ = try context.object(with: id).value("value", as: Int.self)
        try store.perform { try Self.increment(id, $0) }
        try Self.increment(id, context)
      }
    }
    #expect(error?.code == .conflict)
    #expect(pauses.all.count == 2)
  }

  @Test func `product D4 waits grow to a ceiling, and end after a time`() throws {
    let pauses = Pauses()
    let meetsAnother: @Sendable (ManagedObjectContext) throws -> Void = { _ in
      throw PersistenceError(.conflict, "another writer was first")
    }
    let capped = TransactionRetry(attempts: 6, upTo: .milliseconds(25)) { pauses.add($0) }
    #expect(throws: PersistenceError.self) { try store.perform(retrying: capped, meetsAnother) }
    #expect(pauses.all == [10, 20, 25, 25, 25].map { .milliseconds($0) })

    let clock = Clock()
    var timed = TransactionRetry(
      attempts: 1000, delay: .seconds(1), upTo: .seconds(4), within: .seconds(10)
    ) { clock.advance(by: $0) }
    timed.now = { clock.now }
    #expect(throws: PersistenceError.self) { try store.perform(retrying: timed, meetsAnother) }
    #expect(clock.elapsed == .seconds(7))

    let huge = TransactionRetry(
      attempts: 200, delay: .seconds(Int64.max), upTo: .seconds(Int64.max)
    ) { _ in }
    #expect(throws: PersistenceError.self) { try store.perform(retrying: huge, meetsAnother) }
  }

  @Test func `product D4 a rule without an attempt is refused`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: TransactionRetry(attempts: 0)) { _ in }
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("0 attempts") == true)
  }

  @Test func `product D4 asynchronous code waits without its thread, and can be cancelled`()
    async throws
  {
    let meetsAnother: @Sendable (ManagedObjectContext) throws -> Void = { _ in
      throw PersistenceError(.conflict, "another writer was first")
    }
    let retry = TransactionRetry(attempts: 3, delay: .seconds(3600), upTo: .seconds(3600))
    let task = Task { [store] in try await store.perform(retrying: retry, meetsAnother) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private final class Clock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)
    var elapsed: Duration { passed.withLock(\.self) }
    var now: ContinuousClock.Instant { start + elapsed }
    func advance(by duration: Duration) { passed.withLock { $0 += duration } }
  }

  private final class Pauses: Sendable {
    private let pauses = Mutex<[Duration]>([])
    var all: [Duration] { pauses.withLock(\.self) }
    func add(_ pause: Duration) { pauses.withLock { $0.append(pause) } }
  }

  @Test func `an attempt that has changed a batch is the last (PS-18, PG-13)`() throws {
    let id = try counters(1)[0]
    let error = #expect(throws: PersistenceError.self) {
      try store.perform(retrying: TransactionRetry(attempts: 3)) { [store] context in
        _ = try context.object(with: id).value("value", as: Int.self)
        try context.batchUpdate(
          FetchRequest<ManagedObject>(entityNamed: "Counter"),
          [("value", .value(.attribute(.integer(10))))])
        try store.perform { try Self.increment(id, $0) }
        try Self.increment(id, context)
      }
    }
    #expect(error?.code == .conflict)
    #expect(try values() == [11])
  }
}
