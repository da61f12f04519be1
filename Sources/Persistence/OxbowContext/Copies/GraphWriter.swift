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

  /// Which objects are written, and what of them.
  enum Shape {
    /// Everything of the objects that a number of relationships lead to.
    case levels(GraphLevels, depth: Int)
    /// What paths name.
    case paths(GraphPaths)
  }

  /// So deep objects can be in each other: the document is read by recursion.
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

  /// What is written of the objects of an entity at a place, by both.
  private var steps: [Int: [GraphStep]] = [:]

  /// The objects on the way to the one that is written, and the way.
  private var ancestors: [ObjectReference] = []
  private var path = JSONPath()

  /// How many objects are not inside of others.
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

  /// Writes some more objects.
  mutating func write(_ objects: [ManagedObject]) throws(PersistenceError) {
    for object in objects {
      try at(.index(count)) { (writer) throws(PersistenceError) in
        try writer.write(object, at: 0)
      }
      count += 1
    }
  }

  /// The text since the last time that it was taken.
  mutating func take() -> [UInt8] { json.take() }

  /// Ends the document.
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

  /// Whether an object that is met is written as a whole; else there is a reference to it.
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

  /// Whether the objects that a relationship leads to are farther away than the depth.
  private var isAtRim: Bool {
    if case .levels(_, let depth) = shape { ancestors.count > depth } else { false }
  }

  /// Whether a to-one relationship leads to an object that is a reference anyhow, and need not be
  /// read for that.
  private func isEndOutside(_ property: CompiledProperty, _ object: ManagedObject) -> Bool {
    guard cycles == .reference, property.relationship?.isToMany == false,
      case .levels(let levels, _) = shape
    else { return false }
    return object.destination(of: property).map { levels.level(of: $0) == nil } ?? true
  }

  /// Writes where a to-one relationship leads, as the row has it.
  private mutating func writeEnd(
    of property: CompiledProperty, _ object: ManagedObject
  ) throws(PersistenceError) {
    json.key(property.name)
    let end = try context.throwing { object.destination(of: property) }
    guard let end, !isGone(end) else { return json.literal("null") }
    writeReference(end)
  }

  /// Whether a link leads to the object, and its row is known to be gone, or is to be deleted.
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

  /// Whether a relationship is written.
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
