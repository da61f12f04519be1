internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// Counts the values of each column that only some entities keep, or none, and the objects of
  /// hierarchies that go.
  mutating func addLosses() {
    for entity in old.model.entities {
      let root = old.model.entities[entity.root]
      guard lineage.goesOn(root: root.index) else {
        if !entity.isAbstract { addLostObjects(of: entity) }
        continue
      }
      for column in old.entities[entity.index].columns where column.role == .attribute {
        let property = entity.properties[column.property]
        // A computed value is not a loss: what it is computed from stays, or is counted.
        guard property.declaringEntity == entity.index, property.attribute?.derivation == nil
        else { continue }
        addLostValues(of: column, entity, root)
      }
    }
  }

  mutating func addLostObjects(of entity: CompiledEntity) {
    let mapping = old.entities[entity.index]
    lose(
      .rows(table: mapping.table, types: mapping.typeColumn == nil ? nil : [mapping.number]),
      "objects of '\(entity.name)'"
        + (match.successors[entity.name] == nil ? "" : ", which becomes abstract"))
  }

  private mutating func addLostValues(
    of column: MappedColumn, _ entity: CompiledEntity, _ root: CompiledEntity
  ) {
    let table = old.entities[root.index].table
    let kept = used[OldColumn(table: table, column: column.name)] ?? []
    let lost = lineage.survivors(entity).filter { !kept.contains($0) }
    guard !lost.isEmpty else { return }
    lose(
      .present(table: table, column: column.name, types: lineage.condition(lost, of: root)),
      "values of '\(entity.name).\(entity.properties[column.property].name)'")
  }
}
