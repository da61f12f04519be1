internal import OxbowDocuments

extension ModelParser {
  /// Reads entities without the fetch indexes that name a to-many relationship.
  ///
  /// Core Data opens such models and indexes nothing there. A class that declares such an index is
  /// refused: it has been written for Oxbow.
  mutating func withoutIndexesOfMany(_ entities: [EntityDescription]) -> [EntityDescription] {
    let names = entities.byName
    return entities.map { entity in
      var entity = entity
      entity.fetchIndexes = entity.fetchIndexes.filter { index in
        let many = index.elements.map(\.property).first { name in
          find(name, in: entity.name, names)?.relationship.isToMany == true
        }
        guard let many else { return true }
        if let location = entity.location {
          notes.append(
            DocumentNote(
              "fetch index '\(index.name)' of entity '\(entity.name)' is not used: '\(many)' "
                + "is a to-many relationship", at: location))
        }
        return false
      }
      return entity
    }
  }
}
