internal import OxbowDocuments

extension ModelParser {
  /// Reads a relationship without its inverse when that one belongs to another relationship.
  ///
  /// Xcode lets two relationships name the same inverse, which names one of them back; Core Data
  /// opens such models. The other one has no inverse then. What names nothing, or an inverse that
  /// names nothing back, is a slip, and validation reports it.
  mutating func withoutContestedInverses(_ entities: [EntityDescription]) -> [EntityDescription] {
    let names = entities.byName
    return entities.map { entity in
      var entity = entity
      entity.relationships = entity.relationships.map { relationship in
        guard let owner = owner(of: relationship, in: entity, names) else { return relationship }
        if let location = relationship.location {
          notes.append(
            DocumentNote(
              "relationship '\(relationship.name)' of entity '\(entity.name)' is read "
                + "without an inverse: '\(relationship.inverse ?? "")' of "
                + "'\(relationship.destination)' is the inverse of '\(owner)'", at: location))
        }
        var alone = relationship
        alone.inverse = nil
        return alone
      }
      return entity
    }
  }

  /// The relationship that a relationship's inverse names back, when it is another one.
  private func owner(
    of relationship: RelationshipDescription, in entity: EntityDescription,
    _ entities: [String: EntityDescription]
  ) -> String? {
    guard let name = relationship.inverse,
      let (_, inverse) = find(name, in: relationship.destination, entities),
      let back = inverse.inverse,
      let (declaring, owner) = find(back, in: inverse.destination, entities),
      owner.inverse == name, declaring != entity.name || owner.name != relationship.name
    else { return nil }
    return "\(declaring).\(owner.name)"
  }

  /// A relationship of an entity or of one that it inherits from.
  func find(
    _ name: String, in entity: String, _ entities: [String: EntityDescription]
  ) -> (entity: String, relationship: RelationshipDescription)? {
    let line = entities[entity].map { entities.line(from: $0) } ?? []
    return line.lazy.compactMap { current in
      current.relationships.first { $0.name == name }.map { (current.name, $0) }
    }.first
  }
}
