import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct AttributeRulesTests {
  private func texts(_ attribute: AttributeDescription, _ value: AttributeValue?) -> [String] {
    attribute.failures(for: value, of: "Book").map(\.message)
  }

  @Test func `a required attribute needs a value`() {
    #expect(
      texts(AttributeDescription("title", .string), nil)
        == ["'title' of 'Book' has no value, but needs one"])
    #expect(texts(AttributeDescription("title", .string, isOptional: true), nil) == [])
    #expect(texts(AttributeDescription("title", .string), .string("")) == [])
  }

  @Test func `all failures of a value are returned`() {
    let attribute = AttributeDescription(
      "title", .string, rules: AttributeRules(minimumLength: 3, maximumLength: 1))
    #expect(
      texts(attribute, .string("ab")) == [
        "'title' of 'Book' has 2 characters, fewer than 3",
        "'title' of 'Book' has 2 characters, more than 1",
      ])
  }

  @Test func `PM-01: a regular expression has to match the whole text`() {
    let code = AttributeDescription(
      "code", .string, isOptional: true, rules: AttributeRules(pattern: "[A-Z]{2}\\d+"))
    #expect(texts(code, .string("AB12")) == [])
    #expect(texts(code, nil) == [])
    #expect(
      texts(code, .string("AB12x")) == [
        "'code' of 'Book' is \"AB12x\", which the regular expression '[A-Z]{2}\\d+' does not match"
      ])
  }

  @Test func `PM-01: a pattern that is not a regular expression is a problem of the model`() {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("a", .string, rules: AttributeRules(pattern: "(")),
          AttributeDescription("b", .integer16, rules: AttributeRules(pattern: "1")),
        ])
    ])
    let error = #expect(throws: PersistenceError.self) { try model.validate() }
    #expect(
      error?.description == """
        the model has 2 problems
        - the pattern '(' of attribute 'a' of entity 'A' is not a regular expression; check its brackets
        - attribute 'b' of entity 'A' has a regular expression, which only texts can match
        """)
  }

  @Test func `bounds hold for numbers and dates`() {
    let pages = AttributeDescription(
      "pages", .integer32, rules: AttributeRules(minimum: .integer(1), maximum: .integer(9)))
    #expect(texts(pages, .integer(0)) == ["'pages' of 'Book' is 0, below the minimum 1"])
    #expect(texts(pages, .integer(10)) == ["'pages' of 'Book' is 10, above the maximum 9"])
    #expect(texts(pages, .integer(9)) == [])
    let date = AttributeDescription(
      "printed", .date,
      rules: AttributeRules(minimum: .date(Date(timeIntervalSinceReferenceDate: 0))))
    #expect(
      texts(date, .date(Date(timeIntervalSinceReferenceDate: -1)))
        == ["'printed' of 'Book' is 2000-12-31T23:59:59Z, below the minimum 2001-01-01T00:00:00Z"])
  }

  @Test func `a value has to fit its type and the store`() {
    #expect(
      texts(AttributeDescription("n", .integer16), .integer(40000))
        == ["'n' of 'Book' is 40000, which is not a value of type Integer 16"])
    #expect(
      texts(AttributeDescription("n", .string), .integer(1))
        == ["'n' of 'Book' is 1, which is not a value of type String"])
    #expect(
      texts(AttributeDescription("n", .double), .double(.nan))
        == ["'n' of 'Book' is nan, which no store can keep"])
    #expect(
      texts(AttributeDescription("n", .float), .double(1e300))
        == ["'n' of 'Book' is 1e+300, which no store can keep"])
    #expect(texts(AttributeDescription("n", .double), .double(.infinity)) == [])
  }

  @Test func `failures name the object`() {
    let id = Objects.id("Book", 1)
    let failure = AttributeDescription("n", .double).failures(for: nil, of: "Book", object: id)
    #expect(failure.map(\.objectIDs) == [[id]])
    #expect(failure.map(\.code) == [.validation])
  }

  @Test func `counts of relationships`() {
    func texts(_ relationship: RelationshipDescription, _ count: Int) -> [String] {
      relationship.failures(forCount: count, of: "Book").map(\.message)
    }
    let author = RelationshipDescription("author", to: "Person", isOptional: false)
    #expect(texts(author, 0) == ["'author' of 'Book' leads to no object of 'Person', but has to"])
    #expect(texts(author, 1) == [])
    let tags = RelationshipDescription(
      "tags", to: "Tag", isToMany: true, minimumCount: 2, maximumCount: 3)
    #expect(texts(tags, 0) == [])
    #expect(texts(tags, 1) == ["'tags' of 'Book' leads to 1 objects of 'Tag', fewer than 2"])
    #expect(texts(tags, 4) == ["'tags' of 'Book' leads to 4 objects of 'Tag', more than 3"])
  }
}
