package import OxbowModel

/// The points in which two models differ and that no store and no context acts on: class names,
/// renaming identifiers, user info, version identifiers.
package struct ModelRemarks: Sendable {
  package private(set) var changes: [ModelChange] = []

  /// Compares the entities and properties that both models have.
  package init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let match = ModelMatch(from: before, to: after)
    for entity in after.entities {
      guard let old = match.entities[entity.name].flatMap({ before.entity(named: $0) }) else {
        continue
      }
      var aspects = Aspects(.entity, entity: entity.name, isStored: false)
      aspects.compare("class", old.className, entity.className)
      aspects.compare("renaming identifier", old.renamingIdentifier, entity.renamingIdentifier)
      aspects.compare("user info", old.userInfo.remark, entity.userInfo.remark)
      changes += aspects.changes
      compare(AttributeDescription.self, old, entity, match)
      compare(RelationshipDescription.self, old, entity, match)
    }
  }

  private mutating func compare<P: ComparedProperty>(
    _ kind: P.Type, _ old: EntityDescription, _ new: EntityDescription, _ match: ModelMatch
  ) {
    let names = P.pairs(match, new.name)
    for property in P.sorted(new) {
      guard let was = P.all(of: old).first(where: { $0.name == names[property.name] }) else {
        continue
      }
      var aspects = Aspects(
        P.subject, entity: new.name, property: property.name, isStored: false)
      property.compareRemarks(with: was, &aspects)
      changes += aspects.changes
    }
  }
}

extension AttributeDescription {
  func compareRemarks(with old: Self, _ aspects: inout Aspects) {
    aspects.compare("renaming identifier", old.renamingIdentifier, renamingIdentifier)
    aspects.compare("user info", old.userInfo.remark, userInfo.remark)
  }
}

extension RelationshipDescription {
  func compareRemarks(with old: Self, _ aspects: inout Aspects) {
    aspects.compare("transient", old.isTransient, isTransient)
    aspects.compare("hash modifier", old.versionHashModifier, versionHashModifier)
    aspects.compare("renaming identifier", old.renamingIdentifier, renamingIdentifier)
    aspects.compare("user info", old.userInfo.remark, userInfo.remark)
  }
}

extension [String: String] {
  /// The pairs in the order of their keys, or `nil` for none.
  fileprivate var remark: String? {
    isEmpty
      ? nil : sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }
}
