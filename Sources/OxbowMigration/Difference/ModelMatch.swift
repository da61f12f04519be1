package import OxbowModel

/// Which entity and which property of a model was which one in the model before.
///
/// An item is the same when it has the same name, or when its renaming identifier is the name or the
/// renaming identifier that an item had before. A renaming identifier may stay in later models.
package struct ModelMatch: Sendable {
  /// The entity before, by the name of the entity after.
  package private(set) var entities: [String: String] = [:]

  /// The entity after, by the name of the entity before.
  package private(set) var successors: [String: String] = [:]

  private let before: [String: EntityDescription]
  private let after: [String: EntityDescription]

  package init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    self.before = Dictionary(before.entities.map { ($0.name, $0) }) { first, _ in first }
    self.after = Dictionary(after.entities.map { ($0.name, $0) }) { first, _ in first }
    entities = Self.pairs(
      before.entities.map { ($0.name, $0.renamingIdentifier) },
      after.entities.map { ($0.name, $0.renamingIdentifier) })
    for (new, old) in entities { successors[old] = new }
  }

  /// The own properties of an entity after, each with the property that it was before; properties
  /// that the entity inherited before count as well.
  package func attributes(of entity: String) -> [String: String] {
    properties(of: entity) { $0.attributes.map { ($0.name, $0.renamingIdentifier) } }
  }

  /// Likewise, its relationships.
  package func relationships(of entity: String) -> [String: String] {
    properties(of: entity) { $0.relationships.map { ($0.name, $0.renamingIdentifier) } }
  }

  private func properties(
    of entity: String, _ list: (EntityDescription) -> [(name: String, identifier: String?)]
  ) -> [String: String] {
    guard let new = after[entity], let oldName = entities[entity] else { return [:] }
    var old: [(name: String, identifier: String?)] = []
    var next = before[oldName]
    while let current = next, old.count < 10_000 {
      old += list(current)
      next = current.parent.flatMap { before[$0] }
    }
    return Self.pairs(old, list(new))
  }

  /// The name before by the name after.
  private static func pairs(
    _ old: [(name: String, identifier: String?)], _ new: [(name: String, identifier: String?)]
  ) -> [String: String] {
    var result: [String: String] = [:]
    var taken: Set<String> = []
    func pass(
      _ isSame: ((name: String, identifier: String?), (name: String, identifier: String?))
        -> Bool
    ) {
      for item in new where result[item.name] == nil {
        guard let found = old.first(where: { !taken.contains($0.name) && isSame($0, item) })
        else { continue }
        result[item.name] = found.name
        taken.insert(found.name)
      }
    }
    pass { $0.name == $1.name && $0.identifier != nil && $0.identifier == $1.identifier }
    pass { $1.identifier != nil && $0.identifier == $1.identifier }
    pass { $1.identifier != nil && $0.name == $1.identifier }
    pass { $0.name == $1.name }
    return result
  }
}
