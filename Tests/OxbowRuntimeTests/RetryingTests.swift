import Foundation
import OxbowRuntime
import Synchronization
import Testing

// PS-18
@Suite struct RetryingTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription("Counter", attributes: [AttributeDescription("value", .integer64)])
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

  private final class Pauses: Sendable {
    private let pauses = Mutex<[Duration]>([])
    var all: [Duration] { pauses.withLock(\.self) }
    func add(_ pause: Duration) { pauses.withLock { $0.append(pause) } }
  }
}
