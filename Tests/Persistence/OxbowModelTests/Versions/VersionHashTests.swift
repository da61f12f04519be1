import OxbowModel
import Testing

/// PM-07: a golden value that changes makes every store in the world need a migration.
@Suite struct VersionHashTests {
  private var book: EntityDescription {
    EntityDescription(
      "Book", parent: "Item",
      attributes: [
        AttributeDescription("title", .string),
        AttributeDescription("pages", .integer32, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("author", to: "Author", inverse: "books"),
        RelationshipDescription("tags", to: "Tag", isToMany: true, isOrdered: true),
      ],
      uniquenessConstraints: [["title", "pages"]],
      fetchIndexes: [FetchIndexDescription("byTitle", elements: [.init("title")])])
  }

  private func changed(_ change: (inout EntityDescription) -> Void) -> String {
    var entity = book
    change(&entity)
    return entity.versionHash
  }

  @Test func `hashes keep their value`() {
    #expect(
      EntityDescription("A").versionHash
        == "04cb03b702442b2a500237e01d77a472775116acb01e0140e3022d3164e66cff")
    #expect(
      book.versionHash == "6db3ea6d5c2401100f9617cc978c2e5d814603cecc3cd6e522b8d7ee33e9b668")
    #expect(
      ManagedObjectModel(entities: [book, EntityDescription("Item")]).versionHash
        == "624981af6a405e7dea97a1d7d9a3b97077ef9072e76d6e0d15d75b7aca19109b")
  }

  @Test func `the order of declarations does not count`() {
    #expect(
      changed {
        $0.attributes.reverse()
        $0.relationships.reverse()
        $0.uniquenessConstraints = [["pages", "title"]]
      } == book.versionHash)
    let other = EntityDescription("Item")
    #expect(
      ManagedObjectModel(entities: [book, other]).versionHash
        == ManagedObjectModel(entities: [other, book]).versionHash)
  }

  @Test func `what changes no storage does not count`() {
    #expect(
      changed {
        $0.className = "X"
        $0.userInfo = ["a": "b"]
        $0.renamingIdentifier = "Tome"
        $0.attributes[0].defaultValue = .string("x")
        $0.attributes[0].rules.maximumLength = 3
        $0.attributes[0].renamingIdentifier = "name"
        $0.attributes[0].userInfo = ["a": "b"]
        $0.attributes.append(AttributeDescription("t", .undefined, isTransient: true))
        $0.relationships[0].deleteRule = .cascade
        $0.relationships[1].minimumCount = 1
        $0.relationships[1].maximumCount = 9
        $0.relationships[1].isOptional = false
      } == book.versionHash)
    #expect(
      ManagedObjectModel(entities: [book], versionIdentifiers: ["2"]).versionHash
        == ManagedObjectModel(entities: [book]).versionHash)
  }

  @Test func `everything that changes storage counts`() {
    let changes: [(inout EntityDescription) -> Void] = [
      { $0.name = "Tome" }, { $0.parent = nil }, { $0.parent = "Thing" }, { $0.isAbstract = true },
      { $0.versionHashModifier = "2" }, { $0.attributes[0].name = "name" },
      { $0.attributes[0].type = .uri }, { $0.attributes[0].isOptional = true },
      { $0.attributes[0].isTransient = true }, { $0.attributes[0].versionHashModifier = "2" },
      { $0.relationships[0].destination = "Person" }, { $0.relationships[0].inverse = nil },
      { $0.relationships[0].isOptional = false }, { $0.relationships[0].isToMany = true },
      { $0.relationships[0].versionHashModifier = "2" }, { $0.relationships[1].isOrdered = false },
      { $0.uniquenessConstraints = [] }, { $0.uniquenessConstraints = [["title"], ["pages"]] },
      { $0.fetchIndexes[0].elements[0].isAscending = false }, { $0.fetchIndexes[0].name = "x" },
      { $0.attributes.removeLast() }, { $0.relationships.removeLast() },
    ]
    let hashes = changes.map(changed)
    #expect(Set(hashes).count == changes.count)
    #expect(!hashes.contains(book.versionHash))
  }

  @Test func `names cannot imitate each other's places`() {
    let a = EntityDescription("A", attributes: [AttributeDescription("x 6:String", .string)])
    let b = EntityDescription("A", attributes: [AttributeDescription("x", .string)])
    #expect(a.versionHash != b.versionHash)
  }
}
