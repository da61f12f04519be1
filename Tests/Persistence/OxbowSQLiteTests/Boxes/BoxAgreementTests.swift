import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Conditions on intervals and areas mean the same with their index and in memory.
@Suite struct BoxAgreementTests {
  private struct World {
    let library: Library
    var random: BoxRandom
    var rooms: [BoxItem]
    var items: [Int64: BoxItem] = [:]
    var nextKey: Int64 = 1
    var hits = 0

    init(_ kind: StoreKind, _ seed: UInt64) throws {
      let library = try Library(kind, model: bookingsModel())
      self.library = library
      random = BoxRandom(random: SeededRandom(seed: seed))
      rooms = try (1...3).map { try BoxItem(library, "Room", $0) }
      try library.save { changes in
        for key in 1...3 { changes.inserts.append(try library.insert("Room", Int64(key))) }
      }
    }

    private mutating func insert(_ changes: inout ChangeSet) throws -> BoxItem {
      let entity = random.random.chance(70) ? "Area" : "Item"
      let item = try BoxItem(library, entity, nextKey, random.values(entity))
      nextKey += 1
      changes.inserts.append(try library.insert(entity, item.predicateID.key, item.values))
      let room = rooms[Int(item.predicateID.key % 3)]
      changes.links.append(
        try library.link((entity, item.predicateID.key), "room", ("Room", room.predicateID.key)))
      item.room = room
      return item
    }

    /// Saves a few changes, of which some are rolled back.
    mutating func save(atMost count: Int) throws {
      var changes = ChangeSet()
      var after = items
      let known = items.keys.sorted()
      for key in random.random.some(of: known, atMost: count / 2) {
        guard let item = items[key] else { continue }
        let entity = item.predicateEntity.name
        if random.random.chance(25) {
          changes.deletes.append(try library.delete(entity, key, item.version))
          after[key] = nil
          continue
        }
        let next = try BoxItem(library, entity, key, item.values)
        let new = random.values(entity)
        let names = random.random.some(of: BoxRandom.attributes.map(\.name), atMost: 4)
          .filter { entity == "Area" || ["begin", "end"].contains($0) }
        guard !names.isEmpty else { continue }
        for name in names { next.values[name] = new[name] }
        (next.version, next.room) = (item.version + 1, item.room)
        changes.updates.append(
          try library.update(
            entity, key, item.version,
            Dictionary(uniqueKeysWithValues: names.map { ($0, new[$0]) })))
        after[key] = next
      }
      for _ in 0..<Int.random(in: 0...count, using: &random.random) {
        let item = try insert(&changes)
        after[item.predicateID.key] = item
      }
      let isRolledBack = random.random.chance(20)
      _ = try? library.store.save(changes) { () throws(PersistenceError) in
        if isRolledBack { throw PersistenceError(.validation, "taken back") }
      }
      if !isRolledBack { items = after }
      for room in rooms { room.items = items.values.filter { $0.room === room } }
    }

    /// Moves or removes all objects that meet a condition at once.
    mutating func batch() throws {
      let predicate = random.predicate("Area", depth: 1)
      let fetch = try library.fetch("Area", predicate)
      let found = try areas().filter { try predicate.isTrue(for: $0) }
      let name = ["begin", "x2", "y1"].randomElement(using: &random.random) ?? "begin"
      let type = BoxRandom.attributes.first { $0.name == name }?.type ?? .date
      let value = random.value(type)
      _ = try library.store.update(
        StoreUpdate(
          fetch, [(try library.property("Area", name).index, .value(.attribute(value)))]))
      for item in found {
        item.values[name] = value
        item.version += 1
      }
    }

    private func areas() -> [BoxItem] {
      items.values.filter { $0.predicateEntity.name == "Area" }
    }

    /// Asks in every way, and compares.
    mutating func ask(_ comment: String) throws {
      let entity = random.random.chance(70) ? "Area" : "Item"
      let predicate = random.predicate(entity)
      let comment: Comment = "\(comment): \(predicate)"
      let wanted = try (entity == "Area" ? areas() : Array(items.values))
        .filter { try predicate.isTrue(for: $0) }.map(\.predicateID.key).sorted()
      hits += wanted.count
      #expect(try library.keys(entity, predicate).sorted() == wanted, comment)
      #expect(
        try library.store.count(of: library.fetch(entity, predicate)) == wanted.count, comment)
      #expect(try FetchPredicate(format: predicate.description) == predicate, comment)
      guard entity == "Item" else { return }
      let any = FetchPredicate.any("items", predicate)
      let inRooms = try rooms.filter { try any.isTrue(for: $0) }.map(\.predicateID.key)
      #expect(try library.keys("Room", any).sorted() == inRooms, comment)
    }
  }

  private static let rounds =
    ProcessInfo.processInfo.environment["OXBOW_AGREEMENT_ROUNDS"].flatMap { Int($0) } ?? 40

  @Test(arguments: [StoreKind.file, .rollbackJournal, .inMemory, .withHistory])
  func `PS-15 an index of boxes and memory give the same answers after random changes`(
    kind: StoreKind
  ) throws {
    let seed = UInt64.random(in: 1...UInt64.max / 2)
    print("Index of boxes: \(kind), seed \(seed)")
    // A world grows, and with it the time of a question that memory answers.
    for first in stride(from: 0, to: Self.rounds, by: 100) {
      try play(kind, seed + UInt64(first), min(100, Self.rounds - first))
    }
  }

  private func play(_ kind: StoreKind, _ seed: UInt64, _ rounds: Int) throws {
    var world = try World(kind, seed)
    try world.save(atMost: 150)
    for step in 0..<rounds {
      if world.random.random.chance(15) { try world.batch() } else { try world.save(atMost: 12) }
      for _ in 0..<4 { try world.ask("seed \(seed), step \(step)") }
    }
    #expect(world.hits > rounds, "seed \(seed): the intervals are not what is asked for")
    world.library.store.close()
    guard kind == .file || kind == .rollbackJournal else { return }
    #expect(try SQLiteStoreFile(world.library.scratch.file()).check() == [], "seed \(seed)")
  }
}
