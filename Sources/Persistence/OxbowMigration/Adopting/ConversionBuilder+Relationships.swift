internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  mutating func add(
    _ relationship: CompiledRelationship, _ target: MappedColumn,
    to filling: inout Filling
  ) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let destination = model.entities[relationship.destination]
    let name = "'\(entity.name).\(relationship.name)'"
    guard let source = filling.objects.columns[target.property] else {
      return addFromInverse(of: relationship, target, to: &filling)
    }
    let isOwnInverse = model.inverse(of: relationship)?.id == relationship.id
    if !isOwnInverse, let other = inverseColumn(of: relationship), relationship.storage == .ownKey {
      refuse(
        "'\(table.name).\(source)' and '\(other)' are both ends of \(name), which is one to one; say "
          + "which of them has no target (--map \(other)=-)")
    }
    guard let foreignKey = foreignKey(source, of: table, to: destination) else { return }
    let rows = filling.rows
    let new = key(
      source, foreignKey, in: rows, advice: "mend or remove them with the tool that made them")
    if target.isRequired { requireValues(in: source, of: rows, name) }
    if isOwnInverse {
      check(
        rows.countOneWay(source, to: foreignKey.key),
        "rows of '\(table.name)' whose '\(source)' leads to a row that does not lead back, though "
          + "\(name) is its own inverse",
        advice: "mend the rows with the tool that made them")
    }
    if relationship.isOneToOne {
      check(
        rows.countShared(rows.column(source)),
        "rows of '\(foreignKey.parent.table.name)' that several rows of '\(table.name)' refer to, "
          + "though \(name) is one to one",
        advice: "make the other end to-many in the model, or mend the rows")
    }
    filling.rows.fill(target.name, new)
    addBeside(relationship, new, foreignKey.parent.entity, to: &filling)
  }

  /// The objects that have the keys of a one-to-one relationship at its other end.
  private func inverseObjects(of relationship: CompiledRelationship) -> ForeignMatch.Objects? {
    guard relationship.isOneToOne, let inverse = model.inverse(of: relationship) else { return nil }
    return match.objects.first {
      $0.columns[inverse.property] != nil && $0.entity.isKind(of: model.entities[inverse.entity])
    }
  }

  /// The column of those keys, as "table.column".
  private func inverseColumn(of relationship: CompiledRelationship) -> String? {
    guard let objects = inverseObjects(of: relationship),
      let inverse = model.inverse(of: relationship), let column = objects.columns[inverse.property]
    else { return nil }
    return "\(objects.table.name).\(column)"
  }

  /// Fills a key of a one-to-one relationship whose other end has it.
  private mutating func addFromInverse(
    of relationship: CompiledRelationship, _ target: MappedColumn,
    to filling: inout Filling
  ) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let other = inverseObjects(of: relationship)
    guard let other, let inverse = model.inverse(of: relationship),
      let source = other.columns[inverse.property]
    else {
      if target.isRequired, table.rows > 0 {
        refuse(
          "'\(entity.name).\(relationship.name)' is required, and no column of '\(table.name)' is it; "
            + "say which one (--map \(table.name).COLUMN=\(entity.name).\(relationship.name)), or "
            + "make it optional")
      }
      return
    }
    // What is wrong with the reference is reported for the other table.
    guard let own = other.table.reference(of: source).keys(in: table).first,
      table.column(own) != nil,
      let key = filling.rows.join(other.table, on: source, to: own)
    else { return }
    filling.rows.fill(target.name, key)
    addBeside(relationship, key, other.entity, to: &filling)
    guard target.isRequired else { return }
    check(
      filling.rows.countUnreferenced(own, by: source, of: other.table),
      "rows of '\(table.name)' that no row of '\(other.table.name)' refers to, though "
        + "'\(entity.name).\(relationship.name)' is required",
      advice: "make it optional, or mend the rows")
  }

  /// Adds the entity of the object that a key leads to, and the place in its order.
  private func addBeside(
    _ relationship: CompiledRelationship, _ key: String, _ entity: CompiledEntity,
    to filling: inout Filling
  ) {
    let own = mapping.entities[filling.objects.entity.index]
    if let index = own.column(.entity, ofProperty: relationship.property) {
      let number = mapping.entities[entity.index].number
      filling.rows.fill(own.columns[index].name, filling.rows.entity(number, of: key))
    }
    if let index = own.column(.position, ofProperty: relationship.property) {
      filling.rows.fill(own.columns[index].name, filling.rows.position(of: key))
    }
  }
}
