internal import OxbowModel

extension CoreDataRule {
  /// The rules of links: keys of to-one relationships, and rows of links.
  static func ofLinks(_ mapping: StoreMapping) -> [CoreDataRule] {
    let keys = mapping.model.entities.flatMap { entity in
      entity.relationships.filter { $0.declaringEntity == entity.index }.flatMap {
        key($0, entity, mapping)
      }
    }
    return keys
      + mapping.joins.sorted {
        ($0.value.table, $0.value.ownerColumn) < ($1.value.table, $1.value.ownerColumn)
      }
      .flatMap { links($0.key, $0.value, mapping) }
  }

  // MARK: To-one relationships

  private static func key(
    _ property: CompiledProperty, _ entity: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[entity.index]
    guard let relationship = property.relationship,
      let column = table.column(ofProperty: property.index).map({ table.columns[$0] })
    else { return [] }
    let destination = mapping.model.entities[relationship.destination]
    let (subject, key) = ("\(table.table).\(column.name)", "r.\(quoted(column.name))")
    func rows(_ condition: String) -> String { mapping.rows(of: entity, where: condition) }
    var rules = [
      damage(subject, "not a whole number", rows("typeof(\(key)) NOT IN ('null', 'integer')")),
      leftover(
        subject, "leads to no row",
        rows("\(key) IS NOT NULL AND NOT \(mapping.exists(key, of: destination))")),
      damage(
        subject, "leads to a row of another entity",
        rows(mapping.exists(key, of: destination, isOther: true))),
    ]
    if column.isRequired {
      rules.append(
        leftover(subject, "null where the model needs an object", rows("\(key) IS NULL")))
    }
    rules += besides(column, relationship, entity, mapping)
    if relationship.isOneToOne, let back = mapping.model.inverse(of: relationship),
      let inverse = mapping.entities[back.entity].column(ofProperty: back.property)
    {
      let name = mapping.entities[back.entity].columns[inverse].name
      rules.append(
        damage(
          subject, "leads to a row that does not lead back",
          rows(mapping.exists(key, of: destination, and: "x.\(quoted(name)) IS NOT r.Z_PK"))))
    }
    return rules
  }

  /// The columns beside a key.
  private static func besides(
    _ column: MappedColumn, _ relationship: CompiledRelationship, _ entity: CompiledEntity,
    _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[entity.index]
    let key = "r.\(quoted(column.name))"
    var rules: [CoreDataRule] = []
    if let place = table.column(.entity, ofProperty: column.property) {
      let (name, number) = (table.columns[place].name, "r.\(quoted(table.columns[place].name))")
      let destination = mapping.model.entities[relationship.destination]
      rules.append(
        damage(
          "\(table.table).\(name)", "not the entity of what '\(column.name)' leads to",
          mapping.rows(
            of: entity,
            where: "(\(number) IS NULL) <> (\(key) IS NULL) OR "
              + mapping.exists(key, of: destination, and: "x.Z_ENT IS NOT \(number)"))))
    }
    if let place = table.column(.position, ofProperty: column.property) {
      let type = table.typeColumn.map {
        "r.\(quoted($0)) IN \(mapping.numbers(entity.subtree))"
      }
      rules += positions(
        "\(table.table).\(table.columns[place].name)", table.table, "r.Z_PK", owner: column.name,
        table.columns[place].name, type ?? "1")
    }
    return rules
  }

  // MARK: To-many relationships

  private static func links(
    _ id: RelationshipID, _ join: JoinMapping, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let model = mapping.model
    guard let relationship = model.entities[id.entity].properties[id.property].relationship else {
      return []
    }
    let (owners, members) = (model.entities[id.entity], model.entities[relationship.destination])
    let (owner, member) = ("r.\(quoted(join.ownerColumn))", "r.\(quoted(join.memberColumn))")
    guard !join.isMemberKey else {
      return [
        leftover(
          "\(join.table).\(join.ownerColumn)", "leads to no row",
          "SELECT \(member) FROM \(quoted(join.table)) AS r WHERE \(owner) IS NOT NULL AND NOT "
            + mapping.exists(owner, of: owners, isOther: false))
      ]
    }
    let place = "\(owner) || '-' || \(member)"
    let rows = "SELECT \(place) FROM \(quoted(join.table)) AS r WHERE "
    var rules = [
      leftover(
        join.table, "links a row that is not there",
        rows
          + "NOT \(mapping.exists(owner, of: owners)) OR NOT \(mapping.exists(member, of: members))"
      ),
      damage(
        join.table, "links rows of other entities",
        rows + mapping.exists(owner, of: owners, isOther: true) + " OR "
          + mapping.exists(member, of: members, isOther: true)),
    ]
    for (column, position) in [
      (join.ownerColumn, join.memberPositionColumn), (join.memberColumn, join.ownerPositionColumn),
    ] {
      guard let position else { continue }
      rules += positions(
        "\(join.table).\(position)", join.table, place, owner: column, position, "1")
    }
    if relationship.description.maximumCount > 1 {
      rules.append(
        leftover(
          join.table, "more than \(relationship.description.maximumCount) '\(relationship.name)'",
          "SELECT \(owner) FROM \(quoted(join.table)) AS r GROUP BY 1 "
            + "HAVING count(*) > \(relationship.description.maximumCount)"))
    }
    return rules
  }
}
