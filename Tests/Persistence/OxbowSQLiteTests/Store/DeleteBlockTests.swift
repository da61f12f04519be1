import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

// Decision 0196: many deletes go in blocks.
@Suite struct DeleteBlockTests {
  /// Both journal modes.
  static let kinds: [StoreKind] = [.file, .rollbackJournal]

  private let recorder = LogRecorder()

  private func library(_ kind: StoreKind) throws -> Library {
    try Library(kind, options: SQLiteStoreOptions(logger: recorder.statementLogger))
  }

  /// A store with tags whose keys are `step` apart, and one tag in each gap; the keys of the first.
  private func tags(_ count: Int, step: Int64, in library: Library) throws -> [Int64] {
    let keys = (0..<Int64(count)).map { 10 + $0 * step }
    try library.save { changes in
      changes.inserts = try keys.map { try library.insert("Tag", $0) }
      if step > 1 { changes.inserts += try keys.map { try library.insert("Tag", $0 + 1) } }
    }
    return keys
  }

  private func neighbours(of keys: [Int64], step: Int64) -> [Int64] {
    step > 1 ? keys.map { $0 + 1 } : []
  }

  /// The deletes that ran since the store had so many statements.
  private func deletes(since count: Int) -> [String] {
    recorder.statements.dropFirst(count).filter { $0.hasPrefix("DELETE") }
  }

  // MARK: Borders

  @Test(
    arguments: [1, 7, 8, 9, 16, 499, 500, 501, 511, 512, 513, 1000, 1001, 1024, 1025],
    [1, 2, 3] as [Int64])
  func `a block deletes its rows and none between them (PG-08)`(
    _ count: Int, _ step: Int64
  ) throws {
    let library = try library(.file)
    let keys = try tags(count, step: step, in: library)
    try library.save { $0.deletes = try keys.map { try library.delete("Tag", $0, 1) } }
    #expect(try library.keys("Tag") == neighbours(of: keys, step: step))
  }

  @Test(arguments: kinds, [1, 3] as [Int64])
  func `the order of deletes does not matter, nor whether versions are known (PG-08)`(
    _ kind: StoreKind, _ step: Int64
  ) throws {
    let library = try library(kind)
    let keys = try tags(1500, step: step, in: library)
    try library.save { changes in
      changes.deletes = try keys.shuffled().map { key in
        try library.delete("Tag", key, key % 2 == 0 ? 1 : nil)
      }
    }
    #expect(try library.keys("Tag") == neighbours(of: keys, step: step))
  }

  @Test func `rows of many versions are deleted, few of each or many (PG-08)`() throws {
    let library = try library(.file)
    let keys = try tags(600, step: 1, in: library)
    // Every third row is saved twice more, and five rows seven times.
    var versions = keys.map { _ in Int64(1) }
    for round in 0..<7 {
      try library.save { changes in
        for (place, key) in keys.enumerated() where place < 5 || place % 3 == 0 && round < 2 {
          changes.updates.append(
            try library.update("Tag", key, versions[place], ["label": .string("\(round)")]))
          versions[place] += 1
        }
      }
    }
    #expect(Set(versions) == [1, 3, 8])
    try library.save { changes in
      changes.deletes = try zip(keys, versions).map { try library.delete("Tag", $0, $1) }
    }
    #expect(try library.keys("Tag") == [])
  }

  @Test func `rows without a gap go in a statement for each 512 of them (PG-08)`() throws {
    let library = try library(.file)
    let keys = try tags(1500, step: 1, in: library)
    let count = recorder.statements.count
    try library.save { $0.deletes = try keys.map { try library.delete("Tag", $0, 1) } }
    let rows = deletes(since: count).filter { $0.contains(#"FROM "Tag""#) }
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0.contains("BETWEEN") })
  }

  // MARK: Conflicts

