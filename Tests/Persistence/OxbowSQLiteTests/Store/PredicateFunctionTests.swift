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

/// PF-08: what SQL has no words for is a function of the driver.
@Suite struct PredicateFunctionTests {
  let library: Library

  init() throws { library = try Library(.inMemory) }

  private func keys(_ format: String, _ arguments: (any FetchArgument)?...) throws -> [Int64] {
    try library.keys("Shelf", try FetchPredicate(format: format, arguments: arguments)).sorted()
  }

  private func put(_ prices: [String?], on shelf: Int64) throws {
    try library.save { changes in
      changes.inserts.append(try library.insert("Shelf", shelf, ["label": .string("a\0É")]))
      for (index, price) in prices.enumerated() {
        let key = shelf * 100 + Int64(index)
        var values: [String: AttributeValue] = ["isLent": .boolean(index == 0)]
        if let price, let number = Decimal(string: price) { values["price"] = .decimal(number) }
        changes.inserts.append(try library.insert("Book", key, values))
        changes.links.append(
          try library.link(("Book", key), "shelf", ("Shelf", shelf), ownerAt: Int64(index)))
      }
    }
  }

  @Test func `PF-08 sums and averages of decimal numbers are exact`() throws {
    try put(["0.1", "0.2", nil], on: 1)
    try put(["100000000000000000000000000000", "0.00000001"], on: 2)
    try put([], on: 3)
    #expect(try keys("books.@sum.price == 0.3") == [1])
    #expect(try keys("books.@sum.price == %@", Decimal(3) / 10) == [1])
    #expect(try keys("books.@avg.price == 0.15") == [1])
    #expect(
      try keys("sum(books.price) == decimal('100000000000000000000000000000.00000001')") == [2])
    #expect(try keys("books.@sum.price == 0 AND books.@max.price == nil") == [3])
    #expect(try keys("books.@max.price > books.@min.price") == [1, 2])
  }

  @Test func `PF-08 a sum that cannot be exact is an error`() throws {
    let large = "99999999999999999999999999999999999999"
    try put([large, large], on: 1)
    let error = errorOf { _ = try keys("books.@sum.price > 1") }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message == "the sum or the average of decimal numbers needs more than 38 digits; sum "
        + "fewer objects, or numbers of similar size")
  }

  @Test func `PF-08 a sum that is not a whole number of 64 bits is an error`() throws {
    try put(["1", "2"], on: 1)
    try library.save { changes in
      for key in [100, 101] as [Int64] {
        changes.updates.append(try library.update("Book", key, 1, ["copies": .integer(.max)]))
      }
    }
    let error = errorOf { _ = try keys("books.@sum.copies > 1") }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message
        == "a sum does not fit into a whole number of 64 bits; sum fewer objects, or take the average"
    )
  }

  @Test func `PF-08 a pattern that an object has and that is none is an error`() throws {
    try library.save { changes in
      changes.inserts.append(try library.insert("Shelf", 1, ["label": .string("(")]))
    }
    let error = errorOf { _ = try keys("'x' MATCHES label") }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains("'('") == true)
  }

  @Test func `PF-08 text behind a NUL character is searched`() throws {
    try put([], on: 1)
    #expect(try keys("label ENDSWITH[c] 'é' AND label CONTAINS[cd] 'E'") == [1])
    #expect(try keys("label LIKE '*É' AND label MATCHES '(?s)a.É'") == [1])
    #expect(try keys("label ==[cd] %@", "A\0e") == [1])
  }

  @Test func `PS-15 words are searched in a text, behind a NUL character too`() throws {
    try put(["1"], on: 1)
    #expect(try keys("label WORDS 'e a'") == [1])
    #expect(try keys("label WORDS 'É* NOT b' AND NOT label WORDS 'b'") == [1])
    #expect(try keys("ANY books.title WORDS 'x'") == [])
    #expect(try keys("label WORDS %@", "") == [])
    #expect(try keys("label WORDS %@", nil) == [])
    #expect(try keys("label WORDS label") == [1])
  }

  @Test func `PS-15 a search that an object has and that cannot be read is an error`() throws {
    try library.save { changes in
      changes.inserts.append(try library.insert("Shelf", 1, ["label": .string("a OR")]))
    }
    let error = errorOf { _ = try keys("label WORDS label") }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains("the search cannot be read at column 5") == true)
  }

  @Test func `PF-08 a truth value equals 1 and 0`() throws {
    try put(["1", "2"], on: 1)
    #expect(try keys("SUBQUERY(books, $b, $b.isLent == 1).@count == 1") == [1])
    #expect(try keys("ANY books.isLent = 0 AND ANY books.isLent IN {1, 2}") == [1])
    let error = errorOf { _ = try keys("ANY books.isLent > 0") }
    #expect(error?.message == "a truth value has no order: '>' needs one")
  }
}
