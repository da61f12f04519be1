import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// A store with entities of every kind of relationship, without classes.
///
/// - Folder.files ↔ File.folder: one to many; Folder.items ↔ File.list: one to many, ordered
/// - Folder.labels ↔ Label.folders: many to many; Folder.queue ↔ Label.queues: the same, both
///   ordered
/// - Person.passport ↔ Passport.owner: one to one; Person.hooks ↔ Passport.hook: no action
/// - Whole.parts ↔ Part.whole: cascade; Room.guests ↔ Guest.room: deny
/// - Doc.marks, Doc.order, Doc.main → Mark: no inverse
struct Graph {
  let coordinator: PersistentStoreCoordinator

  init(history: HistoryRecording = .off, at location: StoreLocation = .inMemory) throws {
    let model = ManagedObjectModel(entities: Self.entities)
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: location, options: .init(history: history))
  }

  private static let entities = [
    entity(
      "Folder",
      many("files", "File", "folder"), many("items", "File", "list", isOrdered: true),
      many("labels", "Label", "folders"), many("queue", "Label", "queues", isOrdered: true)),
    entity("File", one("folder", "Folder", "files"), one("list", "Folder", "items")),
    EntityDescription("Photo", parent: "File", attributes: [], relationships: []),
    entity(
      "Label", many("folders", "Folder", "labels"),
      many("queues", "Folder", "queue", isOrdered: true)),
    entity(
      "Person", one("passport", "Passport", "owner"),
      many("hooks", "Passport", "hook", rule: .noAction)),
    entity("Passport", one("owner", "Person", "passport"), one("hook", "Person", "hooks")),
    entity("Whole", many("parts", "Part", "whole", rule: .cascade)),
    entity("Part", one("whole", "Whole", "parts")),
    entity("Room", many("guests", "Guest", "room", rule: .deny)),
    entity("Guest", one("room", "Room", "guests")),
    entity(
      "Doc", many("marks", "Mark", nil), many("order", "Mark", nil, isOrdered: true),
      one("main", "Mark", nil)),
    entity("Mark"),
  ]

  private static func entity(_ name: String, _ relationships: RelationshipDescription...)
    -> EntityDescription
  {
    EntityDescription(
      name,
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("weight", .double, isOptional: true),
        AttributeDescription("note", .integer64, isOptional: true, isTransient: true),
      ],
      relationships: relationships)
  }

  private static func one(_ name: String, _ destination: String, _ inverse: String?)
    -> RelationshipDescription
  {
    RelationshipDescription(name, to: destination, inverse: inverse)
  }

  private static func many(
    _ name: String, _ destination: String, _ inverse: String?, isOrdered: Bool = false,
    rule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      deleteRule: rule)
  }

  /// The relationships that an entity declares.
  static func relationships(of entity: String) -> [RelationshipDescription] {
    entities.first { $0.name == entity }?.relationships ?? []
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name)
  }

  /// Saves new objects, named by their places, and returns their IDs.
  func make(_ entity: String, _ count: Int = 1) throws -> [ManagedObjectID] {
    let context = context()
    let objects = try (0..<count).map { number in
      let object = try context.insert(entityNamed: entity)
      try object.setValue("\(number)", for: "name")
      return object
    }
    try context.save()
    return objects.map(\.objectID)
  }

  /// Does something in a context of its own, and saves it.
  func elsewhere(_ work: (ManagedObjectContext) throws -> Void) throws {
    let context = context("elsewhere")
    try work(context)
    try context.save()
  }

  /// The name that the store has, by a context of its own.
  func storedName(_ id: ManagedObjectID) throws -> String? {
    var name: String?
    try elsewhere { name = try $0.get(id).label }
    return name
  }

  /// What the store has, by a context of its own: the names that a relationship leads to.
  func stored(_ id: ManagedObjectID, _ relationship: String) throws -> [String] {
    var names: [String] = []
    try elsewhere { names = try $0.get(id).names(relationship) }
    return names
  }
}

extension ManagedObjectContext {
  func get(_ id: ManagedObjectID) throws -> ManagedObject { try existingObject(with: id) }

  func all(_ entity: String, where predicate: FetchPredicate? = nil) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityNamed: entity, where: predicate))
  }
}

extension ManagedObject {
  var label: String? { get throws { try value("name") } }

  func one(_ relationship: String) throws -> ManagedObject? { try objects(relationship).first }

  func set(_ relationship: String, _ objects: ManagedObject...) throws {
    try setObjects(objects, for: relationship)
  }

  func add(_ relationship: String, _ object: ManagedObject) throws {
    try setObjects(objects(relationship) + [object], for: relationship)
  }

  /// The names at the other end, sorted unless the relationship is ordered.
  func names(_ relationship: String) throws -> [String] {
    let names = try objects(relationship).map { try $0.label ?? "" }
    return ["items", "queue", "queues", "order"].contains(relationship) ? names : names.sorted()
  }
}
