import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Conditions, orders and sums over decimal numbers and dates that are kept as Core Data does.
@Suite struct CoreDataConditionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  // MARK: Agreement

  /// Random items in a store of Core Data's form and in memory.
  private func forest(
    _ random: inout AgreementRandom, journal: String = "WAL"
  ) throws -> (library: Library, items: [ForestItem]) {
    random.prices =
      random.prices.filter { DecimalNumber.written($0) != nil } + [
        Decimal(string: "1e20") ?? 0, Decimal(string: "10.11") ?? 0,
      ]
    var items: [ForestItem] = []
    let library = try HandMadeStore.open(AgreementRandom.model, in: scratch, journal: journal) {
      try $0.execute("SELECT 1")
    }
    let entity = try library.entity("Item")
    for key in 1...60 as ClosedRange<Int64> {
      let item = ForestItem(
        library.model, entity, key, library.store.identifier, random.values())
      if let parent = items.randomElement(using: &random), Bool.random(using: &random) {
        item.parent = parent
        parent.children.append(item)
      }
      items.append(item)
    }
    let mapping = try library.store.current().mapping.entities[entity.index]
    let writer = try library.intruder()
    defer { writer.close() }
    for item in items { try insert(item, mapping, writer) }
    return (library, items)
  }

  private func insert(
    _ item: ForestItem, _ mapping: EntityMapping, _ writer: Connection
  ) throws {
    let names = item.predicateEntity.properties.map(\.name)
    let cells = mapping.columns.map { column -> SQLValue in
      column.role == .key
        ? item.parent.map { .integer($0.predicateID.key) } ?? .null
        : item.values[names[column.property]].flatMap(column.codec.encode) ?? .null
    }
    try writer.run(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(mapping.columns.map(\.name).joined(separator: ", "))) "
        + "VALUES (?, 1, 1" + String(repeating: ", ?", count: cells.count) + ")",
      [.integer(item.predicateID.key)] + cells)
  }

  @Test(arguments: [1, 2, 5_315_963_228_618_489_040, UInt64.random(in: 3...UInt64.max)])
  func `PF-08 PF-09 random predicates find the same in a store of Core Data and in memory`(
    seed: UInt64
  ) throws {
    print("Agreement over Core Data's cells: seed \(seed)")
    var random = AgreementRandom(seed: seed)
    let (library, items) = try forest(&random, journal: seed == 2 ? "DELETE" : "WAL")
    for round in 0..<PredicateAgreementTests.rounds {
      for predicate in random.predicate(depth: 3).withOtherValues(seed: UInt64(round)) {
        let comment: Comment = "seed \(seed), round \(round): \(predicate)"
        do {
          let stored = library.keys(try library.store.keys(of: library.fetch("Item", predicate)))
          let found = try items.filter { try predicate.isTrue(for: $0) }
          #expect(stored.sorted() == found.map(\.predicateID.key).sorted(), comment)
        } catch {
          Issue.record(error, comment)
        }
      }
    }
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PF-08 random orders are the same in a store of Core Data and in memory`(
    seed: UInt64
  ) throws {
    print("Orders over Core Data's cells: seed \(seed)")
    var random = AgreementRandom(seed: seed)
    let (library, items) = try forest(&random)
    for round in 0..<60 {
      let sortKeys = random.sortKeys()
      var fetch = try library.fetch("Item")
      fetch.sortKeys = sortKeys
      let stored = library.keys(try library.store.keys(of: fetch))
      let sorted = try sortKeys.sort(items).map(\.predicateID.key)
      #expect(stored == sorted, "seed \(seed), round \(round): \(sortKeys)")
    }
  }

  // MARK: Digits

  private static let priced = ManagedObjectModel(entities: [
    EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("day", .date, isOptional: true),
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("picture", .binaryData, isOptional: true, allowsExternalStorage: true),
      ])
  ])

  /// A store of items, each with the literals of its columns.
  private func items(_ columns: String, _ rows: [String]) throws -> Library {
    try HandMadeStore.open(Self.priced, in: scratch) { connection in
      for (index, row) in rows.enumerated() {
        try connection.execute(
          "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (\(index + 1), 1, 1, \(row))")
      }
    }
  }

  private static func decimal(
    _ random: inout some RandomNumberGenerator, digits: ClosedRange<Int>
  ) -> String {
    let count = Int.random(in: digits, using: &random)
    let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    let sign = Bool.random(using: &random) ? "-" : ""
    let text = "\(sign)\(digits)e\(Int.random(in: -20...6, using: &random))"
    // In plain digits, as Core Data writes them: then SQLite reads whole ones exactly.
    return (Decimal(string: text) ?? .nan).description
  }

  @Test(arguments: [
    1, 2_507_347_433_966_841_213, 8_571_588_570_640_311_325, UInt64.random(in: 2...UInt64.max),
  ])
  func `PF-08 a decimal number is found by its digits, however its REAL was rounded`(
    seed: UInt64
  ) throws {
    print("Decimal numbers of Core Data: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let texts = (0..<60).map { _ in Self.decimal(&random, digits: 1...15) }
    // As SQLite rounds them, and as others may have.
    let library = try items(
      "ZPRICE",
      texts.flatMap { text in
        // A whole number is an INTEGER, and exact.
        guard let nearest = Double(text), nearest.rounded() != nearest else { return ["'\(text)'"] }
        return ["'\(text)'"] + [nearest.nextUp, nearest.nextDown].map { "\($0)" }
      } + ["NULL"])
    let property = try library.property("Item", "price")
    let read = try library.store.rows(of: library.fetch("Item")).flatMap { slab in
      (0..<slab.count).map { (slab._key($0), slab.storedValue($0, property)) }
    }
    let values = Set(texts.map { AttributeValue.decimal(Decimal(string: $0) ?? .nan) })
    let others = Set(read.compactMap(\.1)).symmetricDifference(values)
    #expect(others.isEmpty, "seed \(seed)")
    for constant in texts.prefix(20) + (0..<20).map({ _ in Self.decimal(&random, digits: 14...24) })
    {
      let value = FetchValue.attribute(.decimal(Decimal(string: constant) ?? 0))
      for comparison in [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        as [ComparisonOperator]
      {
        for isMirrored in [false, true] {
          let sides: [FetchExpression] = [.path(["price"]), .value(value)]
          let predicate = FetchPredicate.comparison(
            sides[isMirrored ? 1 : 0], comparison, sides[isMirrored ? 0 : 1])
          let found = library.keys(try library.store.keys(of: library.fetch("Item", predicate)))
          let expected = try read.filter { _, price in
            let price = price.map { FetchValue.attribute($0) } ?? .null
            return try isMirrored
              ? comparison.holds(value, price) : comparison.holds(price, value)
          }
          #expect(
            found.sorted() == expected.map(\.0).sorted(), "seed \(seed): \(predicate)")
        }
      }
      let wanted = [value, .attribute(.decimal(-1))]
      let list = FetchPredicate.isIn(.path(["price"]), wanted)
      let found = library.keys(try library.store.keys(of: library.fetch("Item", list)))
      let expected = read.filter { $0.1.map { wanted.contains(.attribute($0)) } == true }
      #expect(found.sorted() == expected.map(\.0).sorted(), "seed \(seed): \(list)")
    }
  }

  @Test func `PF-08 NaN meets no comparison, and is left out of sums`() throws {
    let library = try items("ZPRICE", ["'NaN'", "'5'", "'2.5'", "NULL"])
    func keys(_ text: String) throws -> [Int64] {
      let fetch = try library.fetch("Item", FetchPredicate(format: text))
      return library.keys(try library.store.keys(of: fetch))
    }
    for text in [
      "price == 100", "price > 100", "price >= 5.5", "price < -1", "price <= -1",
      "price == price AND price > 5",
      "price IN {7, 8.5}", "price BETWEEN {6, 1000}", "100 < price",
    ] { #expect(try keys(text) == [], "\(text)") }
    #expect(try keys("price != 5") == [3, 4])
    #expect(try keys("price != 2.5") == [2, 4])
    #expect(try keys("NOT price > 3") == [1, 3, 4])
    #expect(try keys("price == price") == [2, 3, 4])
    #expect(try keys("price == nil") == [4])
    #expect(try keys("price != nil") == [1, 2, 3])
    var fetch = try library.fetch("Item")
    fetch.sortKeys = [OrderingTerm("price")]
    #expect(library.keys(try library.store.keys(of: fetch)) == [4, 3, 2, 1])
    #expect(
      try rows(
        library, ["sum(price)", "average(price)", "min(price)", "max(price)", "count(price)"])
        == [["7.5", "3.75", "2.5", "5", "3"]])
  }

  // MARK: Sums

  private static let family = ManagedObjectModel(entities: [
    EntityDescription(
      "Item", attributes: [AttributeDescription("price", .decimal, isOptional: true)],
      relationships: [
        RelationshipDescription("parent", to: "Item", inverse: "children"),
        RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
      ])
  ])

  @Test func `PF-08 sums of decimal numbers are compared with all their digits`() throws {
    let library = try HandMadeStore.open(Self.family, in: scratch) {
      try $0.execute(
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZPARENT, ZPRICE) VALUES (1, 1, 1, NULL, NULL),
          (2, 1, 1, 1, '100000000000000000000'), (3, 1, 1, 1, 9), (4, 1, 1, NULL, 5),
          (5, 1, 1, 4, '123456789012345'), (6, 1, 1, 4, '0.01'), (7, 1, 1, NULL, 'NaN')
        """)
    }
    let sum = FetchExpression.aggregate(.sum, path: ["children", "price"])
    let average = FetchExpression.aggregate(.average, path: ["children", "price"])
    func number(_ text: String) -> FetchExpression {
      .value(.attribute(.decimal(Decimal(string: text) ?? .nan)))
    }
    let price = FetchExpression.path(["price"])
    let long = "100000000000000000009"
    let cases: [(FetchExpression, ComparisonOperator, FetchExpression, [Int64])] = [
      (sum, .lessOrEqual, number("100000000000000000001"), [2, 3, 4, 5, 6, 7]),
      (sum, .greater, number("100000000000000000001"), [1]),
      (sum, .equal, number(long), [1]), (number(long), .equal, sum, [1]),
      (sum, .equal, number("100000000000000000000"), []),
      (sum, .equal, number("123456789012345.01"), [4]),
      (sum, .notEqual, number("123456789012345.01"), [1, 2, 3, 5, 6, 7]),
      (sum, .less, .value(.attribute(.integer(1))), [2, 3, 5, 6, 7]),
      (sum, .equal, .value(.attribute(.double(0))), [2, 3, 5, 6, 7]),
      (sum, .less, .value(.attribute(.double(.infinity))), [1, 2, 3, 4, 5, 6, 7]),
      (sum, .greater, .value(.attribute(.double(-.infinity))), [1, 2, 3, 4, 5, 6, 7]),
      (average, .equal, number("50000000000000000004.5"), [1]),
      (average, .equal, .value(.null), [2, 3, 5, 6, 7]),
      (price, .less, sum, [4]), (price, .greater, sum, [2, 3, 5, 6]),
      (price, .notEqual, sum, [1, 2, 3, 4, 5, 6]),
      (sum, .less, .count(path: ["children"]), []),
      (.coalesced(price, sum), .equal, number(long), [1]),
      (
        .coalesced(price, number("0.12345678901234567")), .equal, number("0.12345678901234567"),
        [1, 7]
      ),
      (
        .conditional(.comparison(price, .equal, .value(.null)), sum, price), .equal,
        number("0.01"), [6]
      ),
    ]
    for (left, comparison, right, expected) in cases {
      let predicate = FetchPredicate.comparison(left, comparison, right)
      let found = library.keys(try library.store.keys(of: library.fetch("Item", predicate)))
      #expect(found.sorted() == expected, "\(predicate)")
    }
    let list = FetchPredicate.isIn(
      sum, [.attribute(.decimal(Decimal(string: long) ?? 0)), .attribute(.integer(7))])
    #expect(library.keys(try library.store.keys(of: library.fetch("Item", list))) == [1])
    let arithmetic = FetchPredicate.comparison(
      .arithmetic(sum, .add, .value(.attribute(.integer(1)))), .equal, number("1"))
    let error = errorOf { _ = try library.store.keys(of: library.fetch("Item", arithmetic)) }
    #expect(error?.code == .invalidPredicate)
  }

  // MARK: Rows of values

  private func rows(_ library: Library, _ columns: [FetchColumn]) throws -> [[String]] {
    let query = try ColumnQuery(entity: try library.entity("Item").index, columns: columns)
    return texts(try library.store.rows(of: query))
  }

  private func texts(_ found: ColumnRows) -> [[String]] {
    (0..<found.count).map { row in
      (0..<found.width).map { column in
        switch found.values[row * found.width + column] {
        case .null: "-"
        case .attribute(.string(let text)): text
        case .attribute(let value): "\(value)"
        case .object(let id): "\(id.key)"
        }
      }
    }
  }

  @Test func `PF-10 groups have sums of decimal numbers and the ends of dates`() throws {
    let library = try items(
      "ZNAME, ZPRICE, ZDAY",
      [
        "'a', '0.1', 3", "'a', '0.2', 2.5", "'a', '10000000000000', NULL", "'b', '7', 4",
        "'b', NULL, 5", "NULL, '3', 6.25",
      ])
    let rows = try rows(library, ["name", "sum(price)", "max(price)", "count(day)", "count()"])
    #expect(
      rows.sorted { $0[0] < $1[0] } == [
        ["-", "3", "3", "1", "1"], ["a", "10000000000000.3", "10000000000000", "2", "3"],
        ["b", "7", "7", "2", "2"],
      ])
    let days = try self.rows(library, ["name", "min(day)", "max(day)"]).sorted { $0[0] < $1[0] }
    func day(_ seconds: Double) -> String {
      "\(AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds)))"
    }
    #expect(
      days == [["-", day(6.25), day(6.25)], ["a", day(2.5), day(3)], ["b", day(4), day(5)]])
    #expect(try self.rows(library, ["day", "count()"]).count == 6)
  }

  @Test func `PF-10 an exact sum is that of the decimal numbers, not of their REALs`() throws {
    let library = try items("ZPRICE", Array(repeating: "'0.1'", count: 10))
    #expect(try rows(library, ["sum(price)", "average(price)"]) == [["1", "0.1"]])
  }

  @Test func `PF-10 a sum has all its digits, in conditions and orders as well`() throws {
    let library = try items(
      "ZNAME, ZPRICE",
      [
        "'a', '9999999999999.99'", "'a', '1.02'", "'b', '10000000000001'", "'b', '0.02'",
        "'c', '9'", "'c', '1'",
      ])
    let sums = ["a 10000000000001.01", "b 10000000000001.02", "c 10"]
    func found(_ order: RowOrder, having: FetchPredicate? = nil) throws -> [String] {
      let query = try ColumnQuery(
        entity: try library.entity("Item").index, columns: ["name", "sum(price) as total"],
        having: having, sortedBy: [order])
      let rows = try library.store.rows(of: query)
      return texts(rows).map { $0.joined(separator: " ") }
    }
    #expect(try found(.ascending("name")) == sums)
    #expect(try found(.ascending("total")) == [sums[2], sums[0], sums[1]])
    let equal = FetchPredicate.comparison(
      .path(["total"]), .equal,
      .value(.attribute(.decimal(Decimal(string: "10000000000001.01") ?? 0))))
    #expect(try found(.ascending("name"), having: equal) == [sums[0]])
  }

  @Test func `PF-10 numbers that mean the same are one, and NaN is one more`() throws {
    let library = try items(
      "ZPRICE", ["0.3", "0.30000000000000004", "'0.3'", "0.1", "'NaN'", "NULL", "'NaN'"])
    let groups = try rows(library, ["price", "count()"])
    #expect(
      Set(groups) == [["0.3", "3"], ["0.1", "1"], ["NaN", "2"], ["-", "1"]], "\(groups)")
    #expect(try rows(library, ["count(distinct price)"]) == [["3"]])
    let query = try ColumnQuery(
      entity: try library.entity("Item").index, columns: ["price"], sortedBy: [.ascending("price")],
      isDistinct: true)
    #expect(
      texts(try library.store.rows(of: query)) == [["-"], ["0.1"], ["0.3"], ["NaN"]])
  }

  @Test func `PF-08 a value that may be in a file is compared with nil only`() throws {
    let library = try items("ZPICTURE", ["x'01'", "NULL"])
    func keys(_ text: String) throws -> [Int64] {
      library.keys(
        try library.store.keys(of: library.fetch("Item", FetchPredicate(format: text))))
    }
    #expect(try keys("picture != nil") == [1])
    #expect(try keys("picture == nil") == [2])
    let predicate = FetchPredicate.comparison(
      .path(["picture"]), .equal, .value(.attribute(.data(Data()))))
    let error = errorOf { _ = try library.store.keys(of: library.fetch("Item", predicate)) }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains("'picture' of 'Item'") == true)
  }
}