  @Test(arguments: kinds, [1, 3] as [Int64])
  func `rows that others changed or deleted are named, in the order of the changes (PG-08)`(
    _ kind: StoreKind, _ step: Int64
  ) throws {
    let library = try library(kind)
    let keys = try tags(700, step: step, in: library)
    let (changed, gone, last) = (keys[250], keys[251], keys[699])
    try library.save { changes in
      changes.updates = try [changed, last].map {
        try library.update("Tag", $0, 1, ["label": .string("new")])
      }
      changes.deletes = [try library.delete("Tag", gone, 1)]
    }
    let left = try library.keys("Tag")
    let error = errorOf {
      try library.save { changes in
        changes.deletes = try keys.reversed().map { try library.delete("Tag", $0, 1) }
        changes.inserts = [try library.insert("Tag", 1 << 20)]
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs.map(\.key) == [last, gone, changed])
    #expect(error?.objectIDs.allSatisfy { $0.entityName == "Tag" } == true)
    #expect(try library.keys("Tag") == left)
  }

  @Test(arguments: kinds)
  func `a row of unknown version conflicts only when it is gone (PG-08)`(
    _ kind: StoreKind
  ) throws {
    let library = try library(kind)
    let keys = try tags(700, step: 1, in: library)
    try library.save { changes in
      changes.updates = [try library.update("Tag", keys[300], 1, ["label": .string("new")])]
      changes.deletes = [try library.delete("Tag", keys[301], 1)]
    }
    let unknown = try keys.map { try library.delete("Tag", $0) }
    let error = errorOf { try library.save { $0.deletes = unknown } }
    #expect(error?.objectIDs.map(\.key) == [keys[301]])
    #expect(try library.keys("Tag").count == 699)
    try library.save { $0.deletes = unknown.filter { $0.key != keys[301] } }
    #expect(try library.keys("Tag") == [])
  }

  @Test func `two entities of a hierarchy share a block, and a conflict names the right one`()
    throws
  {
    let library = try library(.file)
    let names = (1...600).map { $0 % 3 == 0 ? "Writer" : "Reader" }
    try library.save { changes in
      changes.inserts = try names.enumerated().map {
        try library.insert($1, Int64($0), ["name": .string("n")])
      }
    }
    try library.save { changes in
      changes.updates = [
        try library.update("Writer", 299, 1, ["name": .string("w")]),
        try library.update("Reader", 300, 1, ["name": .string("r")]),
      ]
    }
    let deletes = try names.enumerated().map { try library.delete($1, Int64($0), 1) }
    let error = errorOf { try library.save { $0.deletes = deletes } }
    #expect(error?.objectIDs.map { "\($0.entityName) \($0.key)" } == ["Writer 299", "Reader 300"])
    try library.save { $0.deletes = deletes.filter { ![299, 300].contains($0.key) } }
    #expect(try library.keys("Person") == [299, 300])
  }

  @Test func `a row that another program's trigger keeps is a conflict`() throws {
    let library = try library(.file)
    let keys = try tags(100, step: 1, in: library)
    let intruder = try library.intruder()
    try intruder.execute(
      "CREATE TRIGGER keep BEFORE DELETE ON Tag WHEN old._id = \(keys[40]) "
        + "BEGIN SELECT RAISE(IGNORE); END")
    intruder.close()
    let error = errorOf {
      try library.save { $0.deletes = try keys.map { try library.delete("Tag", $0, 1) } }
    }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs.map(\.key) == [keys[40]])
    #expect(try library.keys("Tag") == keys)
  }

  @Test func `conflicts of deletes and of updates in one save are all named`() throws {
    let library = try library(.file)
    let keys = try tags(100, step: 1, in: library)
    try library.save { changes in
      changes.updates = try [keys[0], keys[50]].map {
        try library.update("Tag", $0, 1, ["label": .string("new")])
      }
    }
    let error = errorOf {
      try library.save { changes in
        changes.updates = [try library.update("Tag", keys[0], 1, ["label": .string("mine")])]
        changes.deletes = try keys.dropFirst().map { try library.delete("Tag", $0, 1) }
      }
    }
    #expect(error?.objectIDs.map(\.key) == [keys[50], keys[0]])
  }

