import OxbowModel
import OxbowRelational
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

/// Search indexes and the texts give the same answers, however far the indexes are.
///
/// `OXBOW_STEPS=2000` changes, and asks twice, as often.
@Suite struct WordIndexAgreementTests {
  /// What the store has to have.
  struct Item {
    var entity: String
    var version: Int64 = 1
    var values: [String: String]

    func has(_ test: TextTest, _ name: String) -> Bool { values[name].map(test.holds) == true }

    func meets(_ query: WordQuery, _ names: [String]) -> Bool {
      WordMatcher(query).matches(names.compactMap { values[$0] }.map { TextWords($0) })
    }
  }

  struct World {
    let library: Library
    var random: NoteRandom
    var items: [Int64: Item] = [:]
    var nextKey: Int64 = 1

    /// The entity with all texts.
    let note: String

    init(_ kind: StoreKind, _ seed: UInt64, isFlat: Bool = false) throws {
      library = try Library(
        kind, model: notesModel(search: [.words, .substrings], isFlat: isFlat))
      note = isFlat ? "Item" : "Note"
      random = NoteRandom(random: SeededRandom(seed: seed))
      try library.save { changes in
        for key in 1...3 {
          changes.inserts.append(try library.insert("Folder", Int64(key), ["name": .string("f")]))
        }
      }
    }

    private mutating func values(_ entity: String) -> [String: String] {
      var values: [String: String] = [:]
      for name in entity == note ? ["rank", "body"] : ["rank"]
      where !random.random.chance(15) {
        values[name] = random.text()
      }
      return values
    }

    private mutating func insert(_ changes: inout ChangeSet, _ key: Int64) throws {
      let entity = random.random.chance(60) ? note : "Item"
      let item = Item(entity: entity, values: values(entity))
      changes.inserts.append(
        try library.insert(entity, key, item.values.mapValues { .string($0) }))
      changes.links.append(
        try library.link((entity, key), "folder", ("Folder", 1 + key % 3)))
      items[key] = item
    }

    /// Saves a few changes, of which some are rolled back.
    mutating func save() throws {
      let before = (items, nextKey)
      var changes = ChangeSet()
      let known = items.keys.sorted()
      for key in random.random.some(of: known, atMost: 6) {
        guard var item = items[key] else { continue }
        if random.random.chance(25) {
          changes.deletes.append(try library.delete(item.entity, key, item.version))
          items[key] = nil
          continue
        }
        let new = values(item.entity)
        changes.updates.append(
          try library.update(
            item.entity, key, item.version,
            Dictionary(
              uniqueKeysWithValues: (item.entity == note ? ["rank", "body"] : ["rank"])
                .map { ($0, new[$0].map { .string($0) }) })))
        (item.values, item.version) = (new, item.version + 1)
        items[key] = item
      }
      for _ in 0..<Int.random(in: 0...6, using: &random.random) {
        // Keys that were handed out earlier come later.
        let gap = Int64.random(in: 0...2, using: &random.random)
        let reserved = Int64.random(in: 1...max(1, nextKey), using: &random.random)
        let key = random.random.chance(20) && items[reserved] == nil ? reserved : nextKey + gap
        guard items[key] == nil, !changes.deletes.contains(where: { $0.key == key }) else {
          continue
        }
        nextKey = max(nextKey, key + 1)
        try insert(&changes, key)
      }
      guard random.random.chance(20) else {
        _ = try library.store.save(changes)
        return
      }
      _ = try? library.store.save(changes) { () throws(PersistenceError) in
        throw PersistenceError(.validation, "taken back")
      }
      (items, nextKey) = before
    }

