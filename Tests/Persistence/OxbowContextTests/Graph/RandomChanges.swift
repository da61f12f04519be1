import OxbowContext
import OxbowModel
import OxbowTestSupport
import Testing

/// All objects of a ``Graph`` as a context has them, in words.
struct GraphSnapshot: Equatable {
  private var objects: [String: String] = [:]

  static let entities = [
    "Folder", "File", "Label", "Person", "Passport", "Whole", "Part", "Room", "Guest", "Doc",
    "Mark",
  ]

  init() {}

  init(of context: ManagedObjectContext) throws {
    for entity in Self.entities {
      for object in try context.all(entity) { objects["\(object)"] = try Self.words(object) }
    }
  }

  private static func words(_ object: ManagedObject) throws -> String {
    var words = [try object.label ?? "-", "\(try object.value("weight", as: Double.self) ?? -1)"]
    for relationship in Graph.relationships(of: object.entityName) {
      let keys = try object.objects(relationship.name).map { "\($0.objectID.key)" }
      let list = relationship.isOrdered ? keys : keys.sorted()
      words.append("\(relationship.name):" + list.joined(separator: ","))
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

/// Random inserts, deletions and edits in contexts of a ``Graph``, the same for the same seed.
struct RandomChanges {
  var random: SeededRandom
  var log: [String] = []
  private var counter = 0

  /// What has references without inverse, which a deletion finds in memory only.
  private var held: [ManagedObject] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func change(_ context: ManagedObjectContext) throws {
    held = try context.all("Doc")
    for doc in held { for name in ["marks", "order", "main"] { _ = try doc.objects(name) } }
    let entity = GraphSnapshot.entities.randomElement(using: &random) ?? "File"
    counter += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      let object = try context.insert(entityNamed: entity)
      try object.setValue("n\(counter)", for: "name")
      log.append("insert \(object)")
    case 2:
      guard let object = try pick(entity, context) else { return }
      // A save would refuse it.
      if entity == "Room", try !object.objects("guests").isEmpty { return }
      log.append("delete \(object)")
      try context.delete(object)
    case 3...4:
      guard let object = try pick(entity, context) else { return }
      log.append("name \(object)")
      try object.setValue("v\(counter % 7)", for: "name")
      if counter % 3 == 0 { try object.setValue(Double(counter % 4), for: "weight") }
    default: try relate(entity, context)
    }
  }

  /// An object, in the order of keys, so that a seed gives the same run.
  private mutating func pick(
    _ entity: String, _ context: ManagedObjectContext
  ) throws -> ManagedObject? {
    try context.all(entity).sorted { $0.objectID.key < $1.objectID.key }
      .randomElement(using: &random)
  }

  private mutating func relate(_ entity: String, _ context: ManagedObjectContext) throws {
    guard let object = try pick(entity, context),
      let relationship = Graph.relationships(of: entity).randomElement(using: &random)
    else { return }
    let others = try context.all(relationship.destination)
      .sorted { $0.objectID.key < $1.objectID.key }
    let count = Int.random(in: 0...(relationship.isToMany ? 3 : 1), using: &random)
    let chosen = Array(others.shuffled(using: &random).prefix(count))
    log.append("\(object).\(relationship.name) = \(chosen)")
    try object.setObjects(chosen, for: relationship.name)
  }
}
