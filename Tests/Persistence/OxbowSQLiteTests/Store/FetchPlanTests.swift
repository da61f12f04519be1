import Foundation
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowStoreContract
import Testing

@testable import OxbowSQLite

/// A form of fetch that comes again is answered by a statement that was kept, and rightly.
@Suite struct FetchPlanTests {
  /// Random items in a store and in memory, and whether fetches about them have plans.
  private struct World {
    let forest: Forest<SQLiteStore>
    var library: Library { forest.library }

    init(_ kind: StoreKind = .file, seed: UInt64 = 7) throws {
      var random = AgreementRandom(seed: seed)
      forest = try Forest(&random, in: StoreContract(kind))
    }

    /// Asks in every way, and compares with memory.
    func ask(_ predicate: FetchPredicate) throws {
      let wanted = try forest.items.filter { try predicate.isTrue(for: $0) }
        .map(\.predicateID.key).sorted()
      let fetch = try library.fetch("Item", predicate)
      #expect(try library.keys("Item", predicate).sorted() == wanted, "\(predicate)")
      #expect(try library.keys(library.store.keys(of: fetch)).sorted() == wanted, "\(predicate)")
      #expect(try library.store.count(of: fetch) == wanted.count, "\(predicate)")
    }

    func isPlanned(_ predicate: FetchPredicate) throws -> Bool {
      try isPlanned(library.fetch("Item", predicate))
    }

    func isPlanned(_ fetch: StoreFetch) throws -> Bool {
      try library.store.read { connection, state in
        connection.plans.plan(for: fetch, .rows, of: library.store, state)?.isReady == true
      }
    }
  }

