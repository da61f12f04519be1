import FoundationEssentials
import OxbowDocuments
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct ModelWriterTests {
  @Test func `a model with everything is read back as it was`() throws {
    let author = EntityDescription(
      "Author", className: "Catalog.Author",
      attributes: [
        AttributeDescription(
          "born", .date, isOptional: true,
          defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0.1)),
          rules: AttributeRules(minimum: .date(Date(timeIntervalSinceReferenceDate: -5)))),
        AttributeDescription(
          "name", .string, defaultValue: .string("<\"&'\n>"), renamingIdentifier: "title",
          rules: AttributeRules(minimumLength: 1, maximumLength: 20, pattern: "[^0-9]*"),
          userInfo: ["a": "b"]),
        AttributeDescription("rank", .integer16, defaultValue: .integer(-3)),
        AttributeDescription("isAlive", .boolean, defaultValue: .boolean(true)),
        AttributeDescription("price", .decimal, defaultValue: .decimal(Decimal(12.5))),
        AttributeDescription("weight", .double, defaultValue: .double(0.1)),
        AttributeDescription(
          "token", .uuid,
          defaultValue: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
        AttributeDescription("shade", .undefined, isTransient: true),
        AttributeDescription("upper", .string, isOptional: true, derivation: "uppercase:(name)"),
      ],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "author", isToMany: true, isOrdered: true,
          deleteRule: .cascade, minimumCount: 1, maximumCount: 9, versionHashModifier: "x")
      ],
      uniquenessConstraints: [["name"], ["rank", "token"]],
      fetchIndexes: [
        FetchIndexDescription(
          "byRank", elements: [.init("rank", isAscending: false), .init("name")])
      ], renamingIdentifier: "Writer", versionHashModifier: "2", userInfo: ["k": "v"])
    let book = EntityDescription(
      "Book", isAbstract: true,
      relationships: [
        RelationshipDescription("author", to: "Author", inverse: "books", isOptional: false)
      ])
    let novel = EntityDescription("Novel", parent: "Book")
    let model = ManagedObjectModel(
      entities: [author, book, novel], versionIdentifiers: ["one"])
    let text = try ModelWriter.document(model)
    let read = try ModelDocument(Array(text.utf8), file: "test")
    #expect(read.model == model)
    #expect(read.model.versionHash == model.versionHash)
    #expect(try ModelWriter.document(read.model) == text)
  }

  @Test func `a character that no document can hold is refused`() {
    let model = ManagedObjectModel(entities: [EntityDescription("A", userInfo: ["k": "\u{1}"])])
    #expect(throws: DocumentError.self) { try ModelWriter.document(model) }
    let error = #expect(throws: PersistenceError.self) { try ModelWriter.text(model) }
    #expect(error?.message.contains("U+1 is not allowed in an XML document") == true)
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `every sample is read back as it was`() throws {
    let paths = Samples.paths(below: "models") { $0.hasSuffix("/contents") }
    #expect(paths.count > 100)
    for path in paths {
      let model = try ModelDocument(contentsOf: path).model
      let text = try ModelWriter.document(model)
      #expect(try ModelDocument(Array(text.utf8), file: path).model == model, "\(path)")
    }
  }
}
