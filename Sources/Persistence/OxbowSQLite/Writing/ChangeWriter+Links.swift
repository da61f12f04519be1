internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// MARK: - Links in keys

extension ChangeWriter {
  mutating func gather(_ changes: ChangeSet) throws {
    var known: [RelationshipID: LinkColumns?] = [:]
    for link in changes.links {
      guard let columns = try columns(of: link, &known) else { continue }
      add(
        link.owner, columns.ownKey, columns.ownEntity, to: link.member,
        position: try columns.ownPosition.map { ($0, try position(of: link, columns, changes)) })
      if let key = columns.otherKey { add(link.member, key, columns.otherEntity, to: link.owner) }
    }
    for link in changes.unlinks {
      guard let columns = try columns(of: link, &known) else { continue }
      clear(
        link.owner, columns.ownKey, [columns.ownEntity, columns.ownPosition], from: link.member)
      if let key = columns.otherKey {
        clear(link.member, key, [columns.otherEntity], from: link.owner)
      }
    }
    // Deleted rows are gone with their keys.
    if assignments.isEmpty { return }
    for delete in changes.deletes {
      _ = assignments.take(root: root(delete.entity), key: delete.key)
    }
  }

  private func columns(of link: ChangeSet.Link, _ known: inout [RelationshipID: LinkColumns?])
    throws -> LinkColumns?
  {
    if let columns = known[link.relationship] { return columns }
    let relationship = try relationship(link.relationship)
    let columns =
      relationship.storage == .ownKey ? LinkColumns(relationship, mapping) : nil
    known[link.relationship] = .some(columns)
    return columns
  }

  func relationship(_ id: RelationshipID) throws -> CompiledRelationship {
    let property = mapping.model.property(id)
    guard let relationship = property.relationship, relationship.storage.isCanonical else {
      preconditionFailure(
        "links are given from the canonical end; '\(property.name)' is not canonical")
    }
    return relationship
  }

  private mutating func add(
    _ row: ObjectReference, _ key: Int, _ entity: Int?, to other: ObjectReference,
    position: (column: Int, value: Int64?)? = nil
  ) {
    let root = root(row.entity)
    assignments.add(row, root: root, column: key, value: other.key)
    if let entity {
      assignments.add(
        row, root: root, column: entity, value: mapping.entities[other.entity].number)
    }
    if let position {
      assignments.add(row, root: root, column: position.column, value: position.value)
    }
  }

  private mutating func clear(
    _ row: ObjectReference, _ key: Int, _ others: [Int?], from other: ObjectReference
  ) {
    let root = root(row.entity)
    assignments.add(
      row, root: root, column: key, value: nil, expected: other.key, isUnlink: true)
    for column in others.compactMap(\.self) {
      assignments.add(row, root: root, column: column, value: nil, isUnlink: true)
    }
  }
}

// MARK: - Links in join rows

extension ChangeWriter {
  mutating func removeLinks(_ links: [ChangeSet.Link]) throws {
    for (id, group) in grouped(links, by: \.relationship) {
      guard let join = mapping.joins[id] else { continue }
      let isOwnInverse = try isOwnInverse(id)
      let sql = statements.value(.unlink(table: join.table)) { generator.unlink(join) }
      try connection.withStatement(sql) { statement throws in
        for link in group {
          var isChanging = history == nil
          for (owner, member) in directions(of: link, isOwnInverse) {
            try statement.run([.integer(owner.key), .integer(member.key)])
            isChanging = isChanging || connection.changes > 0
          }
          if !isChanging { noteIdle(link, isBeginning: false) }
        }
      }
    }
  }

  mutating func addLinks(_ changes: ChangeSet) throws {
    struct Shape: Hashable {
      let relationship: RelationshipID
      let moving: [Int]
    }
    for (shape, group) in grouped(
      changes.links,
      by: {
        Shape(
          relationship: $0.relationship, moving: mapping.joins[$0.relationship]?.moved(by: $0) ?? []
        )
      })
    {
      guard let join = mapping.joins[shape.relationship] else { continue }
      let isOwnInverse = try isOwnInverse(shape.relationship)
      let sql = statements.value(.link(table: join.table, moving: shape.moving)) {
        generator.link(join, moving: shape.moving)
      }
      try connection.withStatement(sql) { statement throws in
        for link in group {
          var isChanging = history == nil
          for (owner, member) in directions(of: link, isOwnInverse) {
            let positions = try positions(of: link, owner, member, in: join, changes)
            try statement.run([.integer(owner.key), .integer(member.key)] + positions)
            isChanging = isChanging || connection.changes > 0
          }
          if !isChanging { noteIdle(link, isBeginning: true) }
        }
      }
    }
  }

  private func isOwnInverse(_ id: RelationshipID) throws -> Bool {
    let relationship = try relationship(id)
    return mapping.model.inverse(of: relationship)?.id == relationship.id
  }

  // A relationship that is its own inverse has a row for each direction.
  private func directions(of link: ChangeSet.Link, _ isOwnInverse: Bool)
    -> [(ObjectReference, ObjectReference)]
  {
    isOwnInverse && link.owner != link.member
      ? [(link.owner, link.member), (link.member, link.owner)] : [(link.owner, link.member)]
  }
}

extension JoinMapping {
  /// Which of the table's positions a link gives.
  func moved(by link: ChangeSet.Link) -> [Int] {
    let isGiven: [Bool] =
      (memberPositionColumn == nil ? [] : [link.memberPosition != nil])
      + (ownerPositionColumn == nil ? [] : [link.ownerPosition != nil])
    return isGiven.indices.filter { isGiven[$0] }
  }
}
