import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The code of docs/guide/on-a-server.md that is not that of Examples/Desk.

/// A server without a container.
enum ServerGuide {
  @Entity final class Order: ManagedObject {
    var item: String
  }

  static func place(_ item: String, in store: PersistentContainer) async throws -> ManagedObjectID {
    try await store.perform(retrying: TransactionRetry(attempts: 5)) { context in
      let order = try context.insert(Order.self)
      order.item = item
      try context.save()
      return order.objectID
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
}

@Suite struct OnAServerGuideTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func items(in store: PersistentContainer) async throws -> [String] {
    try await store.perform { try $0.fetch(ServerGuide.Order.self).map(\.item).sorted() }
  }

  private func store() throws -> PersistentContainer {
    try PersistentContainer(.file(folder.file("orders.sqlite")), types: [ServerGuide.Order.self])
  }

  @Test func `many requests at a time place orders, and each is there`() async throws {
    let store = try store()
    defer { store.close() }
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

  @Test func `an export reads one moment`() async throws {
    let store = try store()
    defer { store.close() }
    for item in ["pen", "ink"] { _ = try await ServerGuide.place(item, in: store) }
    #expect(try ServerGuide.export(from: store) == 6)
  }
}