  @Test(arguments: kinds)
  func `a block that meets a conflict fails alone among saves that share a commit (PS-06)`(
    _ kind: StoreKind
  ) throws {
    let library = try library(kind)
    let keys = try tags(300, step: 1, in: library)
    try library.save { changes in
      changes.updates = [try library.update("Tag", keys[150], 1, ["label": .string("new")])]
    }
    var changes = [ChangeSet](repeating: ChangeSet(), count: 4)
    changes[0].inserts = [try library.insert("Tag", 1 << 20)]
    changes[1].deletes = try keys.dropFirst(100).map { try library.delete("Tag", $0, 1) }
    changes[2].deletes = try keys.prefix(100).map { try library.delete("Tag", $0, 1) }
    changes[3].inserts = [try library.insert("Tag", 1 << 21)]
    let errors = try saveTogether(changes, library.store)
    #expect(errors.map(\.?.code) == [nil, .conflict, nil, nil])
    #expect(errors[1]?.objectIDs.map(\.key) == [keys[150]])
    #expect(try library.keys("Tag") == Array(keys.dropFirst(100)) + [1 << 20, 1 << 21])
  }

  // MARK: Links

  @Test(arguments: kinds, [1, 3] as [Int64])
  func `blocks take the links of their rows with them and leave all others (PG-08)`(
    _ kind: StoreKind, _ step: Int64
  ) throws {
    let library = try library(kind)
    let keys = try tags(600, step: step, in: library)
    let stays = Int64(1 << 20)
    try library.save { changes in
      changes.inserts = try [stays, stays + 1].map { try library.insert("Tag", $0) }
      changes.inserts += try (1...2).map { try library.insert("Book", $0) }
      for key in keys + [stays] {
        changes.links.append(try library.link(("Book", 1), "tags", ("Tag", key)))
        changes.links.append(try library.link(("Tag", key), "related", ("Tag", stays + 1)))
        changes.links.append(try library.link(("Tag", stays + 1), "related", ("Tag", key)))
      }
    }
    try library.save { $0.deletes = try keys.map { try library.delete("Tag", $0, 1) } }
    #expect(try library.related("Book", "tags", [1]) == [1: [stays]])
    #expect(try library.related("Tag", "related", [stays]) == [stays: [stays + 1]])
    #expect(try library.related("Tag", "related", [stays + 1]) == [stays + 1: [stays]])
  }