  private static let constants: [(name: String, values: [FetchValue])] = [
    ("name", ["a", "", "e\u{301}", "ß"].map(\.fetchValue)),
    ("rank", [1, -2, 9_007_199_254_740_993, 3].map(\.fetchValue)),
    ("ratio", [0.5, -0.0, 1e300, -1.5].map(\.fetchValue)),
    ("ratio", [1, 2, 0].map(\.fetchValue)), ("rank", [1.0, 0.5, 2.0].map(\.fetchValue)),
    ("flag", [true, false, true].map(\.fetchValue)), ("flag", [1, 0, 2].map(\.fetchValue)),
    ("day", [-1, 0.25, 1e9].map { Date(timeIntervalSinceReferenceDate: $0).fetchValue }),
    ("bytes", [Data([255]), Data(), Data([0, 1])].map(\.fetchValue)),
    (
      "mark",
      [1, 2, 0].map {
        UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)).fetchValue
      }
    ),
    ("link", ["/a", "/b", "/c"].map { URL(filePath: $0).fetchValue }),
    ("grade", [1, -3, 70_000].map(\.fetchValue)),
    ("parent.name", ["a", "ab", "b"].map(\.fetchValue)),
    ("parent.parent.grade", [0, 5, 2].map(\.fetchValue)),
  ]

  @Test(arguments: StoreKind.allCases)
  func `PF-08 a comparison that comes again with other values has a plan, and finds the same`(
    kind: StoreKind
  ) throws {
    for (name, values) in Self.constants {
      // One connection does not keep the statements of all.
      let world = try World(kind)
      let path = FetchExpression.path(at: name)
      for sign in [ComparisonOperator.equal, .notEqual, .less, .greaterOrEqual]
      where name != "flag" || sign == .equal || sign == .notEqual {
        for (number, value) in (values + values).enumerated() {
          let constant = FetchExpression.value(value)
          let predicates: [FetchPredicate] = [
            .comparison(path, sign, constant),
            .and([.not(.comparison(constant, sign, path)), .notEqual("grade", 4)]),
          ]
          for predicate in predicates {
            #expect(try world.isPlanned(predicate) == (number > 1), "\(number): \(predicate)")
            try world.ask(predicate)
          }
        }
      }
    }
  }

  @Test func `PF-08 lists, ranges, objects and missing values have plans too`() throws {
    let world = try World()
    let ids = world.forest.items.map(\.predicateID)
    let forms: [(Int) -> FetchPredicate] = [
      { .oneOf("rank", [$0, $0 + 2]) }, { .oneOf("name", ["a", "b", "é", "\($0)"]) },
      { .between("rank", $0...3) },
      {
        .isBetween(
          .path(at: "ratio"), .value(Double(-1.5).fetchValue), .value(Double($0).fetchValue))
      },
      { .equal("parent", ids[$0]) }, { .object(ids[$0]) }, { .notEqual("parent.parent", ids[$0]) },
      { .isNil("parent") && .less("grade", $0) }, { .isNotNil("name") || .equal("rank", $0) },
      { .isTrue("flag") && !.equal("grade", $0) },
      { .comparison(.path(at: "rank"), .less, .path(at: "grade")) && .less("rank", $0) },
      { .and([.constant(true), .less("grade", $0)]) }, { _ in .constant(false) },
    ]
    for (number, form) in forms.enumerated() {
      for value in 0..<4 {
        #expect(try world.isPlanned(form(value)) == (value > 1), "\(number): \(form(value))")
        try world.ask(form(value))
      }
    }
  }

  @Test func `PF-08 what values decide about the statement has no plan`() throws {
    let world = try World()
    let decimal = Decimal(string: "0.5") ?? 0
    let forms: [FetchPredicate] = [
      .equal("price", decimal), .less("price", 1), .less("price", 0.5), .equal("rank", decimal),
      .oneOf("price", [decimal]), .oneOf("rank", [Int]()), .isIn(.path(at: "name"), [.null]),
      .oneOf("rank", Array(0..<9)), .oneOf("rank", [0, 1, 2]), .equal("ratio", Double.infinity),
      .contains("name", "a"), .beginsWith("name", "a"), .like("name", "a*"),
      .equal("name", "É", .caseInsensitive), .any("children", .equal("rank", 1)),
      .count("children", .greater, 1),
      .comparison(.path(at: "day"), .less, .now),
      .comparison(.value(1.fetchValue), .less, .value(2.fetchValue)),
      .comparison(
        .arithmetic(.count(path: ["children"]), .add, .value(1.fetchValue)), .less,
        .value(3.fetchValue)),
    ]
    for predicate in forms {
      for _ in 0..<3 { try world.ask(predicate) }
      #expect(try !world.isPlanned(predicate), "\(predicate)")
    }
  }

  @Test func `PF-08 a value of another kind does not get the plan of a form`() throws {
    let world = try World()
    func ask(_ name: String, _ usual: [any FetchValueConvertible], _ others: [FetchValue]) throws {
      for value in usual { try world.ask(.equal(name, value)) }
      #expect(try world.isPlanned(.equal(name, usual[0])), "\(name)")
      for other in others {
        for sign in [ComparisonOperator.equal, .notEqual] {
          try world.ask(.comparison(.path(at: name), sign, .value(other)))
        }
        for value in usual { try world.ask(.equal(name, value)) }
      }
    }
    let foreign = ManagedObjectID(
      store: UUID(), rootEntityName: "Item", entityName: "Item", key: 3)
    let stranger = ManagedObjectID(
      store: world.library.store.identifier, rootEntityName: "Other", entityName: "Other", key: 3)
    let half = (Decimal(string: "0.5") ?? 0).fetchValue
    let decimals = [FetchValue.null, half, Decimal(1).fetchValue]
    try ask("rank", [1, 2, 3], decimals + [Double(1).fetchValue, Double.nan.fetchValue])
    try ask("ratio", [0.5, 1.0, 2.0], [.null, Double.nan.fetchValue, Double.infinity.fetchValue])
    try ask("name", ["a", "b", "é"], [.null])
    let missing = Date(timeIntervalSinceReferenceDate: .nan).fetchValue
    try ask("day", [Date(timeIntervalSinceReferenceDate: 0), Date(), Date()], [.null, missing])
    let ids = world.forest.items.prefix(3).map(\.predicateID)
    try ask("parent", Array(ids), [.null, .object(foreign), .object(stranger)])
    try ask("", Array(ids), [.object(foreign), .object(stranger)])
  }

  @Test func `PF-07 limits, offsets, orders and sub-entities are parts of a form`() throws {
    let library = try Library()
    try library.save { changes in
      for key in 1...9 as ClosedRange<Int64> {
        changes.inserts.append(
          try library.insert(
            key.isMultiple(of: 3) ? "Reader" : "Writer", key, ["name": .string("n\(key % 2)")]))
      }
    }
    for round in 1...4 {
      for entity in ["Person", "Reader"] {
        for limit in [nil, round, 0] {
          for offset in [0, round] {
            for isAscending in [true, false] {
              var fetch = try library.fetch(entity, .equal("name", "n\(round % 2)"))
              (fetch.limit, fetch.offset) = (limit, offset)
              fetch.sortKeys = [OrderingTerm("name", ascending: isAscending)]
              let all = (1...9).filter {
                $0 % 2 == round % 2 && (entity == "Person" || $0.isMultiple(of: 3))
              }
              let wanted = all.dropFirst(offset).prefix(limit ?? 9).map(Int64.init)
              #expect(library.keys(try library.store.rows(of: fetch)) == wanted)
              #expect(library.keys(try library.store.keys(of: fetch)) == wanted)
              #expect(try library.store.count(of: fetch) == wanted.count)
              fetch.includesSubentities = false
              let own = entity == "Person" ? [] : wanted
              #expect(library.keys(try library.store.rows(of: fetch)) == own)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `PS-02 a schema that another program changes ends the plans`(kind: StoreKind) throws {
    let world = try World(kind)
    let intruder = try world.library.intruder()
    defer { intruder.close() }
    for statement in [
      "CREATE INDEX another ON Item (rank)", "ALTER TABLE Item ADD COLUMN another INTEGER",
      "DROP INDEX another",
    ] {
      for rank in 0..<4 { try world.ask(.equal("rank", rank)) }
      #expect(try world.isPlanned(.equal("rank", 1)))
      try intruder.execute(statement)
      try world.ask(.equal("rank", 1))
      #expect(try !world.isPlanned(.equal("rank", 1)), "\(statement)")
    }
    for rank in 0..<4 { try world.ask(.equal("rank", rank)) }
    #expect(try world.isPlanned(.equal("rank", 1)))
  }

  @Test(arguments: [StoreKind.file, .inMemory])
  func `PS-02 plans end with the statements that a connection keeps`(kind: StoreKind) throws {
    let world = try World(kind)
    for _ in 0..<3 {
      for rank in 0..<4 { try world.ask(.equal("rank", rank)) }
      #expect(try world.isPlanned(.equal("rank", 1)))
      try world.library.store.database.read { connection in
        for number in 0..<300 { _ = try connection.integer("SELECT \(number)") }
      }
      #expect(try !world.isPlanned(.equal("rank", 1)))
    }
  }

  @Test func `PF-01 rows that are read by their keys one by one are those of their entities`()
    throws
  {
    let library = try Library()
    try library.save { changes in
      for key in 1...4 as ClosedRange<Int64> {
        let name: [String: AttributeValue] = ["name": .string("n\(key)")]
        changes.inserts.append(
          try library.insert(key.isMultiple(of: 2) ? "Reader" : "Writer", key, name))
        changes.inserts.append(
          try library.insert("Tag", key, ["label": .string("t\(key)")]))
      }
    }
    let intruder = try library.intruder()
    defer { intruder.close() }
    for round in 0..<3 {
      for key in 1...5 as ClosedRange<Int64> {
        let isThere = key < 5
        let (name, label) = (AttributeValue.string("n\(key)"), AttributeValue.string("t\(key)"))
        for _ in 0..<2 {
          #expect(try library.only("Person", key)["name"] == (isThere ? "\(name)" : nil))
        }
        #expect(try library.only("Tag", key)["label"] == (isThere ? "\(label)" : nil))
        let readers = try library.store.rows(of: library.entity("Reader").index, keys: [key])
        #expect(library.keys(readers) == (isThere && key.isMultiple(of: 2) ? [key] : []))
      }
      try intruder.execute("CREATE INDEX another\(round) ON Tag (label)")
    }
  }

  @Test func `PF-08 forms that came again outlast those that came once`() throws {
    let world = try World()
    for rank in 0..<4 { try world.ask(.equal("rank", rank)) }
    for number in 1..<30 {
      let once = FetchPredicate.less("grade", 1)
      _ = try world.library.keys("Item", .and(Array(repeating: once, count: number)))
      try world.ask(.equal("rank", number))
      #expect(try world.isPlanned(.equal("rank", 1)), "\(number)")
    }
  }

  @Test func `PS-12 a pinned view has plans of its own, and its moment`() throws {
    let world = try World()
    let view = try world.library.store.pinned(PinnedViewLimits())
    defer { view.close() }
    func ranks(_ store: any PersistentStore, _ rank: Int) throws -> Int {
      try store.count(of: world.library.fetch("Item", .equal("rank", rank)))
    }
    let before = try (0..<4).map { try ranks(view, $0) }
    try world.library.save { changes in
      for key in 100..<140 as Range<Int64> {
        changes.inserts.append(
          try world.library.insert("Item", key, ["rank": .integer(key % 4)]))
      }
    }
    for _ in 0..<3 {
      let old = try (0..<4).map { try ranks(view, $0) }
      let new = try (0..<4).map { try ranks(world.library.store, $0) }
      #expect(old == before)
      #expect(new == before.map { $0 + 10 })
    }
  }

  @Test func `PS-02 eight threads ask with plans`() throws {
    let world = try World()
    let items = world.forest.items.map { ($0.predicateID.key, $0.values) }
    let library = world.library
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<200 {
        let rank = Int64((round + thread) % 5 - 2)
        let isEqual = round % 3 == 0
        let wanted = items.filter { _, values in
          guard !isEqual else { return values["rank"] == .integer(rank) }
          guard case .integer(let grade)? = values["grade"] else { return false }
          return grade < rank && values["flag"] == .boolean(true)
        }.map(\.0)
        do {
          let found = try library.keys(
            "Item", isEqual ? .equal("rank", rank) : .less("grade", rank) && .isTrue("flag"))
          #expect(found.sorted() == wanted)
        } catch { Issue.record(error) }
      }
    }
  }
}