    /// Asks for numbers and for pages of keys, which no table of objects has to answer.
    private func count(
      _ entity: String, _ condition: FetchPredicate, _ wanted: [Int64], _ comment: Comment
    ) throws {
      var fetch = try library.fetch(entity, condition)
      #expect(try library.store.count(of: fetch) == wanted.count, comment)
      (fetch.limit, fetch.offset, fetch.afterKey) = (3, 1, wanted.first)
      let page = Array(wanted.dropFirst(2).prefix(3))
      #expect(try library.store.count(of: fetch) == page.count, comment)
      let keys = library.keys(try library.store.keys(of: fetch))
      #expect(keys == page, comment)
    }

    /// Gives many objects another text at once.
    mutating func update() throws {
      let text = random.text()
      let query = try random.query()
      let condition = library.words(["rank"], query).byIndex
      let property = try library.property("Item", "rank").index
      _ = try library.store.update(
        StoreUpdate(
          try library.fetch("Item", condition),
          [(property, .value(.attribute(.string(text))))]))
      for (key, item) in items where item.meets(query, ["rank"]) {
        items[key]?.values["rank"] = text
        items[key]?.version += 1
      }
    }

    /// Asks for a part of a text in every way, and compares.
    mutating func askPart(_ comment: String) throws {
      let text = items.values.compactMap { $0.values["body"] ?? $0.values["rank"] }.sorted()
        .randomElement(using: &random.random)
      let (comparison, part, options) = random.part(of: text ?? random.text())
      let test = try TextTest(comparison, part, options)
      let name = random.random.chance(50) ? "rank" : "body"
      let comment: Comment =
        "\(comment): \(name) \(comparison)[\(options.rawValue)] \(part.debugDescription)"
      let entity = name == "body" ? note : "Item"
      let mine = items.filter { (entity == "Item" || $0.value.entity == note) }
      let wanted = mine.filter { $0.value.has(test, name) }.keys.sorted()
      let (byIndex, read) = library.part(name, comparison, part, options)
      #expect(try library.keys(entity, byIndex).sorted() == wanted, comment)
      #expect(try library.keys(entity, read).sorted() == wanted, comment)
      let others = mine.keys.filter { !wanted.contains($0) }.sorted()
      #expect(try library.keys(entity, .not(byIndex)).sorted() == others, comment)
      guard entity == "Item" else { return }
      let folders = Set(wanted.map { 1 + $0 % 3 })
      #expect(
        try library.keys("Folder", .any("items", byIndex)).sorted() == folders.sorted(), comment)
      let mates = mine.keys.filter { folders.contains(1 + $0 % 3) }.sorted()
      let path = FetchPredicate.any("folder.items", byIndex)
      #expect(try library.keys("Item", path).sorted() == mates, comment)
    }

    /// Gives objects whose texts have a part another one, or deletes them.
    mutating func change() throws {
      let (comparison, part, options) = random.part(of: random.text())
      let test = try TextTest(comparison, part, options)
      let condition = library.part("rank", comparison, part, options).byIndex
      let keys = items.filter { $0.value.has(test, "rank") }.keys
      if random.random.chance(50) {
        let text = random.text()
        let property = try library.property("Item", "rank").index
        _ = try library.store.update(
          StoreUpdate(
            try library.fetch("Item", condition),
            [(property, .value(.attribute(.string(text))))]))
        for key in keys {
          items[key]?.values["rank"] = text
          items[key]?.version += 1
        }
      } else {
        try library.save { changes in
          for key in try library.keys("Item", condition).sorted() {
            changes.deletes.append(try library.delete(items[key]?.entity ?? "Item", key))
          }
        }
        for key in keys { items[key] = nil }
      }
    }

