package import OxbowModel

extension ModelRecord {
  /// The record of a store that is made for a model.
  package init(new mapping: StoreMapping, _ part: ModelPart) {
    let entities = mapping.model.entities.filter { part.entities.contains($0.index) }
    self.init(
      hash: part.versionHash,
      // Only a migration without a folder needs the document, so a model that none can hold
      // (control characters in a default value) does not make it refuse the store.
      document: try? ModelWriter.text(part.source),
      entities: entities.map { entity in
        EntityRecord(
          number: mapping.entities[entity.index].number, name: entity.name,
          hash: entity.description.versionHash)
      },
      roots: entities.filter { $0.root == $0.index }.map { mapping.entities[$0.index].number })
  }
}
