internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Writes objects and those that they lead to.
struct GraphWriter {
  /// The members of an object that are none of its properties.
  enum Key {
    static let entity = "$entity"
    static let id = "$id"
    static let reference = "$ref"
  }

  /// So deep objects can be in each other: the document is read by recursion.
  static let deepest = 200

  private let context: ManagedObjectContext
  private let cycles: GraphCycles
  private let depth: Int
  private let levels: GraphLevels
  private var json: JSONWriter
  private var written: Set<ObjectReference> = []

  /// The objects on the way to the one that is written, and the way.
  private var ancestors: [ObjectReference] = []
  private var path = JSONPath()

  init(
    _ objects: [ManagedObject], depth: Int, _ cycles: GraphCycles, isIndented: Bool,
    in context: ManagedObjectContext
  ) throws(PersistenceError) {
    self.context = context
    self.cycles = cycles
    self.depth = depth
    json = JSONWriter(isIndented: isIndented)
    levels = try GraphLevels(
      from: objects, depth: depth, readsEnds: cycles == .reference, in: context)
  }

  mutating func write(_ objects: [ManagedObject]) throws(PersistenceError) -> [UInt8] {
    json.beginArray()
    for (index, object) in objects.enumerated() {
      try at(.index(index)) { (writer) throws(PersistenceError) in try writer.write(object) }
    }
    json.endArray()
    return json.bytes
  }

  private mutating func at(
    _ step: JSONPath.Step, _ body: (inout GraphWriter) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    path.steps.append(step)
    try body(&self)
    path.steps.removeLast()
  }

  private mutating func write(_ object: ManagedObject) throws(PersistenceError) {
    if cycles == .reference, levels.level(of: object) == nil || written.contains(object.reference) {
      json.beginObject()
      json.key(Key.reference)
      json.text(object.objectID.description)
      json.endObject()
      return
    }
    guard ancestors.count < Self.deepest else {
      throw PersistenceError(
        .unsupported,
        "'\(object)' is inside of \(Self.deepest) other objects, and a document is not nested deeper; "
          + "give a smaller depth, or all objects as the first ones", objectIDs: [object.objectID])
    }
    written.insert(object.reference)
    ancestors.append(object.reference)
    json.beginObject()
    json.key(Key.entity)
    json.text(object.entityName)
    json.key(Key.id)
    json.text(object.objectID.description)
    for property in object.entity.properties where property.relationship == nil {
      try write(property, of: object)
    }
    for property in object.entity.relationships { try write(property, of: object) }
    json.endObject()
    ancestors.removeLast()
  }

  private mutating func write(
    _ property: CompiledProperty, of object: ManagedObject
  ) throws(PersistenceError) {
    guard let relationship = property.relationship else {
      guard property.slot >= 0, property.attribute?.derivation == nil else { return }
      json.key(property.name)
      return json.value(try context.throwing { object.attributeValue(of: property) })
    }
    let targets = try context.throwing { object.objects(of: property) }
      .filter { !levels.isGone($0) }
    guard try follows(property, to: targets) else { return }
    json.key(property.name)
    guard relationship.isToMany else {
      guard let target = targets.first else { return json.literal("null") }
      return try at(.key(property.name)) { (writer) throws(PersistenceError) in
        try writer.write(target)
      }
    }
    json.beginArray()
    for (index, target) in targets.enumerated() {
      try at(.key(property.name)) { (writer) throws(PersistenceError) in
        try writer.at(.index(index)) { (writer) throws(PersistenceError) in
          try writer.write(target)
        }
      }
    }
    json.endArray()
  }

  /// Whether a relationship is written.
  private func follows(
    _ property: CompiledProperty, to targets: [ManagedObject]
  ) throws(PersistenceError) -> Bool {
    if cycles == .reference { return true }
    guard ancestors.count <= depth else { return targets.isEmpty }
    guard let back = targets.first(where: { ancestors.contains($0.reference) }) else { return true }
    guard cycles == .refuse else { return false }
    throw PersistenceError(
      .unsupported,
      "\(path).\(property.name) leads back to '\(back)', which it is inside of; write references "
        + "(cycles: .reference), leave such relationships out (.omit), or give a smaller depth",
      objectIDs: [back.objectID])
  }
}

/// A place in a JSON document: `$[0].author.books[2]`.
struct JSONPath: CustomStringConvertible {
  enum Step {
    case key(String)
    case index(Int)
  }

  var steps: [Step] = []

  func appending(_ step: Step) -> JSONPath { JSONPath(steps: steps + [step]) }

  var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .key(let name): text += ".\(name)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}
