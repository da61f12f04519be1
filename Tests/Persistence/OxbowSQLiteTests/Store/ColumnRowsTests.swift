import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-07 and PF-10: rows of values as the store reads them.
@Suite struct ColumnRowsTests {
  let library: Library

  init() throws { library = try Library(.inMemory) }

  private func rows(_ columns: [FetchColumn], isDistinct: Bool = false) throws -> [[String]] {
    let entity = try library.store.model.requireEntity(named: "Book").index
    let query = try ColumnQuery(entity: entity, columns: columns, isDistinct: isDistinct)
    let found = try library.store.rows(of: query)
    return (0..<found.count).map { row in
      (0..<found.width).map { column in
        switch found.values[row * found.width + column] {
        case .null: "-"
        case .attribute(let value): "\(value)"
        case .object(let id): "\(id.entityName) \(id.key)"
        }
      }
    }
  }

  private func put(_ books: [[String: AttributeValue]]) throws {
    try library.save { changes in
      for (index, values) in books.enumerated() {
        changes.inserts.append(try library.insert("Book", Int64(index + 1), values))
      }
    }
  }

  private func decimal(_ text: String) -> AttributeValue { .decimal(Decimal(string: text) ?? 0) }

  @Test func `PF-10: sums of decimal numbers are exact, and equal numbers are one`() throws {
    try put(
      ["0.1", "0.2", "123456789012345678.5", "-7", "0.3", "1e30", "0.2"].map {
        ["price": decimal($0)]
      } + [[:]])
    #expect(
      try rows(["sum(price)", "count(price)", "count(distinct price)", "min(price)", "max(price)"])
        == [
          ["1000000000000123456789012345672.3", "7", "6", "-7", "1000000000000000000000000000000"]
        ])
    #expect(try rows(["price", "count()"]).count == 7)
    #expect(try rows(["price"], isDistinct: true).first == ["-"])
  }

  @Test func `PF-10: sums that cannot be exact are errors`() throws {
    try put([
      ["copies": .integer(.max), "price": decimal("99999999999999999999999999999999999999")],
      ["copies": .integer(1), "price": decimal("99999999999999999999999999999999999999")],
    ])
    #expect(errorOf { _ = try rows(["sum(copies)"]) }?.code == .invalidPredicate)
    #expect(
      errorOf { _ = try rows(["sum(price)"]) }?.message.contains("needs more than 38 digits")
        == true)
    #expect(try rows(["avg(copies)"]) == [["4.611686018427388e+18"]])
    #expect(try rows(["count()"]) == [["2"]])
  }

  @Test func `PF-10: the sum of both infinities is not a number, and of nothing is 0`() throws {
    try put([["weight": .double(.infinity)], ["weight": .double(-.infinity)]])
    #expect(try rows(["sum(weight)", "avg(weight)", "max(weight)"]) == [["-", "-", "inf"]])
    #expect(try rows(["sum(factor)", "avg(factor)", "sum(price)"]) == [["0.0", "-", "0"]])
  }

  @Test func `PF-10: parts of dates, far ones as well`() throws {
    let seconds: [Double] = [0, -1, 1e12, -1e12, 1e300]
    try put(seconds.map { ["printed": .date(Date(timeIntervalSinceReferenceDate: $0))] } + [[:]])
    #expect(
      try rows(["SELF", "year(printed)", "month(printed)", "day(printed)", "hour(printed)"]) == [
        ["Book 1", "2001", "1", "1", "0"], ["Book 2", "2000", "12", "31", "23"],
        ["Book 3", "33689", "9", "27", "1"], ["Book 4", "-29688", "4", "6", "22"],
        ["Book 5", "-", "-", "-", "-"], ["Book 6", "-", "-", "-", "-"],
      ])
    #expect(
      try rows(["hour(printed)", "count()"]) == [
        ["-", "2"], ["0", "1"], ["1", "1"], ["22", "1"], ["23", "1"],
      ])
  }

  @Test func `PF-07: values of every type, and objects with their own entity`() throws {
    let uuid = UUID()
    try library.save { changes in
      changes.inserts.append(try library.insert("Writer", 1, ["name": .string("é")]))
      changes.inserts.append(
        try library.insert(
          "Book", 1,
          [
            "title": .string("a"), "number": .uuid(uuid), "cover": .data(Data([1, 2])),
            "isLent": .boolean(true), "page": .url(URL(filePath: "/a")),
          ]))
      changes.links.append(try library.link(("Book", 1), "author", ("Writer", 1)))
    }
    #expect(
      try rows(["author", "author.name", "number", "cover", "isLent", "page", "shelf"]) == [
        ["Writer 1", "\"é\"", uuid.uuidString, "2 bytes", "true", "<file:///a>", "-"]
      ])
  }
}
