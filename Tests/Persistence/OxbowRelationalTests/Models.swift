import OxbowModel
import OxbowRelational
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model with one of each: attributes, all kinds of relationships, inheritance, indexes.
func libraryModel() -> ManagedObjectModel {
  ManagedObjectModel(entities: [
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("pages", .integer32),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("printed", .date, isOptional: true),
        AttributeDescription("isLent", .boolean), AttributeDescription("weight", .double),
        AttributeDescription("number", .uuid, isOptional: true),
        AttributeDescription("cover", .binaryData, isOptional: true),
        AttributeDescription("page", .uri, isOptional: true),
        AttributeDescription("scratch", .undefined, isTransient: true),
      ],
      relationships: [
        RelationshipDescription("author", to: "Person", inverse: "books"),
        RelationshipDescription(
          "tags", to: "Tag", inverse: "books", isToMany: true, isOrdered: true),
        RelationshipDescription("shelf", to: "Shelf", inverse: "books", isOptional: false),
      ],
      uniquenessConstraints: [["number"]],
      fetchIndexes: [
        FetchIndexDescription(
          "byTitle", elements: [.init("title"), .init("pages", isAscending: false)])
      ]),
    EntityDescription(
      "Person", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
        RelationshipDescription("spouse", to: "Person", inverse: "spouseOf"),
        RelationshipDescription("spouseOf", to: "Person", inverse: "spouse"),
      ]),
    EntityDescription(
      "Reader", parent: "Person",
      attributes: [
        AttributeDescription("card", .integer64), AttributeDescription("note", .string),
      ], uniquenessConstraints: [["card"]]),
    EntityDescription(
      "Writer", parent: "Person",
      attributes: [AttributeDescription("Note", .integer16, isOptional: true)]),
    EntityDescription(
      "Shelf", attributes: [AttributeDescription("rowid", .string)],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "shelf", isToMany: true, isOrdered: true)
      ]),
    EntityDescription(
      "Tag", attributes: [AttributeDescription("label", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true),
        RelationshipDescription("related", to: "Tag", isToMany: true),
      ]),
  ])
}

func libraryMapping() throws -> StoreMapping {
  PlainLayout.mapping(of: try CompiledModel(libraryModel()))
}

let storeID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
