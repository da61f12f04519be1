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
    let old = column("t", source)
    let new = lookup(old, foreignKey)
    check(
      count(table, where: "\(old) IS NOT NULL AND \(new) IS NULL"),
      "rows of '\(table.name)' whose '\(source)' leads to no row of '\(foreignKey.parent.table.name)'",
      advice: "mend or remove them with the tool that made them")
    if target.isRequired { requireValues(of: old, source, in: table, name) }
    if isOwnInverse {
      check(
        count(
          table,
          where:
            "\(old) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(table.name)) AS \"o\" WHERE "
            + "\(column("o", foreignKey.key)) = \(old) AND \(column("o", source)) = "
            + "\(column("t", foreignKey.key)))"),
        "rows of '\(table.name)' whose '\(source)' leads to a row that does not lead back, though "
          + "\(name) is its own inverse",
        advice: "mend the rows with the tool that made them")
    }
    if relationship.isOneToOne {
      check(
        "SELECT count(*) FROM (SELECT 1 FROM \(quoted(table.name)) AS \"t\" WHERE \(old) IS NOT NULL "
          + "GROUP BY \(old) HAVING count(*) > 1)",
        "rows of '\(foreignKey.parent.table.name)' that several rows of '\(table.name)' refer to, "
          + "though \(name) is one to one",
        advice: "make the other end to-many in the model, or mend the rows")
    }
    filling.sources.append((target.name, new))
    addBeside(relationship, new, foreignKey.parent.entity, to: &filling)
  }

  /// The objects that have the keys of a relationship of one to one at its other end.
  private func inverseObjects(of relationship: CompiledRelationship) -> ForeignMatch.Objects? {
    guard relationship.isOneToOne, let inverse = model.inverse(of: relationship) else { return nil }
    return match.objects.first {
      $0.columns[inverse.property] != nil && $0.entity.isKind(of: model.entities[inverse.entity])
    }
  }

  /// The column of those keys, with its table.
  private func inverseColumn(of relationship: CompiledRelationship) -> String? {
    guard let objects = inverseObjects(of: relationship),
      let inverse = model.inverse(of: relationship), let column = objects.columns[inverse.property]
    else { return nil }
    return "\(objects.table.name).\(column)"
  }

  /// The other end of a relationship of one to one has the key, and this one gets it too.
  mutating func addFromInverse(
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
    // The other table says what is wrong with the reference.
    guard let keyOfOther = self.key(of: other.table, "o"),
      let own = other.table.reference(of: source).keys(in: table).first,
      table.column(own) != nil
    else { return }
    filling.joins +=
      " LEFT JOIN \(quoted(other.table.name)) AS \"o\" ON \(column("o", source)) = "
      + column("t", own)
    filling.sources.append((target.name, keyOfOther))
    addBeside(relationship, keyOfOther, other.entity, to: &filling)
    guard target.isRequired else { return }
    check(
      count(
        table,
        where: "NOT EXISTS (SELECT 1 FROM \(quoted(other.table.name)) AS \"o\" WHERE "
          + "\(column("o", source)) = \(column("t", own)))"),
      "rows of '\(table.name)' that no row of '\(other.table.name)' refers to, though "
        + "'\(entity.name).\(relationship.name)' is required",
      advice: "make it optional, or mend the rows")
  }

  /// The entity of the object that a key leads to, and the place in its order.
  func addBeside(
    _ relationship: CompiledRelationship, _ value: String, _ entity: CompiledEntity,
    to filling: inout Filling
  ) {
    let own = mapping.entities[filling.objects.entity.index]
    if let index = own.column(.entity, ofProperty: relationship.property) {
      let number = mapping.entities[entity.index].number
      filling.sources.append(
        (own.columns[index].name, "CASE WHEN \(value) IS NOT NULL THEN \(number) END"))
    }
    if let index = own.column(.position, ofProperty: relationship.property) {
      filling.sources.append(
        (
          own.columns[index].name,
          positions(of: value, orderedBy: order(of: filling.objects.table, "t"))
        ))
    }
  }
}
