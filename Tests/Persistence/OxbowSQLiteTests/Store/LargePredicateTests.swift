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

/// Conditions and orders at and beyond what SQLite can take (review C6, E).
@Suite struct LargePredicateTests {
  let library: Library

  init() throws {
    library = try Library(.inMemory)
    try library.save { changes in
      changes.inserts = try (1...20).map {
        try library.insert("Tag", $0, ["label": .string("label \($0)")])
      }
    }
  }

  private func label(_ number: Int) -> FetchPredicate { .equal("label", "label \(number)") }

  // MARK: Many parts

  @Test(arguments: [1001, 10_000])
  func `a condition of many parts is answered`(count: Int) throws {
    #expect(try library.keys("Tag", .or((0..<count).map(label))).sorted() == Array(1...20))
    #expect(
      try library.keys("Tag", .and((0..<count).map { .notEqual("label", "x\($0)") })).count == 20)
    #expect(try library.keys("Tag", !.or((0..<count).map(label))).isEmpty)
  }

  @Test func `conditions within each other are answered`() throws {
    var nots = label(1)
    for _ in 0..<198 { nots = !nots }
    #expect(try library.keys("Tag", nots) == [1])
    var mixed = label(1)
    for number in 0..<35 {
      mixed = .or([label(2), .and([.notEqual("label", "x\(number)"), mixed])])
    }
    #expect(try library.keys("Tag", mixed).sorted() == [1, 2])
  }

  @Test func `what is too deep for SQLite is refused in words about the condition`() throws {
    var chosen = FetchExpression.path(["label"])
    for _ in 0..<60 {
      chosen = .conditional(label(1), .path(["label"]), .coalesced(chosen, .path(["label"])))
    }
    let error = errorOf {
      _ = try library.keys("Tag", .comparison(chosen, .notEqual, .value(.null)))
    }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.hasPrefix("the condition is nested too deeply for SQLite: ") == true)
  }

  // MARK: Order

  @Test func `sixty keys through relationships sort, and more are refused`() throws {
    let library = try Library(.inMemory)
    try library.save {
      $0.inserts = try (1...3).map {
        try library.insert("Writer", $0, ["name": .string("\($0)")])
      }
      $0.links = [try library.link(("Writer", 2), "mentor", ("Writer", 1))]
    }
    var fetch = try library.fetch("Writer")
    fetch.sortKeys = (0..<60).map { OrderingTerm(String(repeating: "mentor.", count: $0) + "name") }
    #expect(library.keys(try library.store.rows(of: fetch)) == [1, 2, 3])
    fetch.sortKeys += fetch.sortKeys.map {
      OrderingTerm($0.path.joined(separator: "."), ascending: false)
    }
    #expect(library.keys(try library.store.rows(of: fetch)) == [1, 2, 3])
    fetch.sortKeys = (0..<70).map { OrderingTerm(String(repeating: "mentor.", count: $0) + "name") }
    let error = errorOf { _ = try library.store.rows(of: fetch) }
    #expect(error?.code == .invalidPredicate)
  }

  // MARK: Long lists

  /// Numbers of all magnitudes, the smallest and the largest included.
  private func numbers(_ count: Int) -> [Double] {
    var bits: UInt64 = 88_172_645_463_325_252
    var numbers: [Double] = [
      0, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1, 1.0 / 3,
    ]
    while numbers.count < count {
      bits ^= bits << 13
      bits ^= bits >> 7
      bits ^= bits << 17
      let number = Double(bitPattern: bits)
      if number.isFinite { numbers.append(number) }
    }
    return numbers
  }

  @Test func `a long list of numbers finds each of them and nothing else`() throws {
    let numbers = numbers(1500)
    let library = try Library(.inMemory)
    try library.save { changes in
      for (index, number) in numbers.enumerated() {
        changes.inserts.append(
          try library.insert("Book", Int64(2 * index + 1), ["weight": .double(number)]))
        changes.inserts.append(
          try library.insert("Book", Int64(2 * index + 2), ["weight": .double(number.nextUp)]))
      }
    }
    let wanted = numbers.filter { $0.bitPattern % 3 != 0 } + Array(repeating: 7.5, count: 1000)
    let predicate = FetchPredicate.oneOf("weight", wanted)
    let set = Set(wanted)
    var expected: [Int64] = []
    for (index, number) in numbers.enumerated() {
      if set.contains(number) { expected.append(Int64(2 * index + 1)) }
      if set.contains(number.nextUp) { expected.append(Int64(2 * index + 2)) }
    }
    #expect(try library.keys("Book", predicate).sorted() == expected)
  }

  @Test func `a long list of any type finds what it has`() throws {
    let ids = (0..<2000).map { _ in UUID() }
    let library = try Library(.inMemory)
    let one: [String: AttributeValue] = [
      "number": .uuid(ids[1500]), "title": .string("a\0b"), "cover": .data(Data()),
      "price": .decimal(Decimal(15) / 10), "pages": .integer(1200),
      "page": .url(URL(filePath: "/1300")),
      "printed": .date(Date(timeIntervalSinceReferenceDate: 0.1)),
    ]
    let two: [String: AttributeValue] = ["title": .string("a"), "cover": .data(Data([0]))]
    try library.save {
      $0.inserts = [try library.insert("Book", 1, one), try library.insert("Book", 2, two)]
    }
    let range = 0..<2000
    var lists: [FetchPredicate] = [.oneOf("number", ids)]
    lists.append(.oneOf("title", range.map { "\($0)" } + ["a\0b"]))
    lists.append(.oneOf("cover", range.map { Data("\($0)".utf8) } + [Data()]))
    lists.append(.oneOf("price", range.map { Decimal($0) / 10 }))
    lists.append(.oneOf("pages", range.dropFirst()))
    lists.append(.oneOf("pages", range.dropFirst().map { Decimal($0) }))
    lists.append(.oneOf("page", range.map { URL(filePath: "/\($0)") }))
    lists.append(
      .oneOf("printed", range.map { Date(timeIntervalSinceReferenceDate: Double($0) / 10) }))
    for list in lists {
      #expect(try library.keys("Book", list) == [1])
      #expect(try library.keys("Book", !list) == [2])
    }
  }
}
