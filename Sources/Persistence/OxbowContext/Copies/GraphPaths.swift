internal import OxbowModel
internal import OxbowStore

/// The objects of a document along paths: a tree of places, each with the relationships that
/// continue and the properties that are left out.
struct GraphPaths {
  private struct Place {
    var next: [String: Int] = [:]
    var excluded: [String] = []
  }

  private var places = [Place()]

  /// For each place, those that have everything that it has, itself included.
  private var covering: [[Int]] = []

  init<T>(
    _ including: PrefetchPaths<T>, excluding: PrefetchPaths<T>, from entities: [CompiledEntity],
    in context: ManagedObjectContext
  ) throws(PersistenceError) {
    let tree = try including.tree()
    for entity in entities { try context.check(tree, from: entity) }
    add(tree, at: 0)
    _ = try excluding.tree()
    for path in excluding.paths { try exclude(path[...], from: entities, at: 0, in: context) }
    covering = places.indices.map { place in places.indices.filter { covers($0, place) } }
  }

  private mutating func add(_ tree: PrefetchTree, at place: Int) {
    for step in tree.steps {
      let next = places.count
      places.append(Place())
      places[place].next[step.name] = next
      add(step.tree, at: next)
    }
  }

  private mutating func exclude(
    _ path: ArraySlice<String>, from entities: [CompiledEntity], at place: Int,
    in context: ManagedObjectContext
  ) throws(PersistenceError) {
    let holders = entities.flatMap { $0.subtree.map { context.model.entities[$0] } }
    if path.count > 1, let first = path.first, let next = places[place].next[first] {
      let ends = holders.compactMap { $0.property(named: first)?.relationship?.destination }
      let entities = Set(ends).sorted().map { context.model.entities[$0] }
      return try exclude(path.dropFirst(), from: entities, at: next, in: context)
    }
    let name = path.joined(separator: ".")
    guard holders.contains(where: { $0.properties.contains { $0.name.isPart(of: name) } }) else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' cannot be left out: "
          + "\(PersistenceError.listed(entities.map { "'\($0.name)'" })) has no such property, or "
          + "the way to it is not included",
        nearNames: PersistenceError.nearNames(
          to: name, among: Array(Set(holders.flatMap { $0.properties.map(\.name) }))))
    }
    places[place].excluded.append(name)
  }

  /// Whether one place has everything that another has.
  private func covers(_ a: Int, _ b: Int) -> Bool {
    places[a].excluded.allSatisfy { name in places[b].excluded.contains { name.isPart(of: $0) } }
      && places[b].next.allSatisfy { name, next in
        places[a].next[name].map { covers($0, next) } ?? isExcluded(name, at: b)
      }
  }

  private func isExcluded(_ name: String, at place: Int) -> Bool {
    places[place].excluded.contains { name.isPart(of: $0) }
  }
  func covering(_ place: Int) -> [Int] { covering[place] }

  /// The properties of an entity that are written at a place.
  func steps(of entity: CompiledEntity, at place: Int) -> [GraphStep] {
    entity.graphSteps.filter { !isExcluded($0.name, at: place) }.compactMap { property in
      guard let relationship = property.relationship else {
        return GraphStep(property: property, kind: .attribute)
      }
      if let next = places[place].next[property.name] {
        return GraphStep(property: property, kind: .objects(next))
      }
      return relationship.isToMany ? nil : GraphStep(property: property, kind: .reference)
    }
  }
}

/// A property that is written.
struct GraphStep {
  let property: CompiledProperty
  let kind: Kind

  enum Kind {
    case attribute
    /// A relationship whose objects are written, at a place.
    case objects(Int)
    /// A to-one relationship whose ID is written, as in the row.
    case reference
  }
}

extension CompiledEntity {
  /// The properties of an object in a document: stored attributes that are not derived, then
  /// relationships.
  var graphSteps: [CompiledProperty] {
    properties.filter { $0.relationship == nil && $0.slot >= 0 && $0.attribute?.derivation == nil }
      + relationships
  }
}

extension String {
  /// Whether a property has a name, or is a part of that composite attribute.
  fileprivate func isPart(of name: String) -> Bool { self == name || hasPrefix(name + ".") }
}
