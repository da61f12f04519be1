import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/history.md.

/// The entity of the guide.
@Entity final class Shipment: ManagedObject {
  var address: String = ""
}

/// What follows a store.
private struct Mirror {
  var count = 0
  var token: HistoryToken?

  mutating func apply(_ saves: [HistoryTransaction]) { count += saves.count }
  mutating func begin() { count = 0 }
}

@Suite struct HistoryGuideTests {
  @Test func `PS-11 the programs of the guide read and consume a history`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("parcels.sqlite")

    var options = SQLiteStoreOptions()
    options.history = .values
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Shipment.self]), classes: [Shipment.self]),
      at: .file(path), options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)

    let start = try coordinator.currentHistoryToken()
    context.transactionAuthor = "desk"
    let parcel = try context.insert(Shipment.self) { $0.address = "Old Street 1" }
    try context.save()
    parcel.address = "New Street 2"
    try context.save()

    var history = try coordinator.history(after: start, where: .author("desk"))
    let saves = try history.transactions()
    #expect(saves.map(\.insertedCount) == [1, 0])
    let change = try #require(saves[1].changes.first)
    #expect(change.objectID == parcel.objectID && change.changedProperties == ["address"])
    #expect(change.before?["address"] == .attribute(.string("Old Street 1")))

    var mirror = Mirror()
    var elements = try coordinator.history(after: start)
    while let element = try elements.next() {
      switch element {
      case .saves(let saves): mirror.apply(saves)
      case .missed, .migrated: mirror.begin()
      }
      mirror.token = elements.token
    }
    #expect(try mirror.count == 2 && mirror.token == coordinator.currentHistoryToken())

    var letters = 0
    let mailer = try coordinator.historyConsumer(named: "mailer", from: .token(start))
    while let batch = try mailer.nextBatch() {
      letters += batch.transactions.flatMap(\.changes).filter { $0.kind == .insert }.count
      try mailer.acknowledge(batch)
    }
    #expect(letters == 1)

    var seen = 0
    let watcher = try coordinator.historyConsumer(named: "watcher", from: .token(start))
    for try await batch in watcher {
      seen += batch.transactions.count
      if seen >= 2 { break }
    }
    #expect(seen == 2)

    try consumeOnce(coordinator, start)
    try fallBehind(coordinator, start)
    try keepMirror(coordinator, start)
  }

  @Test func `PS-11 the store of the guide follows another opening of its file`() async throws {
    let folder = try TemporaryFolder()
    let model = try CompiledModel(
      ManagedObjectModel(types: [Shipment.self]), classes: [Shipment.self])
    var following = SQLiteStoreOptions(history: .values)
    following.followsOtherProcesses = true
    let place = StoreLocation.file(folder.file("parcels.sqlite"))
    let writer = try PersistentStoreCoordinator(model, at: place, options: following)
    following.isReadOnly = true
    let coordinator = try PersistentStoreCoordinator(model, at: place, options: following)
    defer {
      coordinator.close()
      writer.close()
    }
    let events = coordinator.didSaveEvents()
    let context = ManagedObjectContext(coordinator: writer)
    _ = try context.insert(Shipment.self) { $0.address = "Old Street 1" }
    try context.save()
    var arrived = 0
    for await news in events {
      for event in news.events { arrived += event.insertedObjectIDs.count }
      if arrived >= 1 { break }
    }
    #expect(arrived == 1)
  }

  private func consumeOnce(
    _ coordinator: PersistentStoreCoordinator, _ start: HistoryToken
  ) throws {
    let counter = try coordinator.historyConsumer(
      named: "counter", from: .token(start), where: .notAuthor("counter"))
    let own = ManagedObjectContext(coordinator: coordinator)
    own.transactionAuthor = "counter"
    while let batch = try counter.nextBatch() {
      let old = try own.metadata("parcels", as: Int.self) ?? 0
      let new = batch.transactions.reduce(0) { $0 + $1.insertedCount }
      try own.setMetadata(old + new, for: "parcels")
      try own.acknowledge(batch)
      try own.save()
    }
    #expect(try coordinator.metadata("parcels", as: Int.self) == 1)
  }

  private func fallBehind(_ coordinator: PersistentStoreCoordinator, _ start: HistoryToken) throws {
    let sleeper = try coordinator.historyConsumer(named: "sleeper", from: .token(start))
    let end = try #require(try coordinator.history(after: start).firstSaves?.last?.token)
    try coordinator.deleteHistory(before: end, force: true)
    guard case .missed(let gap) = try #require(try sleeper.nextBatch()).element else { return }
    #expect(gap.count == 2)
  }

  private func keepMirror(_ coordinator: PersistentStoreCoordinator, _ start: HistoryToken) throws {
    var (addresses, inserted): ([String], Int) = ([], 0)
    let mirror = try coordinator.historyConsumer(named: "mirror", from: .token(start))
    while let batch = try mirror.nextBatch() {
      guard case .saves(let saves) = batch.element else {
        addresses = try mirror.snapshot { context in
          try context.fetch(Shipment.self).map(\.address)
        }
        continue
      }
      inserted += saves.reduce(0) { $0 + $1.insertedCount }
      try mirror.acknowledge(batch)
    }
    #expect(addresses == ["New Street 2"] && inserted == 0)
  }
}

extension History {
  /// The saves up to the second one.
  fileprivate var firstSaves: [HistoryTransaction]? {
    var history = self
    return try? Array(history.transactions().prefix(2))
  }
}
