package import OxbowModel

/// Which entity and which property of a model was which one in the model before.
///
/// Properties are those that an entity has, its own and the inherited ones: where in the hierarchy
/// a property is declared says nothing about which one it is. An item is the same when, in this
/// order: its renaming identifier is that of an item before, or the name of one; its name is the
/// same; its name is the renaming identifier of an item before. A renaming identifier may stay in
/// later models.
package struct ModelMatch: Sendable {
  /// The entity before, by the name of the entity after.
  package let entities: [String: String]

  /// The entity after, by the name of the entity before.
  package let successors: [String: String]

  private let attributes: [String: [String: String]]
  private let relationships: [String: [String: String]]

  package init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let (before, after) = (before.flattened, after.flattened)
    let pairs = Self.pairs(
      before.entities.map { Item($0.name, $0.renamingIdentifier) },
      after.entities.map { Item($0.name, $0.renamingIdentifier) })
    entities = pairs
    successors = Dictionary(pairs.map { ($1, $0) }) { first, _ in first }
    attributes = Self.properties(from: before, to: after, pairs) { entity in
      entity.attributes.map { Item($0.name, $0.renamingIdentifier) }
    }
    relationships = Self.properties(from: before, to: after, pairs) { entity in
      entity.relationships.map { Item($0.name, $0.renamingIdentifier) }
    }
  }

  /// The match the other way round: what was which one afterwards.
  ///
  /// It cannot be found by names: one that was given to something new would lead there.
  package init(inverting match: ModelMatch) {
    func inverted(_ names: [String: String]) -> [String: String] {
      Dictionary(names.map { ($1, $0) }) { first, _ in first }
    }
    func inverted(_ properties: [String: [String: String]]) -> [String: [String: String]] {
      let pairs = properties.compactMap { entity, names in
        match.entities[entity].map { ($0, inverted(names)) }
      }
      return Dictionary(pairs) { first, _ in first }
    }
    entities = match.successors
    successors = match.entities
    attributes = inverted(match.attributes)
    relationships = inverted(match.relationships)
  }

  /// The attributes of an entity after, own and inherited, each with the one that it was before.
  package func attributes(of entity: String) -> [String: String] { attributes[entity] ?? [:] }

  package func relationships(of entity: String) -> [String: String] {
    relationships[entity] ?? [:]
  }

  private static func properties(
    from before: ManagedObjectModel, to after: ManagedObjectModel, _ entities: [String: String],
    _ own: (EntityDescription) -> [Item]
  ) -> [String: [String: String]] {
    let old = effective(before, own)
    let new = effective(after, own)
    var result: [String: [String: String]] = [:]
    for (name, origin) in entities {
      result[name] = pairs(old[origin] ?? [], new[name] ?? [])
    }
    return result
  }

  /// The items of each entity, inherited ones included.
  private static func effective(
    _ model: ManagedObjectModel, _ own: (EntityDescription) -> [Item]
  ) -> [String: [Item]] {
    let entities = model.entities.byName
    return entities.mapValues { entities.line(from: $0).flatMap(own) }
  }
}

// MARK: - Pairs

extension ModelMatch {
  private struct Item {
    let name: String
    let identifier: String?

    init(_ name: String, _ identifier: String?) {
      self.name = name
      self.identifier = identifier
    }
  }

  /// The name before by the name after.
  private static func pairs(_ old: [Item], _ new: [Item]) -> [String: String] {
    let names = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let identifiers = Dictionary(grouping: old.filter { $0.identifier != nil }) {
      $0.identifier ?? ""
    }
    var result: [String: String] = [:]
    var taken: Set<String> = []
    func pass(_ candidate: (Item) -> Item?) {
      for item in new where result[item.name] == nil {
        guard let found = candidate(item), taken.insert(found.name).inserted else { continue }
        result[item.name] = found.name
      }
    }
    func free(_ identifier: String) -> Item? {
      identifiers[identifier]?.first { !taken.contains($0.name) }
    }
    pass { item in
      names[item.name].flatMap {
        item.identifier != nil && $0.identifier == item.identifier ? $0 : nil
      }
    }
    pass { $0.identifier.flatMap(free) }
    pass { $0.identifier.flatMap { names[$0] } }
    pass { names[$0.name] }
    pass { $0.identifier == nil ? free($0.name) : nil }
    return result
  }
}
