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

/// PF-10: groups that the reader makes are those of a statement with `GROUP BY`.
///
/// The smallest of texts is not for the reader: with it, the statement answers.
@Suite struct GroupedRowsTests {
  let library: Library

  init() throws { library = try Library(.inMemory) }

  private func rows(
    _ columns: [FetchColumn], having: FetchPredicate? = nil, by order: [RowOrder] = [],
    limit: Int? = nil
  ) throws -> [[FetchValue]] {
    let entity = try library.store.model.requireEntity(named: "Book").index
    var query = try ColumnQuery(
      entity: entity, columns: columns, having: having, sortedBy: order)
    query.limit = limit
    let found = try library.store.rows(of: query)
    return (0..<found.count).map { row in
      Array(found.values[(row * found.width)..<((row + 1) * found.width)])
    }
  }

  private func put(_ books: [[String: AttributeValue]]) throws {
    try library.save { changes in
      for (index, values) in books.enumerated() {
        changes.inserts.append(try library.insert("Book", Int64(index + 1), values))
      }
    }
  }

  private static func books(_ random: inout SeededRandom) -> [[String: AttributeValue]] {
    let titles = ["", "a", "A", "é", "e\u{301}", "longer than fifteen bytes of text"]
    return (0..<300).map { _ in
      var book: [String: AttributeValue] = [:]
      func chance() -> Bool { Int.random(in: 0..<4, using: &random) > 0 }
      if chance() { book["title"] = .string(titles.randomElement(using: &random) ?? "") }
      if chance() { book["copies"] = .integer(.random(in: -2...2, using: &random)) }
      if chance() {
        book["weight"] = .double([-0.0, 0, 0.5, -3].randomElement(using: &random) ?? 0)
      }
      if chance() {
        let price = Decimal(Int.random(in: -300...300, using: &random)) / 100
        book["price"] = .decimal(price)
      }
      if chance() {
        let seconds = Double(Int.random(in: 0...3, using: &random)) * 8_000_000
        book["printed"] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
      return book
    }
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PF-10: groups of the reader are those of the statement`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try put(Self.books(&random))
    let keys: [FetchColumn] = ["title", "copies", "weight", "printed", "month(printed)"]
    let totals: [FetchColumn] = [
      "count(title)", "sum(copies)", "avg(copies)", "min(copies)", "max(copies)",
      "sum(weight)", "avg(weight)", "min(weight)", "max(weight)", "sum(price)", "avg(price)",
      "min(printed)", "max(printed)", "sum(copies * 2)", "count(price)",
    ]
    for number in 0..<60 {
      let columns =
        Array(keys.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
        + totals.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
        + ["count() as n"]
      let having: FetchPredicate? = number % 3 == 0 ? try FetchPredicate(format: "n > 2") : nil
      let order: [RowOrder] = number % 2 == 0 ? [.descending("n")] : []
      let limit = number % 5 == 0 ? 7 : nil
      let read = try rows(columns, having: having, by: order, limit: limit)
      let grouped = try rows(columns + ["min(title)"], having: having, by: order, limit: limit)
      guard read == grouped.map({ $0.dropLast() }) else {
        Issue.record("seed \(seed), case \(number): \(columns)\n\(read)\n\(grouped)")
        return
      }
    }
  }

  @Test func `PF-10: texts make one group where their bytes are equal`() throws {
    try put(["é", "e\u{301}", "é"].map { ["title": .string($0)] })
    let found = try rows(["title", "count()"])
    #expect(found.map(\.[1]) == [.attribute(.integer(1)), .attribute(.integer(2))])
  }

  @Test func `PF-10: a group's sum may pass what 64 bits have, and may not end there`() throws {
    try put([Int64.max, 1, -2].map { ["title": .string("a"), "copies": .integer($0)] })
    let sum = FetchValue.attribute(.integer(.max - 1))
    #expect(try rows(["title", "sum(copies)"]) == [[.attribute(.string("a")), sum]])
    try library.save { changes in
      changes.inserts.append(
        try library.insert("Book", 9, ["title": .string("a"), "copies": .integer(5)]))
    }
    #expect(errorOf { _ = try rows(["title", "sum(copies)"]) }?.code == .invalidPredicate)
  }

  @Test func `PF-10: a sum below a group that does not fit is the same error`() throws {
    try library.save { changes in
      changes.inserts.append(try library.insert("Shelf", 1, ["label": .string("a")]))
      for (key, copies) in [(1, Int64.max), (2, 1)] {
        changes.inserts.append(
          try library.insert("Book", Int64(key), ["copies": .integer(copies)]))
        changes.links.append(
          try library.link(("Book", Int64(key)), "shelf", ("Shelf", 1)))
      }
    }
    let entity = try library.store.model.requireEntity(named: "Shelf").index
    let query = try ColumnQuery(entity: entity, columns: ["label", "max(books.@sum.copies)"])
    let error = errorOf { _ = try library.store.rows(of: query) }
    #expect(error?.message.contains("does not fit into a whole number") == true)
  }

  @Test func `PF-10: decimal numbers with many and with few digits are added`() throws {
    let third = try #require(Decimal(string: "0.333333333333333333333333"))
    try put([third, 1].map { ["title": .string("a"), "price": .decimal($0)] })
    let sum = FetchValue.attribute(.decimal(1 + third))
    #expect(try rows(["title", "sum(price)"]) == [[.attribute(.string("a")), sum]])
    #expect(try rows(["sum(price)"]) == [[sum]])
  }

  @Test func `PF-10: a calculation that does not fit is no damage of the store`() throws {
    try put([["title": .string("a"), "copies": .integer(.max)]])
    for columns in [["copies * 2"], ["copies * 2", "count()"], ["title", "max(copies * 2)"]] {
      let error = errorOf { _ = try rows(columns.map { FetchColumn($0) }) }
      #expect(error?.code == .invalidPredicate, "\(columns)")
      #expect(error?.message.contains("does not fit into a whole number of 64 bits") == true)
    }
    #expect(try rows(["1.0 * copies * 2"]) == [[.attribute(.double(0x1p64))]])
  }

  @Test func `PF-10: as many groups as objects are left to the statement`() throws {
    try put((0..<70_000).map { ["copies": .integer(Int64($0 % 66_000))] })
    let found = try rows(["copies", "count()"], by: [.descending("count()")], limit: 2)
    #expect(found.map(\.[0]) == [.attribute(.integer(0)), .attribute(.integer(1))])
    #expect(found.map(\.[1]) == [.attribute(.integer(2)), .attribute(.integer(2))])
  }
}
