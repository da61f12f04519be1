internal import OxbowDocuments
internal import OxbowModel
internal import OxbowStore

/// Writes objects and those that they lead to.
struct GraphWriter {
  /// The members of an object that are not its properties.
  enum Key {
    static let entity = "$entity"
    static let id = "$id"
    static let reference = "$ref"
  }

  /// The objects and properties that are written.
  enum Shape {
    /// Everything, up to a number of relationships away.
    case levels(GraphLevels, depth: Int)
    case paths(GraphPaths)
  }

  /// The greatest depth of objects in each other: the document is read by recursion.
  static let deepest = 200

  private let context: ManagedObjectContext
  private let cycles: GraphCycles
  private var json: JSONWriter
  private var shape: Shape

  /// The objects that were written, each with its place.
  private var written: Set<Writing> = []

  private struct Writing: Hashable {
    let object: ObjectReference
    let place: Int
  }

  /// The properties that are written of an entity at a place, by both.
  private var steps: [Int: [GraphStep]] = [:]

  /// The objects on the path to the current one, and the path.
  private var ancestors: [ObjectReference] = []
  private var path = JSONPath()

  /// The objects that were asked for, because a deletion leaves keys that lead to them: whether
  /// each is there.
  private var known: [ObjectReference: Bool] = [:]

  /// The number of objects that are not inside others.
  private(set) var count = 0

  init(
    _ shape: Shape, _ cycles: GraphCycles, isIndented: Bool, in context: ManagedObjectContext
  ) {
    self.context = context
    self.cycles = cycles
    self.shape = shape
    json = JSONWriter(isIndented: isIndented)
    json.beginArray()
  }

  mutating func write(_ objects: [ManagedObject]) throws(PersistenceError) {
    for object in objects {
      try at(.index(count)) { (writer) throws(PersistenceError) in
        try writer.write(object, at: 0)
      }
      count += 1
    }
  }

  /// The text since the last call.
  mutating func take() -> [UInt8] { json.take() }

  mutating func finish() -> [UInt8] {
    json.endArray()
    return json.take()
  }

  private mutating func at(
    _ step: JSONPath.Step, _ body: (inout GraphWriter) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    path.steps.append(step)
    try body(&self)
    path.steps.removeLast()
  }

  private mutating func write(_ object: ManagedObject, at place: Int) throws(PersistenceError) {
    if cycles == .reference, !isWhole(object.reference, at: place) {
      return writeReference(object.reference)
    }
    guard ancestors.count < Self.deepest else {
      throw PersistenceError(
        .unsupported,
        "'\(object)' is inside of \(Self.deepest) other objects, and a document is not nested deeper; "
          + "give a smaller depth, or all objects as the first ones", objectIDs: [object.objectID])
    }
    written.insert(Writing(object: object.reference, place: place))
    ancestors.append(object.reference)
    json.beginObject()
    json.key(Key.entity)
    json.text(object.entityName)
    json.key(Key.id)
    json.text(object.objectID.description)
    for step in steps(of: object.entity, at: place) { try write(step, of: object) }
    json.endObject()
    ancestors.removeLast()
  }

  /// Whether an object is written as a whole here; otherwise as a reference.
  private func isWhole(_ reference: ObjectReference, at place: Int) -> Bool {
    switch shape {
    case .levels(let levels, _):
      levels.level(of: reference) != nil
        && !written.contains(Writing(object: reference, place: place))
    case .paths(let paths):
      !paths.covering(place).contains {
        written.contains(Writing(object: reference, place: $0))
      }
    }
  }

  private mutating func writeReference(_ reference: ObjectReference) {
    json.beginObject()
    json.key(Key.reference)
    json.text(context.coordinator.id(of: reference).description)
    json.endObject()
  }

  private mutating func steps(of entity: CompiledEntity, at place: Int) -> [GraphStep] {
    let key = place * context.model.entities.count + entity.index
    if let known = steps[key] { return known }
    let found =
      switch shape {
      case .levels:
        entity.graphSteps.map {
          GraphStep(property: $0, kind: $0.relationship == nil ? .attribute : .objects(0))
        }
      case .paths(let paths): paths.steps(of: entity, at: place)
      }
    steps[key] = found
    return found
  }

