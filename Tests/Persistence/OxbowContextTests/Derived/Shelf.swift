import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store of authors, books and tags, most of whose attributes are derived, without classes.
struct Shelf {
  let coordinator: PersistentStoreCoordinator

  static let model = ManagedObjectModel(entities: [
    EntityDescription("Country", attributes: [AttributeDescription("name", .string)]),
    EntityDescription(
      "Author",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription(
          "canonical", .string, isOptional: true, derivation: "canonical:(name)"),
        AttributeDescription("upper", .string, isOptional: true, derivation: "uppercase:(name)"),
        AttributeDescription("lower", .string, isOptional: true, derivation: "lowercase:(name)"),
        AttributeDescription("bookCount", .integer16, derivation: "books.@count"),
        AttributeDescription("pages", .integer64, derivation: "books.pages.@sum"),
        AttributeDescription("price", .decimal, derivation: "books.price.@sum"),
        AttributeDescription("weight", .double, derivation: "books.weight.@sum"),
        AttributeDescription("saved", .date, isOptional: true, derivation: "now()"),
      ],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
        RelationshipDescription("country", to: "Country"),
      ]),
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("pages", .integer32, isOptional: true),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("weight", .float, isOptional: true),
        AttributeDescription("writer", .string, isOptional: true, derivation: "author.name"),
        AttributeDescription(
          "origin", .string, isOptional: true, derivation: "uppercase:(author.country.name)"),
        AttributeDescription("tagCount", .integer64, derivation: "tags.@count"),
      ],
      relationships: [
        RelationshipDescription("author", to: "Author", inverse: "books"),
        RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
      ]),
    EntityDescription(
      "Novel", parent: "Book",
      attributes: [
        AttributeDescription("genre", .string, isOptional: true),
        AttributeDescription("kind", .string, isOptional: true, derivation: "lowercase:(genre)"),
      ]),
    EntityDescription(
      "Tag",
      attributes: [
        AttributeDescription("weight", .integer16, isOptional: true),
        AttributeDescription("pages", .integer64, derivation: "books.pages.@sum"),
      ],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
      ]),
  ])

  init() throws {
    coordinator = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .inMemory)
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name, owner: .holder)
  }
}

extension ManagedObjectContext {
  /// All objects of an entity, in the order of their keys.
  func all(
    _ entity: String, where predicate: FetchPredicate? = nil,
    sortedBy keys: [SortKey<ManagedObject>] = []
  ) throws(PersistenceError) -> [ManagedObject] {
    try fetch(FetchRequest(entityNamed: entity, where: predicate, sortedBy: keys, offset: 0))
  }
}
