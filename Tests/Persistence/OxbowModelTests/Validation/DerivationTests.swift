import OxbowModel
import Testing

@Suite struct DerivationTests {
  private func problem(
    _ derivation: String, _ type: AttributeType = .string, isTransient: Bool = false,
    constraint: [[String]] = []
  ) -> String? {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Book",
        attributes: [
          AttributeDescription("title", .string),
          AttributeDescription("pages", .integer32),
          AttributeDescription("cache", .string, isTransient: true),
          AttributeDescription("other", .string, derivation: "uppercase:(title)"),
          AttributeDescription("d", type, isTransient: isTransient, derivation: derivation),
        ],
        relationships: [
          RelationshipDescription("author", to: "Author", inverse: "books"),
          RelationshipDescription("tags", to: "Author", isToMany: true),
        ], uniquenessConstraints: constraint),
      EntityDescription(
        "Author", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)
        ]),
    ])
    do throws(PersistenceError) {
      try model.validate()
      return nil
    } catch { return error.description }
  }

  private static let subject = "attribute 'd' of entity 'Book' is derived from "

  @Test func `every form of a derivation is accepted (PM-01)`() {
    let forms: [(String, AttributeType)] = [
      ("now()", .date), ("now()", .double), ("title", .string), ("author.name", .string),
      ("pages", .integer64), ("canonical:(title)", .string),
      ("lowercase:( author.name )", .string), ("uppercase:(title)", .string),
      ("tags.@count", .integer16),
    ]
    for (text, type) in forms { #expect(problem(text, type) == nil, "\(text)") }
    #expect(problem("tags.@count", .integer32) == nil)
  }

  @Test func `a derivation that no store can compute is named (PM-01)`() {
    let texts = [
      "", "tags.@max", "author.books.@count", "capitalized:(title)", "canonical:title",
      "title + title", "author..name",
    ]
    for text in texts {
      #expect(
        problem(text)
          == "\(Self.subject)'\(text)', which no store can compute; the forms are 'now()', 'name', "
          + "'author.name', 'canonical:(name)', 'lowercase:(name)', 'uppercase:(name)', "
          + "'books.@count' and 'books.pages.@sum'")
    }
  }

  @Test func `a derivation that does not fit its model says why (PM-01)`() {
    let cases: [(String, AttributeType, String)] = [
      ("now()", .string, ", a moment, and has the type String; make it Date or Double"),
      (
        "tags.@count", .string,
        ", a number of objects, and has the type String; make it an integer type"
      ),
      ("titel", .string, ", and 'titel' is not an attribute of 'Book'\n  did you mean: 'title'?"),
      (
        "autor.name", .string,
        ", and 'autor' is not a relationship of 'Book'\n  did you mean: 'author'?"
      ),
      (
        "tags.name", .string,
        ", and 'tags' of 'Book' leads to many objects; take its '@count' or '@sum'"
      ),
      (
        "author.@count", .integer64,
        ", and 'author' of 'Book' leads to one object; '@count' and '@sum' need one to many"
      ),
      (
        "tags.name.@sum", .integer64,
        ", a sum of String, and has the type Integer 64; numbers can be summed, to a type of their "
          + "kind"
      ),
      (
        "pages", .integer16,
        ", which is Integer 32, and has the type Integer 16; make it Integer 32"
      ),
      ("canonical:(pages)", .string, ", a form of a text; both have to be of type String"),
      ("cache", .string, ", and 'cache' is transient: the store does not have it"),
      (
        "other", .string,
        ", and 'other' is derived itself; write what it is made of: 'uppercase:(title)'"
      ),
    ]
    for (text, type, message) in cases {
      #expect(problem(text, type) == "\(Self.subject)'\(text)'\(message)")
    }
    #expect(
      problem("title", isTransient: true)
        == "\(Self.subject)'title' and is transient; a value in memory only has no source")
  }

  @Test func `a uniqueness constraint does not name a derived attribute (PM-01)`() {
    #expect(
      problem("title", constraint: [["d"]])
        == "the uniqueness constraint of entity 'Book' names 'd', which is derived; the store "
        + "computes it after the values of a save were compared: name what it is made of")
  }

  @Test func `the version of a model covers what an attribute is derived from (PM-01)`() {
    func hash(_ derivation: String?) -> String {
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("s", .string),
          AttributeDescription("d", .string, derivation: derivation),
        ]
      ).versionHash
    }
    #expect(Set([hash(nil), hash("s"), hash("uppercase:(s)")]).count == 3)
  }
}