  private mutating func write(
    _ step: GraphStep, of object: ManagedObject
  ) throws(PersistenceError) {
    switch step.kind {
    case .attribute:
      json.key(step.property.name)
      json.value(try context.throwing { object.attributeValue(of: step.property) })
    case .reference:
      if cycles == .reference { try writeEnd(of: step.property, object) }
    case .objects(let place):
      if isEndOutside(step.property, object) { return try writeEnd(of: step.property, object) }
      if cycles == .reference || !isAtRim { try write(step.property, of: object, at: place) }
    }
  }

  /// Whether the objects of a relationship are beyond the depth.
  private var isAtRim: Bool {
    if case .levels(_, let depth) = shape { ancestors.count > depth } else { false }
  }

  /// Whether a to-one relationship leads to an object that is a reference in any case, and need not
  /// be read.
  private func isEndOutside(_ property: CompiledProperty, _ object: ManagedObject) -> Bool {
    guard cycles == .reference, property.relationship?.isToMany == false,
      case .levels(let levels, _) = shape
    else { return false }
    return object.destination(of: property).map { levels.level(of: $0) == nil } ?? true
  }

  /// Writes a to-one relationship as a reference, from the row.
  private mutating func writeEnd(
    of property: CompiledProperty, _ object: ManagedObject
  ) throws(PersistenceError) {
    json.key(property.name)
    let end = try context.throwing { object.destination(of: property) }
    guard let end, !isGone(end), try isThere(end, of: property) else {
      return json.literal("null")
    }
    writeReference(end)
  }

  /// Whether the object of a key exists: a deletion may leave the key.
  private mutating func isThere(
    _ end: ObjectReference, of property: CompiledProperty
  ) throws(PersistenceError) -> Bool {
    guard case .paths = shape,
      context.model.inverse(of: property)?.relationship?.isLeftByDeletion == true,
      context.registered(end)?._state.contains(.fault) != false
    else { return true }
    if let known = known[end] { return known }
    // Those of all objects in memory are asked for at once.
    let owners = context.identity.filter { object in
      object.entity.isKind(of: context.model.entities[property.declaringEntity])
        && object._state.isDisjoint(with: [.fault, .deleted])
    }
    let ends = Set(owners.compactMap { $0.destination(of: property) }).filter { known[$0] == nil }
    let roots = Set(try context.storedReferences(among: ends).map(context.identity.root))
    for end in ends { known[end] = roots.contains(context.identity.root(end)) }
    return known[end] ?? true
  }

  /// Whether the object of a link is known to be gone, or the next save deletes it.
  private func isGone(_ reference: ObjectReference) -> Bool {
    if case .levels(let levels, _) = shape, levels.isGone(reference) { return true }
    return context.registered(reference)?._state.contains(.deleted) == true
  }

  private mutating func write(
    _ property: CompiledProperty, of object: ManagedObject, at place: Int
  ) throws(PersistenceError) {
    let targets = try context.throwing { object.objects(of: property) }.filter { target in
      if case .paths = shape, target._state.contains(.fault) { return false }
      return !isGone(target.reference)
    }
    guard try follows(property, to: targets) else { return }
    json.key(property.name)
    guard property.relationship?.isToMany == true else {
      guard let target = targets.first else { return json.literal("null") }
      return try at(.key(property.name)) { (writer) throws(PersistenceError) in
        try writer.write(target, at: place)
      }
    }
    json.beginArray()
    for (index, target) in targets.enumerated() {
      try at(.key(property.name)) { (writer) throws(PersistenceError) in
        try writer.at(.index(index)) { (writer) throws(PersistenceError) in
          try writer.write(target, at: place)
        }
      }
    }
    json.endArray()
  }

  private func follows(
    _ property: CompiledProperty, to targets: [ManagedObject]
  ) throws(PersistenceError) -> Bool {
    if cycles == .reference { return true }
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
