internal import OxbowModel
internal import OxbowStore

/// The objects that others lead to, with the length of the shortest way.
///
/// Each level is read ahead with one request for each relationship, so that walking them afterwards
/// reads nothing.
struct GraphLevels {
  private(set) var objects: [ManagedObject] = []
  private var levels: [ObjectReference: Int] = [:]

  /// The objects that links lead to and whose rows are gone.
  private var gone: Set<ObjectReference> = []

  private let context: ManagedObjectContext

  /// What is read of the relationships of the farthest objects.
  enum Rim {
    case nothing
    /// Where they lead: the rows there only if a link may lead to one that is gone.
    case links
    /// The rows that they lead to.
    case rows
  }

  /// Finds the objects, and reads the relationships of those nearer than `depth`; of the last ones
  /// what `rim` says.
  init(
    from start: [ManagedObject], depth: Int, rim: Rim, in context: ManagedObjectContext,
    follows: (CompiledRelationship) -> Bool = { _ in true }
  ) throws(PersistenceError) {
    self.context = context
    try context.load(start.filter(\.isFault))
    var level = add(start, 0)
    for number in 0... {
      if level.isEmpty { return }
      guard number < depth || rim != .nothing else { return }
      try Self.read(level, context)
      let readsRows = number < depth || rim == .rows
      var all: [ManagedObject] = []
      var next: [ManagedObject] = []
      for object in level {
        for property in object.entity.relationships {
          guard let relationship = property.relationship,
            readsRows || !relationship.isToMany && mayDangle(relationship)
          else { continue }
          let targets = try context.throwing { object.objects(of: property) }
          all += targets
          if follows(relationship) { next += targets }
        }
      }
      try read(all)
      guard number < depth else { return }
      level = add(next.filter { !isGone($0) }, number + 1)
    }
  }

  /// Whether the deletion of what a relationship leads to may leave the link.
  private func mayDangle(_ relationship: CompiledRelationship) -> Bool {
    context.model.inverse(of: relationship).map { $0.deleteRule == .noAction } ?? true
  }

  /// Reads the rows of what links lead to.
  private mutating func read(_ targets: [ManagedObject]) throws(PersistenceError) {
    let faults = Array(Set(targets.filter { $0._state.contains(.fault) && !isGone($0) }))
    guard !faults.isEmpty else { return }
    context.statistics.fetches += 1
    gone.formUnion(try context.read(faults).map(\.reference))
  }

  /// Adds what was not found before.
  private mutating func add(_ found: [ManagedObject], _ level: Int) -> [ManagedObject] {
    let new = found.filter { object in
      guard levels[object.reference] == nil else { return false }
      levels[object.reference] = level
      return true
    }
    objects += new
    return new
  }

  /// Whether a link leads to the object, and its row is gone or is to be deleted.
  func isGone(_ object: ManagedObject) -> Bool {
    isGone(object.reference) || object._state.contains(.deleted)
  }

  /// Whether the row of what a link leads to was looked for and is gone.
  func isGone(_ reference: ObjectReference) -> Bool { gone.contains(reference) }

  /// Reads the collections of objects, all of an entity at once.
  private static func read(
    _ objects: [ManagedObject], _ context: ManagedObjectContext
  ) throws(PersistenceError) {
    let groups = Dictionary(grouping: objects, by: \.entityIndex).sorted { $0.key < $1.key }
    for (entity, group) in groups {
      for property in context.model.entities[entity].relationships
      where property.relationship?.isToMany == true {
        try context.load(property.name, of: group)
      }
    }
  }

  /// How far an object is away; `nil` for one that was not found.
  func level(of object: ObjectReference) -> Int? { levels[object] }
}
