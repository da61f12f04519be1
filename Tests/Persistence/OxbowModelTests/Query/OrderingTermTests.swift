import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct OrderingTermTests {
  private func objects(_ property: String, _ values: [AttributeValue?]) throws -> [MemoryObject] {
    try values.enumerated().map { index, value in
      try MemoryObject("Person", Int64(index), value.map { [property: $0] } ?? [:])
    }
  }

  private func keys(_ sortKeys: [OrderingTerm], _ objects: [MemoryObject]) throws -> [Int64] {
    try sortKeys.sort(objects).map(\.predicateID.key)
  }

  @Test func `no value comes first, then numbers by size; descending turns it round`() throws {
    let people = try objects("age", [.integer(5), nil, .integer(-1), .integer(5)])
    #expect(try keys([OrderingTerm("age")], people) == [1, 2, 0, 3])
    #expect(try keys([OrderingTerm("age", ascending: false)], people) == [0, 3, 2, 1])
  }

  @Test func `text is sorted by bytes`() throws {
    let people = try objects(
      "name", ["b", "B", "é", "", "a", "zz", "e\u{301}"].map { .string($0) })
    #expect(try keys([OrderingTerm("name")], people) == [3, 1, 4, 0, 6, 5, 2])
  }

  @Test func `false comes before true and NaN is not a value`() throws {
    #expect(
      try keys(
        [OrderingTerm("isActive")], objects("isActive", [.boolean(true), nil, .boolean(false)]))
        == [1, 2, 0])
    #expect(
      try keys([OrderingTerm("height")], objects("height", [.double(1), .double(.nan), nil]))
        == [1, 2, 0])
  }

  @Test func `decimals are sorted by size, not as text`() throws {
    #expect(
      try keys(
        [OrderingTerm("salary")], objects("salary", [.decimal(10), .decimal(9), .decimal(-1)]))
        == [2, 1, 0])
  }

  @Test func `later keys decide among equals, the object key last`() throws {
    let people = try objects("age", [.integer(1), .integer(1), .integer(0)])
    people[0].values["name"] = .string("b")
    people[1].values["name"] = .string("a")
    #expect(try keys([OrderingTerm("age"), OrderingTerm("name")], people) == [2, 1, 0])
    #expect(try keys([], people.reversed()) == [0, 1, 2])
  }

  @Test func `a path leads through to-one relationships and must end at an attribute`() throws {
    let people = try objects("age", [nil, nil, nil])
    people[0].one["team"] = try MemoryObject("Team", 1, ["title": .string("b")])
    people[2].one["team"] = try MemoryObject("Team", 2, ["title": .string("a")])
    #expect(try keys([OrderingTerm("team.title")], people) == [1, 2, 0])
    let error = #expect(throws: PersistenceError.self) { try keys([OrderingTerm("team")], people) }
    #expect(error?.message == "'team' cannot be sorted by: it is not an attribute")
  }
}
