import Oxbow
import OxbowTestSupport
import Testing

// The recipes of docs/guide/history.md.

/// Who has changed what.
@Entity final class AuditEntry: ManagedObject {
  var who: String = ""
  var what: String = ""
}

/// What sends letters; one that has a known key is the same letter again.
private struct Post {
  private(set) var letters: [String: String] = [:]

  mutating func send(_ text: String, key: String) throws { letters[key] = text }
}

@Suite struct HistoryRecipeTests {
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext
  private let start: HistoryToken

  init() throws {
    folder = try TemporaryFolder()
    let types: [any ModelObject.Type] = [Shipment.self, AuditEntry.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types),
      at: .file(folder.file("parcels.sqlite")), options: SQLiteStoreOptions(history: .values))
    context = ManagedObjectContext(coordinator: coordinator)
    start = try coordinator.currentHistoryToken()
  }

  /// Saves of two authors: one parcel, and two imported ones of which one replaces its address.
  private func fill() throws {
    context.transactionAuthor = "desk"
    let parcel = try context.insert(Shipment.self) { $0.address = "Old Street 1" }
    try context.save()
    context.transactionAuthor = "import"
    parcel.address = "Wrong Street 9"
    for number in 1...2 { try context.insert(Shipment.self) { $0.address = "Import \(number)" } }
    try context.save()
    parcel.address = "Wrong Street 10"
    try context.save()
    context.transactionAuthor = "desk"
  }

  private func addresses() throws -> [String] {
    try ManagedObjectContext(coordinator: coordinator).fetch(FetchRequest<Shipment>())
      .map(\.address).sorted()
  }

  @Test func `PS-11 an import is undone`() throws {
    try fill()
    var imports = try coordinator.history(after: start, where: .author("import"))
    for save in try imports.transactions().reversed() { try context.undo(save) }
    try context.save()
    #expect(try addresses() == ["Old Street 1"])
  }

  @Test func `PS-11 an import is undone, but for what was changed since`() throws {
    try fill()
    let parcel = try #require(
      try context.fetch(FetchRequest<Shipment>(where: .equal("address", "Import 1"))).first)
    parcel.address = "New Street 2"
    try context.save()
    var imports = try coordinator.history(after: start, where: .author("import"))
    var contested: [ManagedObjectID] = []
    for save in try imports.transactions().reversed() {
      do {
        try context.undo(save)
      } catch {
        guard error.code == .conflict else { throw error }
        contested += error.conflicts.map(\.objectID)
      }
    }
    #expect(contested == [parcel.objectID])
  }

  @Test func `PS-11 an audit is written once for each save`() throws {
    try fill()
    let auditor = try coordinator.historyConsumer(
      named: "audit", from: .token(start), where: .entity("Shipment"))
    let own = ManagedObjectContext(coordinator: coordinator)
    while let batch = try auditor.nextBatch() {
      for save in batch.transactions {
        for change in save.changes {
          try own.insert(AuditEntry.self) { entry in
            entry.who = save.author ?? ""
            entry.what = "\(change.kind): \(change.before ?? [:])"
          }
        }
      }
      try own.acknowledge(batch)
      try own.save()
    }
    let entries = try own.fetch(FetchRequest<AuditEntry>())
    #expect(entries.count == 5)
    #expect(entries.filter { $0.what.contains("Old Street 1") }.map(\.who) == ["import"])
  }

  @Test func `PS-11 an outbox sends each letter at least once, under one key`() throws {
    try fill()
    var post = Post()
    let outbox = try coordinator.historyConsumer(named: "outbox", from: .token(start))
    while let batch = try outbox.nextBatch() {
      for save in batch.transactions {
        for change in save.changes where change.kind == .insert {
          guard let parcel = change.objectID else { continue }
          try post.send("a parcel was entered", key: "\(save.place) \(parcel)")
        }
      }
      try outbox.acknowledge(batch)
    }
    #expect(post.letters.count == 3)
  }
}
