internal import OxbowModel
internal import OxbowRelational

extension ForeignMatcher {
  mutating func matchLinks() {
    for table in schema.tables where table.kind != .shadow && match.objects(of: table.name) == nil {
      if let links = links(table) {
        if let other = match.links.first(where: { $0.relationship.id == links.relationship.id }) {
          refuse(
            "the tables '\(other.table.name)' and '\(table.name)' both have links of "
              + "'\(name(links.relationship))'; say which of them has no target (--map "
              + "\(table.name)=-)")
          continue
        }
        match.links.append(links)
      } else {
        match.rest.append(table)
      }
    }
  }

  private func name(_ relationship: CompiledRelationship) -> String {
    "\(model.entities[relationship.entity].name).\(relationship.name)"
  }

  private mutating func links(_ table: ForeignSchema.Table) -> ForeignMatch.Links? {
    let said = map.entries.first {
      $0.table.lowercased() == table.name.lowercased() && $0.property != nil
    }
    if said == nil, map.entry(of: table.name) != nil { return nil }
    let keys = table.columns.compactMap { column in
      parent(of: column.name, table).map { (column: column.name, entity: $0.entity) }
    }
    guard table.kind == .ordinary, keys.count == 2 else {
      if let said, said.entity != nil {
        refuse(
          "'\(said.text)': the table '\(table.name)' has \(keys.count) columns with keys of objects, "
            + "and links need two")
      }
      return nil
    }
    let candidates = relationships(keys[0].entity, keys[1].entity).filter { relationship in
      guard let said, let entity = said.entity.flatMap({ model.entity(named: $0) }) else {
        return true
      }
      let named = entity.property(named: said.property ?? "")?.relationship
      return named?.id == relationship.id
        || named.flatMap { model.inverse(of: $0) }?.id == relationship.id
    }
    guard let relationship = candidates.first else {
      if let said { refuse("'\(said.text)' is not a relationship of many to many of these tables") }
      return nil
    }
    guard candidates.count == 1 else {
      refuse(
        "the table '\(table.name)' may have the links of "
          + "\(PersistenceError.listed(candidates.map(name))); say which (--map "
          + "\(table.name)=Entity.relationship), or that it has no target (--map \(table.name)=-)")
      return nil
    }
    guard model.inverse(of: relationship)?.id != relationship.id else {
      refuse(
        "'\(name(relationship))' is its own inverse, and whether '\(table.name)' has its links once or "
          + "in both directions is not known; give it an inverse, or say that the table has no target "
          + "(--map \(table.name)=-)")
      return nil
    }
    return links(table, relationship, keys, said)
  }

  /// The links with the column of the objects that have the relationship.
  private mutating func links(
    _ table: ForeignSchema.Table, _ relationship: CompiledRelationship,
    _ keys: [(column: String, entity: CompiledEntity)], _ said: ForeignMap.Entry?
  ) -> ForeignMatch.Links? {
    let (owner, member) = (
      model.entities[relationship.entity], model.entities[relationship.destination]
    )
    var first = keys.firstIndex { $0.entity.isKind(of: owner) } ?? 0
    if let said, let column = said.column,
      let index = keys.firstIndex(where: { $0.column.lowercased() == column.lowercased() })
    {
      let named = said.entity.flatMap { model.entity(named: $0) }?
        .property(named: said.property ?? "")?.relationship
      first = named?.id == relationship.id ? index : 1 - index
    } else if keys.allSatisfy({ $0.entity.isKind(of: owner) && $0.entity.isKind(of: member) }) {
      refuse(
        "both columns of '\(table.name)' lead to the same table; say which one has the object whose "
          + "'\(relationship.name)' it is (--map \(table.name).\(keys[0].column)=\(name(relationship)))"
      )
      return nil
    }
    guard keys[first].entity.isKind(of: owner), keys[1 - first].entity.isKind(of: member) else {
      refuse("the columns of '\(table.name)' are not the ends of '\(name(relationship))'")
      return nil
    }
    return .init(
      table: table, relationship: relationship, ownerColumn: keys[first].column,
      memberColumn: keys[1 - first].column)
  }

  /// The relationships with links of their own between two entities.
  private func relationships(
    _ first: CompiledEntity, _ second: CompiledEntity
  ) -> [CompiledRelationship] {
    model.entities.flatMap(\.properties).compactMap(\.relationship).filter { relationship in
      guard mapping.joins[relationship.id] != nil else { return false }
      let (owner, member) = (
        model.entities[relationship.entity], model.entities[relationship.destination]
      )
      return first.isKind(of: owner) && second.isKind(of: member)
        || second.isKind(of: owner) && first.isKind(of: member)
    }.reduce(into: []) { found, relationship in
      // Entities below have the same relationship.
      if !found.contains(where: { $0.id == relationship.id }) { found.append(relationship) }
    }
  }

  /// The objects that a column of a table of links leads to: by its foreign key, or by a name like
  /// `book_id` where no foreign key is declared.
  private func parent(of column: String, _ table: ForeignSchema.Table) -> ForeignMatch.Objects? {
    if let reference = table.reference(of: column) { return match.objects(of: reference.table) }
    guard table.references.isEmpty else { return nil }
    return match.objects.first { objects in
      (objects.table.primaryKey + ["id"]).contains { key in
        ForeignName.fits(column, objects.table.name + key, objects.entity.name + key)
      }
    }
  }
}
