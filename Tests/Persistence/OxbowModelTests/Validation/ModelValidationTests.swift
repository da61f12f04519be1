import OxbowModel
import Testing

@Suite struct ModelValidationTests {
  private func error(_ entities: [EntityDescription]) -> String {
    do throws(PersistenceError) {
      try ManagedObjectModel(entities: entities).validate()
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `a model without problems is valid`() {
    let base = EntityDescription(
      "Item", isAbstract: true, attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true)])
    let book = EntityDescription(
      "Book", parent: "Item",
      attributes: [AttributeDescription("note", .undefined, isTransient: true)],
      uniquenessConstraints: [["name"]],
      fetchIndexes: [FetchIndexDescription("byName", elements: [.init("name")])])
    let tag = EntityDescription(
      "Tag",
      relationships: [RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)]
    )
    #expect(error([base, book, tag]) == "no error")
  }

  @Test func `an inverse may lead to an entity below`() {
    let base = EntityDescription(
      "Item", relationships: [RelationshipDescription("tag", to: "Tag", inverse: "items")])
    let book = EntityDescription("Book", parent: "Item")
    let tag = EntityDescription(
      "Tag",
      relationships: [RelationshipDescription("items", to: "Book", inverse: "tag", isToMany: true)])
    #expect(error([base, book, tag]) == "no error")
  }

  @Test(arguments: [
    (
      [EntityDescription("A"), EntityDescription("A")], "entity 'A' is declared twice in the model"
    ),
    (
      [EntityDescription("Ab"), EntityDescription("AB")],
      "the names of entity 'AB' and 'Ab' in the model differ only in case; no store can keep both"
    ),
    ([EntityDescription("")], "entity has an empty name"),
    (
      [EntityDescription("_A")],
      "the name of entity '_A' is not usable; a name begins with a letter and goes on with letters, digits and \"_\""
    ),
    (
      [EntityDescription("A", attributes: [AttributeDescription("a.b", .string)])],
      "the name of property 'a.b' is not usable; a name begins with a letter and goes on with letters, digits and \"_\""
    ),
    (
      [EntityDescription("A", parent: "Itm"), EntityDescription("Item")],
      "the parent 'Itm' of entity 'A' does not exist\n  did you mean: 'Item'?"
    ),
    ([EntityDescription("A", parent: "A")], "entity 'A' inherits from itself: 'A' → 'A'"),
    (
      [
        EntityDescription(
          "A",
          attributes: [AttributeDescription("x", .string), AttributeDescription("x", .string)])
      ], "property 'x' is declared twice in entity 'A'"
    ),
    (
      [
        EntityDescription("A", attributes: [AttributeDescription("x", .string)]),
        EntityDescription("B", parent: "A", attributes: [AttributeDescription("X", .string)]),
      ], "property 'X' of entity 'B' is declared by its parent 'A' already"
    ),
    (
      [EntityDescription("A", attributes: [AttributeDescription("x", .undefined)])],
      "attribute 'x' of entity 'A' has no type; only a transient attribute can do without"
    ),
    (
      [
        EntityDescription(
          "A", attributes: [AttributeDescription("x", .integer16, defaultValue: .integer(40000))])
      ], "the default value 40000 of attribute 'x' of entity 'A' is not a value of type Integer 16"
    ),
    (
      [
        EntityDescription(
          "A",
          attributes: [
            AttributeDescription(
              "x", .double, rules: AttributeRules(minimum: .double(2), maximum: .double(1)))
          ])
      ], "the minimum 2.0 of attribute 'x' of entity 'A' is above its maximum 1.0"
    ),
    (
      [
        EntityDescription(
          "A",
          attributes: [
            AttributeDescription(
              "x", .string, rules: AttributeRules(minimumLength: 2, maximumLength: 1))
          ])
      ], "the smallest length 2 of attribute 'x' of entity 'A' is above its largest 1"
    ),
    (
      [
        EntityDescription(
          "A",
          attributes: [
            AttributeDescription("x", .string, renamingIdentifier: "o"),
            AttributeDescription("y", .string, renamingIdentifier: "o"),
          ])
      ],
      "'x' and 'y' of entity 'A' have the same renaming identifier 'o'; one name before can become only one name after"
    ),
    (
      [EntityDescription("Team", relationships: [RelationshipDescription("r", to: "Taem")])],
      "the destination 'Taem' of relationship 'r' of entity 'Team' does not exist; where a class is the entity's, pass the class among the types\n  did you mean: 'Team'?"
    ),
    (
      [
        EntityDescription(
          "A",
          relationships: [
            RelationshipDescription("r", to: "A", inverse: "bak"),
            RelationshipDescription("back", to: "A"),
          ])
      ],
      "the inverse 'bak' of relationship 'r' of entity 'A' is not a relationship of 'A'\n  did you mean: 'back'?"
    ),
    (
      [
        EntityDescription(
          "A",
          relationships: [
            RelationshipDescription("r", to: "A", inverse: "back"),
            RelationshipDescription("back", to: "A"),
          ])
      ],
      "relationship 'r' of entity 'A' has the inverse 'back' of 'A', but that one has no inverse; name 'r' as the inverse there, or leave both out"
    ),
    (
      [
        EntityDescription(
          "A", relationships: [RelationshipDescription("r", to: "B", inverse: "back")]),
        EntityDescription(
          "B", relationships: [RelationshipDescription("back", to: "C", inverse: "r")]),
        EntityDescription(
          "C", relationships: [RelationshipDescription("r", to: "B", inverse: "back")]),
      ],
      "relationship 'r' of entity 'A' has the inverse 'back' of 'B', but that one leads to 'C'"
    ),
    (
      [
        EntityDescription(
          "A", relationships: [RelationshipDescription("r", to: "A", isOrdered: true)])
      ], "relationship 'r' of entity 'A' is ordered, but leads to one object only"
    ),
    (
      [
        EntityDescription(
          "A",
          relationships: [
            RelationshipDescription("r", to: "A", isToMany: true, minimumCount: 3, maximumCount: 2)
          ])
      ], "the smallest count 3 of relationship 'r' of entity 'A' is above its largest 2"
    ),
    (
      [
        EntityDescription(
          "A", attributes: [AttributeDescription("name", .string)],
          uniquenessConstraints: [["nam"]])
      ],
      "the uniqueness constraint of entity 'A' names 'nam', which is not a property of it\n  did you mean: 'name'?"
    ),
    (
      [EntityDescription("A", uniquenessConstraints: [[]])],
      "a uniqueness constraint of entity 'A' names nothing"
    ),
    (
      [
        EntityDescription(
          "A", relationships: [RelationshipDescription("r", to: "A", isToMany: true)],
          fetchIndexes: [FetchIndexDescription("i", elements: [.init("r")])])
      ], "fetch index 'i' of entity 'A' names 'r', which is a to-many relationship"
    ),
    (
      [
        EntityDescription(
          "A", attributes: [AttributeDescription("x", .string, isTransient: true)],
          fetchIndexes: [FetchIndexDescription("i", elements: [.init("x")])])
      ], "fetch index 'i' of entity 'A' names 'x', which is transient"
    ),
    (
      [EntityDescription("A", fetchIndexes: [FetchIndexDescription("i", elements: [])])],
      "fetch index 'i' of entity 'A' covers nothing"
    ),
  ])
  func `a problem is named`(entities: [EntityDescription], expected: String) {
    #expect(error(entities) == expected)
  }

  @Test func `a circle of parents is reported for each entity in it and does not hang`() {
    #expect(
      error([
        EntityDescription("A", parent: "B"), EntityDescription("B", parent: "C"),
        EntityDescription("C", parent: "A"), EntityDescription("D", parent: "A"),
      ]) == """
        the model has 3 problems
        - entity 'A' inherits from itself: 'A' → 'B' → 'C' → 'A'
        - entity 'B' inherits from itself: 'B' → 'C' → 'A' → 'B'
        - entity 'C' inherits from itself: 'C' → 'A' → 'B' → 'C'
        """)
  }

  @Test func `a transient relationship is left out where stores work`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A", attributes: [AttributeDescription("t", .string)],
        relationships: [
          RelationshipDescription("r", to: "A", inverse: "s", isTransient: true),
          RelationshipDescription("s", to: "A", inverse: "r", isToMany: true, isTransient: true),
        ])
    ])
    let compiled = try CompiledModel(model)
    #expect(compiled.entities[0].properties.map(\.name) == ["t"])
    #expect(compiled.source.entities[0].relationships.count == 2)
  }

  @Test func `what no store keeps is refused when a store is opened, not before`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("t", .composite),
          AttributeDescription("u", .composite, isTransient: true),
          AttributeDescription("v", .transformable),
        ],
        relationships: [RelationshipDescription("r", to: "A", isTransient: true)])
    ])
    try model.validate()
    let error = #expect(throws: PersistenceError.self) { try CompiledModel(model) }
    #expect(error?.code == .unsupported)
    #expect(
      error?.description == """
        attribute 't' of entity 'A' has no parts, which no store supports yet; remove it from the \
        model to open a store
        """)
  }
}
