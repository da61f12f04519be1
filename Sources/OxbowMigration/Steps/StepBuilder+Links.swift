internal import OxbowModel
internal import OxbowSQL

// MARK: - Tables of links

extension StepBuilder {
  /// The table of a many-to-many relationship or of a to-many without inverse.
  mutating func target(of join: JoinMapping, _ id: RelationshipID) -> TableTarget {
    let table = new.tables.first { $0.name == join.table } ?? TableSchema(name: join.table)
    let entity = new.schema.entities[id.entity]
    let property = entity.properties[id.property]
    guard let relationship = property.relationship, let before = predecessor(of: entity),
      let name = match.relationships(of: entity.name)[property.name],
      let was = before.property(named: name)?.relationship,
      leadsToSameTable(was, relationship)
    else { return fromInverse(join, table, of: entity, property) }
    if let end = old.join(of: was) { return kept(join, table, end) }
    return spread(join, table, before, was)
  }

  /// The relationship itself is new; where its inverse is not, the links are the inverse's.
  private mutating func fromInverse(
    _ join: JoinMapping, _ table: TableSchema, of entity: EntitySchema, _ property: PropertySchema
  ) -> TableTarget {
    guard let relationship = property.relationship,
      let inverse = new.schema.inverse(of: relationship),
      let before = predecessor(of: new.schema.entities[inverse.entity]),
      let name = match.relationships(of: new.schema.entities[inverse.entity].name)[inverse.name],
      let was = before.property(named: name)?.relationship, leadsToSameTable(was, inverse)
    else { return TableTarget(table: table) }
    if let end = old.join(of: was) {
      return kept(join, table, JoinMapping.End(reversing: end, in: old))
    }
    return TableTarget(table: table)
  }

  private func kept(
    _ join: JoinMapping, _ table: TableSchema, _ end: JoinMapping.End
  ) -> TableTarget {
    let other = JoinMapping.End(reversing: end, in: old)
    var sources: [String: ColumnSource] = [
      join.ownerColumn: .column(end.column), join.memberColumn: .column(end.otherColumn),
    ]
    if let position = join.memberPositionColumn {
      sources[position] =
        end.positionColumn.map { .column($0) }
        ?? .position(owner: end.column, by: end.otherColumn)
    }
    if let position = join.ownerPositionColumn {
      sources[position] =
        other.positionColumn.map { .column($0) }
        ?? .position(owner: end.otherColumn, by: end.column)
    }
    return TableTarget(table: table, origin: .table(end.table), sources: sources)
  }

  /// Keys in rows become links in a table of their own.
  private func spread(
    _ join: JoinMapping, _ table: TableSchema, _ before: EntitySchema, _ was: RelationshipSchema
  ) -> TableTarget {
    let holder: (entity: EntitySchema, relationship: RelationshipSchema)? =
      was.isToMany
      ? old.schema.inverse(of: was).map { (old.schema.entities[$0.entity], $0) } : (before, was)
    guard let holder,
      let column = old.entities[holder.entity.index].column(
        ofProperty: holder.relationship.property)
    else { return TableTarget(table: table) }
    let mapping = old.entities[holder.entity.index]
    let key = mapping.columns[column].name
    let (owner, member) = was.isToMany ? (key, mapping.keyColumn) : (mapping.keyColumn, key)
    var sources: [String: ColumnSource] = [
      join.ownerColumn: .column(owner), join.memberColumn: .column(member),
    ]
    if let position = join.memberPositionColumn {
      sources[position] = .position(owner: owner, by: member)
    }
    if let position = join.ownerPositionColumn {
      sources[position] = .position(owner: member, by: owner)
    }
    return TableTarget(
      table: table, origin: .links(table: mapping.table, where: key), sources: sources)
  }
}

extension JoinMapping.End {
  /// The same table from its other end.
  fileprivate init(reversing end: JoinMapping.End, in mapping: StoreMapping) {
    let join = mapping.joins.values.first { $0.table == end.table }
    self = join.map { $0.fromOwner == end ? $0.fromMember : $0.fromOwner } ?? end
  }
}

// MARK: - Uniqueness

extension StepBuilder {
  /// Rows that would break a uniqueness constraint that is new.
  mutating func addUniquenessChecks(of entity: EntitySchema, _ sources: [String: ColumnSource]) {
    guard let before = predecessor(of: entity) else { return }
    let mapping = new.entities[entity.index]
    for constraint in entity.description.uniquenessConstraints {
      let columns = constraint.compactMap { name -> String? in
        guard let property = entity.property(named: name),
          let index = mapping.column(ofProperty: property.index)
        else { return nil }
        return sources[mapping.columns[index].name]?.plainColumn
      }
      // Values that are made anew are the same in all rows or come from an expression: the index
      // itself finds what is wrong with them.
      guard columns.count == constraint.count, !hadUnique(columns, before) else { continue }
      checks.append(
        DataCheck(
          .repeated(
            table: old.entities[before.index].table, columns: columns,
            types: types(of: before, in: old)),
          .init(
            "groups of objects of '\(entity.name)' with the same "
              + constraint.map { "'\($0)'" }.joined(separator: " and ") + ", which becomes unique",
            advice: "merge or delete them with a script before this step")))
    }
  }

  private func hadUnique(_ columns: [String], _ entity: EntitySchema) -> Bool {
    table(old, ofRoot: entity.root)?.indexes.contains {
      $0.isUnique && Set($0.columns.map(\.name)) == Set(columns)
    } ?? false
  }
}