  @Test(arguments: kinds)
  func `a tree of every kind of link goes in one save, whatever the order (PG-08)`(
    _ kind: StoreKind
  ) throws {
    let library = try library(kind)
    let people = (1...40).map { (name: $0 % 2 == 0 ? "Writer" : "Reader", key: Int64($0)) }
    try library.save { changes in
      changes.inserts = try people.map { try library.insert($0.name, $0.key) }
      changes.inserts += try (1...40).map { try library.insert("Shelf", $0) }
      changes.inserts += try (1...800).map { try library.insert("Book", $0) }
      for (person, next) in zip(people, people.dropFirst()) {
        let (a, b) = ((person.name, person.key), (next.name, next.key))
        changes.links.append(try library.link(a, "peers", b))
        changes.links.append(try library.link(a, "mentor", b))
      }
      for book in 1...800 as ClosedRange<Int64> {
        let person = people[Int(book) % 40]
        changes.links.append(
          try library.link(("Book", book), "author", (person.name, person.key)))
        changes.links.append(try library.link(("Book", book), "shelf", ("Shelf", 1 + book % 40)))
      }
    }
    let count = recorder.statements.count
    try library.save { changes in
      changes.deletes = try people.map { try library.delete($0.name, $0.key, 1) }
      changes.deletes += try (1...40).map { try library.delete("Shelf", $0, 1) }
      changes.deletes += try (1...800).map { try library.delete("Book", $0, 1) }
    }
    for name in ["Person", "Shelf", "Book"] { #expect(try library.keys(name) == []) }
    // Rows that refer to others go first.
    let tables = deletes(since: count).compactMap { text in
      ["Book", "Shelf", "Person"].first { text.contains("FROM \"\($0)\"") }
    }
    #expect(tables.first == "Book")
    #expect(Set(tables) == ["Book", "Shelf", "Person"])
  }

  @Test func `rows that others still refer to are refused, block or not (PG-08)`() throws {
    let library = try library(.file)
    try library.save { changes in
      changes.inserts = try (1...100).map { try library.insert("Reader", $0) }
      changes.inserts += [try library.insert("Book", 1)]
      changes.links = [try library.link(("Book", 1), "author", ("Reader", 50))]
    }
    let error = errorOf {
      try library.save { changes in
        changes.deletes = try (1...100).map { try library.delete("Reader", $0, 1) }
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("objects that others refer to") == true)
    #expect(try library.keys("Person").count == 100)
  }

  @Test func `links of rows that stay are removed beside a block (PG-08)`() throws {
    let library = try library(.file)
    try library.save { changes in
      changes.inserts = try (1...100).map { try library.insert("Reader", $0) }
      changes.inserts += try (1...100).map { try library.insert("Book", $0) }
      changes.links = try (1...100).map {
        try library.link(("Book", $0), "author", ("Reader", $0))
      }
    }
    try library.save { changes in
      changes.deletes = try (1...99).map { try library.delete("Reader", $0, 1) }
      changes.unlinks = try (1...99).map {
        try library.link(("Book", $0), "author", ("Reader", $0))
      }
    }
    #expect(try library.keys("Person") == [100])
    #expect(try library.only("Book", 1)["author"] == nil)
    #expect(try library.only("Book", 100)["author"] == "100 Reader")
  }

  // MARK: Against an oracle

  @Test(arguments: [1, 2, 3, 4, .random(in: 5 ... .max)] as [UInt64])
  func `random deletes end as row by row (PG-08)`(_ seed: UInt64) throws {
    print("Random deletes: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let library = try library(.file)
    let intruder = try library.intruder()
    var stored: [Int64: Int64] = [:]
    for round in 0..<12 {
      try library.save { changes in
        changes.inserts = try (1...1000 as ClosedRange<Int64>).compactMap { number in
          let key = Int64(round) * 1000 + number
          guard Int.random(in: 0..<10, using: &random) < 10 - round % 3 else { return nil }
          stored[key] = 1
          return try library.insert("Tag", key)
        }
      }
      let versions = Int64.random(in: 1...4, using: &random)
      try intruder.execute("UPDATE Tag SET _version = 1 + _id * 7 % \(versions)")
      for key in stored.keys { stored[key] = 1 + key * 7 % versions }
      try checkDeletes(of: &stored, in: library, &random)
    }
    intruder.close()
  }

  /// Deletes some of the tags, a few of them with wrong versions or without a row.
  private func checkDeletes(
    of stored: inout [Int64: Int64], in library: Library, _ random: inout SeededRandom
  ) throws {
    let isSorted = Bool.random(using: &random)
    var keys = stored.keys.sorted().filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
    if !isSorted { keys.shuffle(using: &random) }
    var deletes = try keys.map { key in
      let isKnown = Int.random(in: 0..<10, using: &random) > 0
      return try library.delete("Tag", key, isKnown ? stored[key] : nil)
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) where !deletes.isEmpty {
      let place = Int.random(in: deletes.indices, using: &random)
      let key = deletes[place].key
      deletes[place] =
        Bool.random(using: &random)
        ? try library.delete("Tag", key, 99) : try library.delete("Tag", key + (1 << 30), nil)
    }
    let conflicts = deletes.filter { delete in
      guard let version = stored[delete.key] else { return true }
      return delete.version != nil && delete.version != version
    }
    let error = errorOf { try library.save { $0.deletes = deletes } }
    #expect(error?.objectIDs.map(\.key) ?? [] == conflicts.map(\.key))
    if conflicts.isEmpty { for delete in deletes { stored[delete.key] = nil } }
    #expect(try library.keys("Tag") == stored.keys.sorted())
  }
}
