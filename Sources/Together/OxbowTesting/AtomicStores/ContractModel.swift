internal import OxbowRuntime

/// The model that stores are tested with: every type of an attribute, and relationships of every
/// kind.
enum ContractModel {
  static let model = ManagedObjectModel(entities: [
    thing, EntityDescription("Special", parent: "Thing", attributes: [text("note")]),
    item, leaf, branch, tag, passport,
  ])

  /// The same entities, one of which keeps something else.
  static let other = ManagedObjectModel(
    entities: model.entities.map { entity in
      guard entity.name == "Tag" else { return entity }
      var entity = entity
      entity.attributes.append(text("colour"))
      return entity
    })

  private static func text(_ name: String) -> AttributeDescription {
    AttributeDescription(name, .string, isOptional: true)
  }

  private static let types: [(String, AttributeType)] = [
    ("integer16", .integer16), ("integer32", .integer32), ("integer64", .integer64),
    ("decimal", .decimal), ("double", .double), ("float", .float), ("string", .string),
    ("boolean", .boolean), ("date", .date), ("data", .binaryData), ("uuid", .uuid), ("url", .uri),
    ("transformable", .transformable),
  ]

  private static let thing = EntityDescription(
    "Thing",
    attributes: types.map { AttributeDescription($0.0, $0.1, isOptional: true) } + [
      AttributeDescription("title", .string),
      AttributeDescription("count", .integer64, defaultValue: .integer(0)),
      AttributeDescription(
        composite: "place", of: "Place", isOptional: true,
        elements: [
          AttributeDescription("x", .double, isOptional: true),
          AttributeDescription("name", .string, isOptional: true),
        ]),
    ],
    relationships: [
      RelationshipDescription("parent", to: "Thing", inverse: "children"),
      RelationshipDescription("children", to: "Thing", inverse: "parent", isToMany: true),
      RelationshipDescription("tags", to: "Tag", inverse: "things", isToMany: true),
    ])

  private static let item = EntityDescription(
    "Item", isAbstract: true, attributes: [text("name")],
    relationships: [
      RelationshipDescription("branch", to: "Branch", inverse: "items"),
      RelationshipDescription("friends", to: "Item", inverse: "friends", isToMany: true),
    ])

  private static let leaf = EntityDescription(
    "Leaf", parent: "Item",
    relationships: [
      RelationshipDescription(
        "labels", to: "Tag", inverse: "leaves", isToMany: true, isOrdered: true),
      RelationshipDescription("passport", to: "Passport", inverse: "leaf"),
      RelationshipDescription("twin", to: "Leaf", inverse: "twin"),
      RelationshipDescription("seen", to: "Tag", isToMany: true),
      RelationshipDescription("favourite", to: "Tag"),
    ])

  private static let branch = EntityDescription(
    "Branch", parent: "Item",
    relationships: [
      RelationshipDescription(
        "items", to: "Item", inverse: "branch", isToMany: true, isOrdered: true)
    ])

  private static let tag = EntityDescription(
    "Tag", attributes: [text("word")],
    relationships: [
      RelationshipDescription("things", to: "Thing", inverse: "tags", isToMany: true),
      RelationshipDescription(
        "leaves", to: "Leaf", inverse: "labels", isToMany: true, isOrdered: true),
    ])

  private static let passport = EntityDescription(
    "Passport", attributes: [text("number")],
    relationships: [RelationshipDescription("leaf", to: "Leaf", inverse: "passport")])

  /// Whether a relationship has an order.
  static func isOrdered(_ name: String) -> Bool { ["labels", "leaves", "items"].contains(name) }
}
