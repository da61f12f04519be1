import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

/// A store in memory with relationships of every cardinality, most of them from nodes to nodes, so
/// that an object may lead to itself; without classes.
///
/// - Node.children (cascade) ↔ Node.parent; Node.steps ↔ Node.path: one to many, ordered
/// - Node.friends ↔ Node.friendOf, Node.before ↔ Node.after (ordered, both): many to many
/// - Node.peers, Node.spouse: their own inverses
/// - Node.twin ↔ Node.twinOf; Node.heart ↔ Box.keeper (cascade): one to one
/// - Box.items ↔ Node.box: deny; Box.guests ↔ Node.host: no action
/// - Node.mark, Node.marks → Node: no inverse
struct Knot {
  let coordinator: PersistentStoreCoordinator

  init() throws {
    let model = ManagedObjectModel(entities: Self.entities)
    coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
  }

  static let names = ["Node", "Leaf", "Box"]

  static let entities = [
    EntityDescription(
      "Node",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("note", .integer64, isOptional: true, isTransient: true),
      ],
      relationships: [
        one("parent", "children"), many("children", "parent", rule: .cascade),
        one("path", "steps"), many("steps", "path", isOrdered: true),
        many("friends", "friendOf"), many("friendOf", "friends"),
        many("before", "after", isOrdered: true), many("after", "before", isOrdered: true),
        many("peers", "peers"), one("spouse", "spouse"),
        one("twin", "twinOf"), one("twinOf", "twin"),
        one("heart", "keeper", to: "Box", rule: .cascade),
        one("box", "items", to: "Box"), one("host", "guests", to: "Box"),
        one("mark", nil), many("marks", nil),
      ]),
    EntityDescription("Leaf", parent: "Node"),
    EntityDescription(
      "Box", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [
        one("keeper", "heart"), many("items", "box", rule: .deny),
        many("guests", "host", rule: .noAction),
      ]),
  ]

  private static func one(
    _ name: String, _ inverse: String?, to destination: String = "Node",
    rule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(name, to: destination, inverse: inverse, deleteRule: rule)
  }

  private static func many(
    _ name: String, _ inverse: String?, isOrdered: Bool = false, rule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: "Node", inverse: inverse, isToMany: true, isOrdered: isOrdered, deleteRule: rule)
  }

  /// The relationships of an entity.
  static func relationships(of entity: String) -> [RelationshipDescription] {
    entities[entity == "Box" ? 2 : 0].relationships
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name)
  }
}

/// All objects of a ``Knot`` as a context has them, in words.
struct KnotSnapshot: Equatable {
  private var objects: [String: String] = [:]

  init() {}

  init(of context: ManagedObjectContext) throws {
    for entity in ["Node", "Box"] {
      for object in try context.all(entity) { objects["\(object)"] = try Self.words(object) }
    }
  }

  static func words(_ object: ManagedObject) throws -> String {
    var words = [try object.label ?? "-"]
    for relationship in Knot.relationships(of: object.entityName) {
      let keys = try object.objects(relationship.name)
        .map { "\($0.entityName.prefix(1))\($0.objectID.key)" }
      let list = relationship.isOrdered ? keys : keys.sorted()
      if !list.isEmpty { words.append("\(relationship.name):" + list.joined(separator: ",")) }
    }
    return words.joined(separator: " ")
  }

  /// What differs, or `nil`.
  func difference(from expected: Self) -> String? {
    let keys = Set(objects.keys).union(expected.objects.keys)
      .filter { objects[$0] != expected.objects[$0] }.sorted()
    guard !keys.isEmpty else { return nil }
    return keys.map {
      "\($0): is \(objects[$0] ?? "gone"), was \(expected.objects[$0] ?? "gone")"
    }.joined(separator: "; ")
  }
}
