internal import OxbowModel
internal import OxbowSQL

extension StepBuilder {
  /// The table of a root entity and of all below it.
  mutating func target(ofRoot root: EntitySchema) -> TableTarget {
    let mapping = new.entities[root.index]
    let table = table(new, ofRoot: root.index) ?? TableSchema(name: mapping.table)
    guard let before = predecessor(of: root) else { return TableTarget(table: table) }
    let oldMapping = old.entities[before.index]
    var sources: [String: ColumnSource] = [
      mapping.keyColumn: .column(oldMapping.keyColumn),
      mapping.versionColumn: .column(oldMapping.versionColumn),
    ]
    if let type = mapping.typeColumn {
      sources[type] =
        oldMapping.typeColumn.map { .column($0) }
        ?? .constant(.integer(oldMapping.number))
    }
    for entity in root.subtree.map({ new.schema.entities[$0] }) {
      for (column, source) in columns(of: entity) { sources[column] = source }
      addUniquenessChecks(of: entity, sources)
    }
    return TableTarget(table: table, origin: .table(oldMapping.table), sources: sources)
  }

  /// The sources of the columns that an entity declares itself.
  private mutating func columns(of entity: EntitySchema) -> [(String, ColumnSource)] {
    var result: [(String, ColumnSource)] = []
    for column in new.entities[entity.index].columns {
      let property = entity.properties[column.property]
      guard property.declaringEntity == entity.index else { continue }
      let source =
        switch column.role {
        case .attribute: attributeSource(of: property, column, in: entity)
        case .key: keySource(of: property, column, in: entity)
        case .entity: entitySource(of: property, in: entity)
        case .position: positionSource(of: property, in: entity)
        }
      if let source { result.append((column.name, source)) }
    }
    return result
  }

  /// A column that an entity had, by property and role.
  private func oldColumn(
    _ entity: EntitySchema, _ property: String, _ role: MappedColumn.Role
  ) -> MappedColumn? {
    guard let property = entity.property(named: property) else { return nil }
    return old.entities[entity.index].columns.first {
      $0.property == property.index && $0.role == role
    }
  }

  /// The property before: of the entity itself, or of the only entity below that declared it.
  private func oldProperty(
    _ name: String, _ pairs: [String: String], in entity: EntitySchema, isAttribute: Bool
  ) -> (entity: EntitySchema, property: PropertySchema)? {
    guard let before = predecessor(of: entity) else { return nil }
    if let was = pairs[name] {
      return before.property(named: was).map { (before, $0) }
    }
    let below = before.subtree.dropFirst().map { old.schema.entities[$0] }.compactMap { entity in
      entity.properties.first {
        $0.name == name && $0.declaringEntity == entity.index
          && ($0.attribute != nil) == isAttribute
      }.map { (entity, $0) }
    }
    return below.count == 1 ? below.first : nil
  }
}

// MARK: - Attributes

extension StepBuilder {
  private mutating func attributeSource(
    of property: PropertySchema, _ column: MappedColumn, in entity: EntitySchema
  ) -> ColumnSource? {
    guard let attribute = property.attribute, predecessor(of: entity) != nil else { return nil }
    let pairs = match.attributes(of: entity.name)
    guard
      let (oldEntity, before) = oldProperty(
        property.name, pairs, in: entity, isAttribute: true),
      let oldAttribute = before.attribute,
      let oldColumn = oldColumn(oldEntity, before.name, .attribute)
    else { return newAttribute(attribute, column, in: entity) }
    let source = converted(
      attribute, from: oldAttribute, oldColumn.name, in: entity, old.entities[oldEntity.index].table
    )
    guard column.isRequired, oldAttribute.isOptional || oldEntity.root != oldEntity.index else {
      return source
    }
    if let value = constant(attribute, column) { return ColumnSource.filled(source, value) }
    let types = predecessor(of: entity).flatMap { self.types(of: $0, in: old) }
    checks.append(
      DataCheck(
        .missing(
          table: old.entities[oldEntity.index].table, column: oldColumn.name, types: types),
        .init(
          "objects of '\(entity.name)' without a value for '\(attribute.name)', which becomes "
            + "required",
          advice: "give the attribute a default value, or fill it with a script before this step")))
    return source
  }

  private mutating func newAttribute(
    _ attribute: AttributeDescription, _ column: MappedColumn, in entity: EntitySchema
  ) -> ColumnSource? {
    guard let before = predecessor(of: entity) else { return nil }
    if let value = constant(attribute, column) {
      guard let types = types(of: before, in: old) else { return ColumnSource.constant(value) }
      return ColumnSource.typed(types, value: value, other: nil)
    }
    if column.isRequired {
      checks.append(
        DataCheck(
          .rows(
            table: old.entities[before.index].table, types: types(of: before, in: old)),
          .init(
            "objects of '\(entity.name)' that would have no value for the new attribute "
              + "'\(attribute.name)', which is required and has no default value",
            advice: "give it a default value, or make it optional, fill it, then require it")))
    }
    return nil
  }

