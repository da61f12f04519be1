package import OxbowModel

/// The points in which two models differ and that no store and no context acts on: class names,
/// renaming identifiers, user info, version identifiers.
package struct ModelRemarks: Sendable {
  /// The points, sorted by entity.
  package private(set) var changes: [ModelChange] = []

  /// Compares what both models have, by the entities and properties that go on.
  package init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let match = ModelMatch(from: before, to: after)
    for entity in after.entities {
      guard let old = match.entities[entity.name].flatMap({ before.entity(named: $0) }) else {
        continue
      }
      compare(.entity, entity.name, nil, old.remarks, entity.remarks)
      let attributes = match.attributes(of: entity.name)
      for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
        guard let was = old.attributes.first(where: { $0.name == attributes[attribute.name] })
        else { continue }
        compare(.attribute, entity.name, attribute.name, was.remarks, attribute.remarks)
      }
      let relationships = match.relationships(of: entity.name)
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
        guard
          let was = old.relationships.first(where: { $0.name == relationships[relationship.name] })
        else { continue }
        compare(.relationship, entity.name, relationship.name, was.remarks, relationship.remarks)
      }
    }
  }

  private mutating func compare(
    _ subject: ModelChange.Subject, _ entity: String, _ property: String?,
    _ before: [(String, String?)], _ after: [(String, String?)]
  ) {
    for ((aspect, old), (_, new)) in zip(before, after) where old != new {
      changes.append(
        ModelChange(
          .changed, subject, entity: entity, property: property, aspect: aspect, before: old,
          after: new, isStored: false))
    }
  }
}

extension EntityDescription {
  fileprivate var remarks: [(String, String?)] {
    [
      ("class", className), ("renaming identifier", renamingIdentifier),
      ("user info", userInfo.remark),
    ]
  }
}

extension AttributeDescription {
  fileprivate var remarks: [(String, String?)] {
    [
      ("renaming identifier", renamingIdentifier), ("user info", userInfo.remark),
    ]
  }
}

extension RelationshipDescription {
  fileprivate var remarks: [(String, String?)] {
    [
      ("transient", isTransient ? "yes" : "no"), ("hash modifier", versionHashModifier),
      ("renaming identifier", renamingIdentifier), ("user info", userInfo.remark),
    ]
  }
}

extension [String: String] {
  /// The pairs in the order of their keys, or `nil` for none.
  fileprivate var remark: String? {
    if isEmpty { return nil }
    return sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }
}
