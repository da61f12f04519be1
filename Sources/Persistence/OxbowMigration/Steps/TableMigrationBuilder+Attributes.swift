internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// What an attribute's column is made of: for each entity that has the attribute, the one that it
  /// was before.
  mutating func attributeSource(
    of attribute: AttributeDescription, _ column: MappedColumn, in entity: CompiledEntity
  ) -> ColumnSource? {
    guard let root = lineage.oldRoot(of: entity) else { return nil }
    let parts = origins(of: attribute, in: entity).map { origin in
      part(of: attribute, column, origin, in: entity, root)
    }
    return lineage.combined(parts, of: root)
  }

  /// An attribute before, and the entities for which it is the one.
  private struct Origin {
    var before: (entity: CompiledEntity, property: CompiledProperty)?
    var numbers: [Int64]
  }

  private func origins(of attribute: AttributeDescription, in entity: CompiledEntity) -> [Origin] {
    var result: [Origin] = []
    func add(_ entity: CompiledEntity, _ before: CompiledEntity, _ numbers: [Int64]) {
      let property = match.attributes(of: entity.name)[attribute.name]
        .flatMap { before.property(named: $0) }
      let declaring = property.map { old.model.entities[$0.declaringEntity] }
      let isSame = { (origin: Origin) in
        origin.before?.entity.index == declaring?.index
          && origin.before?.property.index == property?.index
      }
      if let index = result.firstIndex(where: isSame) {
        result[index].numbers += numbers
      } else {
        let before = property.flatMap { property in declaring.map { ($0, property) } }
        result.append(Origin(before: before, numbers: numbers))
      }
    }
    for (entity, before) in lineage.populated(entity) {
      add(entity, before, [old.entities[before.index].number])
    }
    // Without rows the column is still the same one, and the table need not be written anew.
    if result.isEmpty, let before = lineage.predecessor(of: entity) { add(entity, before, []) }
    return result
  }

  private mutating func part(
    of attribute: AttributeDescription, _ column: MappedColumn, _ origin: Origin,
    in entity: CompiledEntity, _ root: CompiledEntity
  ) -> SourcePart {
    let all = lineage.survivors(root)
    let types = lineage.condition(origin.numbers, of: root)
    guard let (owner, property) = origin.before, let before = property.attribute,
      let oldColumn = oldColumn(owner, property, .attribute)
    else {
      let value = newValue(of: attribute, column, in: entity, root, types, origin.numbers)
      return SourcePart(numbers: origin.numbers, source: value, holders: all)
    }
    let table = old.entities[root.index].table
    if attribute.derivation == nil || before.derivation != nil {
      used[.init(table: table, column: oldColumn.name), default: []].formUnion(origin.numbers)
    }
    if attribute.derivation != nil {
      // It is computed at the end, whatever was there.
      return SourcePart(
        numbers: origin.numbers,
        source: attribute.type == before.type ? .column(oldColumn.name) : nil,
        holders: lineage.survivors(owner))
    }
    let source = converted(attribute, from: before, oldColumn.name, in: entity, table, types)
    let same = SourcePart(
      numbers: origin.numbers, source: source, holders: lineage.survivors(owner))
    // What the model required has a value, whether the column was declared so or not; a column that
    // becomes NOT NULL is looked at all the same.
    guard column.isRequired,
      before.isOptional || column.isDeclaredRequired && !oldColumn.isDeclaredRequired
    else { return same }
    if before.isOptional, let value = constant(attribute, column) {
      return SourcePart(numbers: origin.numbers, source: .filled(source, value), holders: all)
    }
    check(
      .missing(table: table, column: oldColumn.name, types: types),
      "objects of '\(entity.name)' without a value for '\(attribute.name)', which becomes required",
      advice: "give the attribute a default value, or fill it with a script before this step")
    return same
  }

  private mutating func newValue(
    of attribute: AttributeDescription, _ column: MappedColumn, in entity: CompiledEntity,
    _ root: CompiledEntity, _ types: [Int64]?, _ numbers: [Int64]
  ) -> ColumnSource? {
    if attribute.derivation != nil { return nil }
    if let value = constant(attribute, column) { return .constant(value) }
    guard column.isRequired, !numbers.isEmpty else { return nil }
    check(
      .rows(table: old.entities[root.index].table, types: types),
      "objects of '\(entity.name)' that would have no value for the new attribute "
        + "'\(attribute.name)', which is required and has no default value",
      advice: "give it a default value, or make it optional, fill it, then require it")
    return nil
  }

  private func constant(_ attribute: AttributeDescription, _ column: MappedColumn) -> SQLValue? {
    attribute.defaultValue.flatMap { column.codec.encode($0) }
  }

  /// A column that a property had before.
  func oldColumn(
    _ entity: CompiledEntity, _ property: CompiledProperty, _ role: MappedColumn.Role
  ) -> MappedColumn? {
    old.entities[entity.index].columns.first { $0.property == property.index && $0.role == role }
  }
}