  private func constant(_ attribute: AttributeDescription, _ column: MappedColumn) -> SQLValue? {
    attribute.defaultValue.flatMap { column.codec.encode($0) }
  }
}

// MARK: - To-one relationships

extension StepBuilder {
  /// The relationship before whose keys lead to the same table, or `nil`.
  private func oldToOne(
    _ property: PropertySchema, in entity: EntitySchema
  ) -> (entity: EntitySchema, property: PropertySchema, relationship: RelationshipSchema)? {
    let pairs = match.relationships(of: entity.name)
    guard let relationship = property.relationship,
      let (oldEntity, before) = oldProperty(property.name, pairs, in: entity, isAttribute: false),
      let was = before.relationship, !was.isToMany, leadsToSameTable(was, relationship)
    else { return nil }
    return (oldEntity, before, was)
  }

  func leadsToSameTable(_ before: RelationshipSchema, _ after: RelationshipSchema) -> Bool {
    let root = new.schema.entities[new.schema.entities[after.destination].root]
    return predecessor(of: root)?.index == old.schema.entities[before.destination].root
  }

  private mutating func keySource(
    of property: PropertySchema, _ column: MappedColumn, in entity: EntitySchema
  ) -> ColumnSource? {
    guard let before = predecessor(of: entity), let relationship = property.relationship else {
      return nil
    }
    let table = old.entities[before.index].table
    let types = types(of: before, in: old)
    guard let (oldEntity, was, oldRelationship) = oldToOne(property, in: entity),
      let key = oldColumn(oldEntity, was.name, .key)
    else {
      refuseLostLinks(property, in: entity)
      if column.isRequired {
        checks.append(
          DataCheck(
            .rows(table: table, types: types),
            .init(
              "objects of '\(entity.name)' that would lead nowhere by the new relationship "
                + "'\(property.name)', which is required",
              advice: "make it optional, set it, then require it")))
      }
      return nil
    }
    if column.isRequired, oldRelationship.isOptional || oldEntity.root != oldEntity.index {
      checks.append(
        DataCheck(
          .missing(table: table, column: key.name, types: types),
          .init(
            "objects of '\(entity.name)' that lead nowhere by '\(property.name)', which becomes "
              + "required", advice: "set it or delete them with a script before this step")))
    }
    checkNarrowing(relationship, oldRelationship, oldEntity, was, table)
    return .column(key.name)
  }

  /// Keys of objects that are no longer of the destination's entities.
  private mutating func checkNarrowing(
    _ relationship: RelationshipSchema, _ before: RelationshipSchema, _ entity: EntitySchema,
    _ property: PropertySchema, _ table: String
  ) {
    guard let column = oldColumn(entity, property.name, .entity) else { return }
    let allowed = new.schema.entities[relationship.destination].concrete
      .map { new.entities[$0].number }.sorted()
    let had = old.schema.entities[before.destination].concrete.map { old.entities[$0].number }
    guard !Set(had).isSubset(of: allowed) else { return }
    checks.append(
      DataCheck(
        .unlisted(table: table, column: column.name, allowed),
        .init(
          "links of '\(property.name)' to objects that are no "
            + "'\(new.schema.entities[relationship.destination].name)'",
          advice: "clear them with a script before this step")))
  }

  private func entitySource(of property: PropertySchema, in entity: EntitySchema) -> ColumnSource? {
    guard let (oldEntity, was, oldRelationship) = oldToOne(property, in: entity),
      let key = oldColumn(oldEntity, was.name, .key)
    else { return nil }
    if let column = oldColumn(oldEntity, was.name, .entity) { return .column(column.name) }
    return .entityOfKey(key.name, old.entities[oldRelationship.destination].number)
  }

  private func positionSource(
    of property: PropertySchema, in entity: EntitySchema
  ) -> ColumnSource? {
    guard let (oldEntity, was, _) = oldToOne(property, in: entity),
      let key = oldColumn(oldEntity, was.name, .key)
    else { return nil }
    if let column = oldColumn(oldEntity, was.name, .position) { return .column(column.name) }
    return .position(owner: key.name, by: old.entities[oldEntity.index].keyColumn)
  }

  /// Adds a check for a to-one relationship that was to-many before, where one of many would stay.
  private mutating func refuseLostLinks(_ property: PropertySchema, in entity: EntitySchema) {
    guard let before = predecessor(of: entity),
      let name = match.relationships(of: entity.name)[property.name],
      let was = before.property(named: name)?.relationship, was.isToMany,
      let join = old.join(of: was)
    else { return }
    checks.append(
      DataCheck(
        .rows(table: join.table, types: nil),
        .init(
          "links of '\(entity.name).\(property.name)', which becomes to-one and can keep only one "
            + "of many",
          advice: "add a new to-one relationship, choose with a script, then remove this one")))
  }
}