    /// Asks in every way, and compares.
    mutating func ask(_ comment: String) throws {
      let library = library
      let query = try random.query()
      let names =
        [["rank"], ["body"], ["rank", "body"], ["body", "rank"]]
        .randomElement(using: &random.random) ?? ["rank"]
      let comment: Comment = "\(comment): \(query) in \(names)"
      let entity = names.contains("body") ? note : "Item"
      let mine = items.filter { (entity == "Item" || $0.value.entity == note) }
      let wanted = mine.filter { $0.value.meets(query, names) }.keys.sorted()
      let (byIndex, read) = library.words(names, query)
      #expect(try library.keys(entity, byIndex).sorted() == wanted, comment)
      #expect(try library.keys(entity, read).sorted() == wanted, comment)
      try count(entity, byIndex, wanted, comment)
      let others = mine.keys.filter { !wanted.contains($0) }.sorted()
      #expect(try library.keys(entity, .not(byIndex)).sorted() == others, comment)
      let year = FetchPredicate.comparison(
        .path(["year"]), .equal, .value(.attribute(.integer(1))))
      #expect(try library.keys(entity, .or([year, byIndex])).sorted() == wanted, comment)
      guard entity == "Item" else { return }
      let folders = Set(wanted.map { 1 + $0 % 3 })
      #expect(
        try library.keys("Folder", .any("items", byIndex)).sorted() == folders.sorted(), comment)
    }
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal, .inMemory, .withHistory], [false, true])
  func `PS-15 an index and the texts give the same answers after random changes`(
    kind: StoreKind, isFlat: Bool
  ) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Search indexes: \(kind), seed \(seed), \(isFlat ? "flat" : "with a hierarchy")")
    var world = try World(kind, seed, isFlat: isFlat)
    let steps = ProcessInfo.processInfo.environment["OXBOW_STEPS"].flatMap { Int($0) } ?? 60
    for step in 0..<steps {
      switch Int.random(in: 0..<10, using: &world.random.random) {
      case 0: try step % 2 == 0 ? world.update() : world.change()
      case 1: _ = try world.library.store.catchUpSearch()
      default: try world.save()
      }
      try world.ask("seed \(seed), step \(step)")
      try world.askPart("seed \(seed), step \(step)")
      try world.askPart("seed \(seed), step \(step)")
    }
    while try !world.library.store.catchUpSearch() {}
    for _ in 0..<40 {
      try world.ask("seed \(seed), caught up")
      try world.askPart("seed \(seed), caught up")
    }
  }

  @Test func `PS-15 an index that was made anew is the one that caught up`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Search indexes made anew: seed \(seed)")
    var world = try World(.file, seed)
    for _ in 0..<120 {
      try world.save()
      if world.random.random.chance(30) { _ = try world.library.store.catchUpSearch() }
    }
    while try !world.library.store.catchUpSearch() {}
    world.library.store.close()
    let root = 2
    func contents() throws -> [[String]] {
      let other = try world.library.intruder()
      defer { other.close() }
      return try [
        "SELECT id, c0, c1 FROM \"_oxbow_words_\(root)_content\" "
          + "WHERE c0 IS NOT NULL OR c1 IS NOT NULL ORDER BY id",
        "SELECT key, hash FROM \"_oxbow_substrings_\(root)_hashes\" ORDER BY key",
      ].map { sql in
        try other.rows(sql).map { $0.map(\.description).joined(separator: "|") }
      }
    }
    let before = try contents()
    #expect(!before.contains([]))
    func change(_ sql: String) throws {
      let other = try world.library.intruder()
      defer { other.close() }
      try other.execute(sql)
    }
    try change(
      "DELETE FROM _oxbow_words_\(root); DELETE FROM _oxbow_substrings_\(root)_hashes; "
        + "INSERT INTO _oxbow_substrings_\(root)(_oxbow_substrings_\(root)) VALUES ('delete-all'); "
        + "UPDATE _oxbow_search SET indexed_to = 0")
    let again = try Library(
      .file, model: notesModel(search: [.words, .substrings]), in: world.library.scratch)
    while try !again.store.catchUpSearch() {}
    again.store.close()
    #expect(try contents() == before)
    try change("INSERT INTO _oxbow_words_\(root)(_oxbow_words_\(root)) VALUES ('integrity-check')")
  }
}
