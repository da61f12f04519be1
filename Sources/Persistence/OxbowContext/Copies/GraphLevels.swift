internal import OxbowModel
internal import OxbowStore

/// The objects that others lead to, with the length of the shortest path.
///
/// Each level is read ahead with one request for each relationship, so that walking the objects
/// reads nothing.
struct GraphLevels {
  private(set) var objects: [ManagedObject] = []
  private var levels: [ObjectReference: Int] = [:]

  /// The objects of links whose rows are gone.
  private var gone: Set<ObjectReference> = []

  private let context: ManagedObjectContext

  /// How much of the farthest objects' relationships is read.
  enum Rim {
    case nothing
    /// The keys, and rows only for links that may lead to a missing one.
    case links
    case rows
  }

  /// Finds the objects, and reads the relationships of those nearer than `depth`, and as much as
  /// `rim` says of the farthest ones.
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

  /// Whether a link may remain after the deletion of its object.
  private func mayDangle(_ relationship: CompiledRelationship) -> Bool {
    context.model.inverse(of: relationship).map { $0.deleteRule == .noAction } ?? true
  }

  /// Reads the rows at the ends of links.
  private mutating func read(_ targets: [ManagedObject]) throws(PersistenceError) {
    let faults = Array(Set(targets.filter { $0._state.contains(.fault) && !isGone($0) }))
    guard !faults.isEmpty else { return }
    context.statistics.fetches += 1
    gone.formUnion(try context.read(faults).map(\.reference))
  }

  /// Adds the objects that were not found before.
  private mutating func add(_ found: [ManagedObject], _ level: Int) -> [ManagedObject] {
    let new = found.filter { object in
      guard levels[object.reference] == nil else { return false }
      levels[object.reference] = level
      return true
    }
    objects += new
    return new
  }

  /// Whether the object of a link is gone, or the next save deletes it.
  func isGone(_ object: ManagedObject) -> Bool {
    isGone(object.reference) || object._state.contains(.deleted)
  }

  /// Whether the row at the end of a link was not found.
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
  func level(of object: ObjectReference) -> Int? { levels[object] }
}
