import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/on-a-server.md.

/// The server of the guide.
enum ServerGuide {
  @Entity final class Order: ManagedObject {
    var item: String
  }

  static func run(_ path: String, _ body: (PersistentContainer) async throws -> Void) async throws {
    let store = try PersistentContainer(.file(path), types: [Order.self])
    defer { store.close() }  // calls in progress end first
    try await body(store)
  }

  static func migrated(_ path: String, by folder: String) throws -> PersistentContainer {
    try PersistentContainer(
      .file(path), types: [Order.self],
      migrations: StoreMigrations(.automatic, folder: folder))
  }

  static func place(_ item: String, in store: PersistentContainer) async throws -> ManagedObjectID {
    try await store.perform(retrying: TransactionRetry(attempts: 5)) { context in
      let order = try context.insert(Order.self)
      order.item = item
      try context.save()
      return order.objectID
    }
  }

  struct Orders: Sendable {
    let context: any ObjectContext & Sendable

    func rename(_ id: ManagedObjectID, to item: String) throws {
      try context.existingObject(with: id, as: Order.self).item = item
      try context.save()
    }
  }

  static func export(from store: PersistentContainer) throws -> Int {
    let view = try store.makePinnedContext()
    var bytes = 0
    for order in try view.fetch(FetchRequest<Order>(), batchSize: 500) {
      bytes += order.item.utf8.count
    }
    return bytes
  }

  static func watch(_ store: PersistentContainer, _ tell: (Int) async -> Void) async {
    for await news in store.coordinator.didSaveEvents() {
      for event in news.events { await tell(event.insertedObjectIDs.count) }
    }
  }
}

@Suite struct OnAServerGuideTests {
  private typealias Orders = ServerGuide.Orders

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func items(in store: PersistentContainer) async throws -> [String] {
    try await store.perform { try $0.fetch(ServerGuide.Order.self).map(\.item).sorted() }
  }

  @Test func `an older store is migrated at the start`() async throws {
    let (path, steps) = (folder.file("orders.sqlite"), folder.file("Migrations"))
    try folder.write("", to: "Migrations/.keep")
    let first = ManagedObjectModel(entities: [EntityDescription("Order")])
    _ = try MigrationSequence(folder: steps).addModelStep(named: "first", to: first)
    try PersistentContainer(.file(path), model: first).close()
    let current = ManagedObjectModel(types: [ServerGuide.Order.self])
    _ = try MigrationSequence(folder: steps).addModelStep(named: "items", to: current)
    let refused = #expect(throws: PersistenceError.self) {
      try PersistentContainer(.file(path), types: [ServerGuide.Order.self])
    }
    #expect(refused?.code == .modelMismatch)
    let store = try ServerGuide.migrated(path, by: steps)
    _ = try await ServerGuide.place("pen", in: store)
    #expect(try await items(in: store) == ["pen"])
    store.close()
    try ServerGuide.migrated(path, by: steps).close()
  }

  @Test func `many requests at a time place orders, and each is there`() async throws {
    try await ServerGuide.run(folder.file("orders.sqlite")) { store in
      try await withThrowingTaskGroup(of: ManagedObjectID.self) { group in
        for number in 0..<40 {
          group.addTask { try await ServerGuide.place("item \(number)", in: store) }
        }
        var ids: Set<ManagedObjectID> = []
        for try await id in group { ids.insert(id) }
        #expect(ids.count == 40)
      }
      #expect(try await items(in: store).count == 40)
    }
  }

  @Test func `a repository's calls have the context of their task`() async throws {
    try await ServerGuide.run(folder.file("orders.sqlite")) { store in
      let id = try await ServerGuide.place("pen", in: store)
      let orders = Orders(context: store.contexts)
      try await store.withTaskContext { try orders.rename(id, to: "pencil") }
      #expect(try await items(in: store) == ["pencil"])
    }
  }

  @Test func `an export reads one moment`() async throws {
    try await ServerGuide.run(folder.file("orders.sqlite")) { store in
      for item in ["pen", "ink"] { _ = try await ServerGuide.place(item, in: store) }
      #expect(try ServerGuide.export(from: store) == 6)
    }
  }

  @Test func `a service follows the saves until its task is cancelled`() async throws {
    try await ServerGuide.run(folder.file("orders.sqlite")) { store in
      let (told, telling) = AsyncStream.makeStream(of: Int.self)
      let (listening, listens) = AsyncStream.makeStream(of: Void.self)
      let service = Task {
        listens.finish()
        await ServerGuide.watch(store) { telling.yield($0) }
      }
      for await _ in listening {}
      // The service may begin to listen only now: orders are placed until one is heard of.
      let client = Task {
        while !Task.isCancelled { _ = try await ServerGuide.place("pen", in: store) }
      }
      var first = told.makeAsyncIterator()
      #expect(await first.next() == 1)
      client.cancel()
      _ = await client.result
      service.cancel()
      await service.value
    }
  }
}
