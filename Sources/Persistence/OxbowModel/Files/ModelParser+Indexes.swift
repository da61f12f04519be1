internal import OxbowDocuments

extension ModelParser {
  /// Reads entities without the fetch indexes that name a to-many relationship, and those of boxes
  /// that cannot be kept.
  ///
  /// Core Data opens such models. A class that declares such an index is refused: it has been
  /// written for Oxbow.
  mutating func withoutUnusedIndexes(_ entities: [EntityDescription]) -> [EntityDescription] {
    let names = entities.byName
    return entities.map { entity in
      var entity = entity
      entity.fetchIndexes = entity.fetchIndexes.filter { index in
        guard let reason = unused(index, entity, names) else { return true }
        if let location = entity.location {
          notes.append(
            DocumentNote(
              "fetch index '\(index.name)' of entity '\(entity.name)' is not used: \(reason)",
              at: location))
        }
        return false
      }
      return entity
    }
  }

  private func unused(
    _ index: FetchIndexDescription, _ entity: EntityDescription,
    _ names: [String: EntityDescription]
  ) -> String? {
    let many = index.elements.map(\.property).first { name in
      find(name, in: entity.name, names)?.relationship.isToMany == true
    }
    if let many { return "'\(many)' is a to-many relationship" }
    return index.boxProblem(in: names.line(from: entity))
  }
}
