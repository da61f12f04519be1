import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Items in shops with values of every type, and some keys that lead nowhere, seen by three
/// contexts.
struct Market {
  static let attributes: [(name: String, type: AttributeType)] = [
    ("name", .string), ("rank", .integer64), ("small", .integer16), ("ratio", .double),
    ("factor", .float), ("price", .decimal), ("flag", .boolean), ("day", .date),
    ("bytes", .binaryData), ("mark", .uuid), ("link", .uri),
  ]

  let untouched: ManagedObjectContext
  let touched: ManagedObjectContext
  let halfTouched: ManagedObjectContext

  init(_ random: inout DifferentialRandom) throws {
    let compiled = try CompiledModel(Self.model)
    let coordinator = try PersistentStoreCoordinator(compiled, at: .inMemory)
    func context() -> ManagedObjectContext {
      ManagedObjectContext(coordinator: coordinator, name: "market", owner: .holder)
    }
    try Self.fill(context(), &random)
    random.store = coordinator.storeIdentifier
    untouched = context()
    touched = context()
    halfTouched = context()
    try Self.touch(touched) { _ in true }
    try Self.touch(halfTouched) { $0.objectID.key % 2 == 0 }
  }

  private static var model: ManagedObjectModel {
    let attributes = attributes.map {
      AttributeDescription($0.name, $0.type, isOptional: true)
    }
    return ManagedObjectModel(entities: [
      EntityDescription(
        "Item",
        attributes: attributes + [
          AttributeDescription("touched", .integer64, isOptional: true),
          AttributeDescription("mood", .integer64, isOptional: true, isTransient: true),
        ],
        relationships: [
          RelationshipDescription("parent", to: "Item", inverse: "children"),
          RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
          RelationshipDescription("shop", to: "Shop", inverse: "items"),
          RelationshipDescription("gone", to: "Shop", inverse: "holders"),
          RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true),
        ]),
      EntityDescription("Special", parent: "Item"),
      EntityDescription(
        "Shop",
        attributes: attributes + [AttributeDescription("touched", .integer64, isOptional: true)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "shop", isToMany: true),
          // Keys that lead to a deleted shop stay.
          RelationshipDescription(
            "holders", to: "Item", inverse: "gone", isToMany: true, deleteRule: .noAction),
        ]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)
        ]),
    ])
  }

  private static func fill(
    _ context: ManagedObjectContext, _ random: inout DifferentialRandom
  ) throws {
    var shops: [ManagedObject] = []
    for _ in 0..<6 {
      let shop = try context.insert(entityNamed: "Shop")
      try random.fill(shop)
      shops.append(shop)
    }
    let tags = try (0..<4).map { number in
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setValue("tag \(number)", for: "name")
      return tag
    }
    var items: [ManagedObject] = []
    for number in 0..<40 {
      let item = try context.insert(entityNamed: number % 5 == 0 ? "Special" : "Item")
      try random.fill(item)
      if random.chance(60) { try item.setObjects([random.one(of: shops.dropLast(2))], for: "shop") }
      if random.chance(60) { try item.setObjects([random.one(of: shops)], for: "gone") }
      if random.chance(60), let parent = items.last(where: { _ in random.chance(30) }) {
        try item.setObjects([parent], for: "parent")
      }
      try item.setObjects(tags.filter { _ in random.chance(30) }, for: "tags")
      items.append(item)
    }
    try context.save()
    for shop in shops.suffix(2) { try context.delete(shop) }
    try context.save()
  }

  /// Makes objects changed ones, without changing what is asked for.
  private static func touch(
    _ context: ManagedObjectContext, where isTouched: (ManagedObject) -> Bool
  ) throws {
    for name in ["Item", "Shop"] {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityNamed: name))
      where isTouched(object) {
        try object.setValue(1, for: "touched")
      }
    }
  }
}
