internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The links of the objects that a store has, at both ends.
struct AtomicLinks {
  private let model: CompiledModel

  /// For each relationship, by its declaring entity, the keys that its objects lead to.
  private var keys: [RelationshipID: [Int64: [Int64]]] = [:]

  /// For each ordered relationship and each of its objects, the places of the others.
  private var places: [RelationshipID: [Int64: [Int64: Int]]] = [:]

  init(_ model: CompiledModel) { self.model = model }

  /// Adds what an object says of a relationship.
  mutating func add(_ relationship: CompiledRelationship, of key: Int64, _ others: [Int64]) {
    keys[relationship.id, default: [:]][key] = others
  }

  /// The objects that a relationship leads to from an object.
  func keys(_ relationship: CompiledRelationship, of key: Int64) -> [Int64] {
    keys[relationship.id]?[key] ?? []
  }

  /// All links of a relationship, in the order of keys.
  func all(_ relationship: RelationshipID) -> [(key: Int64, others: [Int64])] {
    all(relationship, in: keys)
  }

  private func all(
    _ relationship: RelationshipID, in keys: [RelationshipID: [Int64: [Int64]]]
  ) -> [(key: Int64, others: [Int64])] {
    (keys[relationship] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The position of `other` in the order of an object, as stores write it; 0 without an order.
  func position(of other: Int64, _ relationship: CompiledRelationship?, of key: Int64) -> Int64 {
    guard let relationship, let place = places[relationship.id]?[key]?[other] else { return 0 }
    return ChangeSet.firstPosition + ChangeSet.positionStep * Int64(place)
  }

  /// Gives each link to the end that says nothing of its relationship.
  ///
  /// Where both ends say something, they have to agree.
  mutating func complete(
    _ entities: [ObjectKey: CompiledEntity], _ problems: inout AtomicProblems
  ) {
    let given = keys
    for id in given.keys.sorted(by: Self.precedes) {
      guard let relationship = model.relationship(id), let inverse = model.inverse(of: relationship)
      else { continue }
      let back = (given[inverse.id] ?? [:]).mapValues(Set.init)
      for (owner, others) in all(id, in: given) {
        for other in others where back[other] == nil {
          keys[inverse.id, default: [:]][other, default: []].append(owner)
        }
        for other in others where back[other]?.contains(owner) == false {
          let own = title(owner, id.entity, entities)
          let far = title(other, inverse.entity, entities)
          problems.add(
            "\(own): its '\(relationship.name)' leads to \(far), whose '\(inverse.name)' does not lead "
              + "back; both ends of a link have to agree")
        }
      }
    }
    for id in keys.keys.sorted(by: Self.precedes) { check(id, entities, &problems) }
  }

  private static func precedes(_ a: RelationshipID, _ b: RelationshipID) -> Bool {
    (a.entity, a.property) < (b.entity, b.property)
  }

  /// Checks how many objects a relationship leads to, and notes its order.
  private mutating func check(
    _ id: RelationshipID, _ entities: [ObjectKey: CompiledEntity],
    _ problems: inout AtomicProblems
  ) {
    guard let relationship = model.relationship(id) else { return }
    let owners = all(id)
    for (owner, others) in owners where !relationship.isToMany && others.count > 1 {
      problems.add(
        "\(title(owner, id.entity, entities)): its '\(relationship.name)' is a to-one relationship and "
          + "leads to \(others.count) objects")
    }
    for (owner, others) in owners where Set(others).count < others.count {
      problems.add(
        "\(title(owner, id.entity, entities)): its '\(relationship.name)' leads to an object twice")
    }
    guard relationship.isOrdered else { return }
    places[id] = keys[id]?.mapValues { others in
      Dictionary(
        others.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first }
      )
    }
  }

  private func title(
    _ key: Int64, _ entity: Int, _ entities: [ObjectKey: CompiledEntity]
  ) -> String {
    let root = model.entities[entity].root
    let name = entities[ObjectKey(root: root, key: key)]?.name ?? model.entities[entity].name
    return "\(name)/p\(key)"
  }
}

extension CompiledModel {
  /// The relationship with an ID.
  func relationship(_ id: RelationshipID) -> CompiledRelationship? {
    property(id).relationship
  }
}
