internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Positions in ordered relationships. A link that says none comes after the last; a placement moves
// what is linked already, and nothing else.

extension ChangeWriter {
  /// The position of a new link in an order that is kept in keys.
  mutating func position(of link: ChangeSet.Link, _ columns: LinkColumns, _ changes: ChangeSet)
    throws -> Int64?
  {
    guard let position = columns.ownPosition else { return nil }
    if let position = link.ownerPosition { return position }
    let entity = mapping.entities[link.relationship.entity]
    return try next(
      .init(relationship: link.relationship, isOfOwner: false, key: link.member.key),
      of: link.member, in: entity.table, entity.columns[position].name,
      of: entity.columns[columns.ownKey].name, changes)
  }

  /// The positions of a new link in the orders of a join table.
  mutating func positions(
    of link: ChangeSet.Link, _ owner: ObjectReference, _ member: ObjectReference,
    in join: JoinMapping, _ changes: ChangeSet
  ) throws -> [SQLValue] {
    var positions: [SQLValue] = []
    if let column = join.memberPositionColumn {
      let next =
        try link.memberPosition
        ?? next(
          .init(relationship: link.relationship, isOfOwner: true, key: owner.key), of: owner,
          in: join.table, column, of: join.ownerColumn, changes)
      positions.append(.integer(next))
    }
    if let column = join.ownerPositionColumn {
      let next =
        try link.ownerPosition
        ?? next(
          .init(relationship: link.relationship, isOfOwner: false, key: member.key), of: member,
          in: join.table, column, of: join.memberColumn, changes)
      positions.append(.integer(next))
    }
    return positions
  }

  private mutating func next(
    _ order: NextPositions.Order, of object: ObjectReference, in table: String,
    _ position: String, of column: String, _ changes: ChangeSet
  ) throws -> Int64 {
    let key = ObjectKey(root: root(object.entity), key: object.key)
    let mapping = mapping
    let isInserted = nextPositions.isInserted(key, changes) { mapping.entities[$0].root }
    let sql = statements.value(
      .lastPosition(table: table, position: position, column: column)
    ) {
      generator.lastPosition(in: table, position: position, of: column)
    }
    let connection = connection
    return try nextPositions.take(order) {
      isInserted ? nil : try connection.integer(sql, [.integer(object.key)])
    }
  }

  /// Moves what is tied already.
  mutating func reorder(_ placements: [ChangeSet.Placement], _ changes: ChangeSet) throws {
    for placement in placements {
      let relationship = try relationship(placement.relationship)
      if let join = mapping.joins[placement.relationship] {
        try reorder(placement, join, changes)
      } else if let columns = LinkColumns(relationship, mapping), let column = columns.ownPosition {
        try reorder(placement, columns, column, changes)
      }
    }
  }

  private mutating func reorder(
    _ placement: ChangeSet.Placement, _ columns: LinkColumns, _ column: Int, _ changes: ChangeSet
  ) throws {
    let link = ChangeSet.Link(
      relationship: placement.relationship, owner: placement.owner, member: placement.member,
      ownerPosition: placement.position)
    let position = try position(of: link, columns, changes)
    let entity = mapping.entities[placement.relationship.entity]
    let sql = statements.value(.positionInRow(entity: entity.entity, column: column)) {
      generator.setPosition(entity, position: column, key: columns.ownKey)
    }
    try connection.run(
      sql,
      [
        position.map { .integer($0) } ?? .null, .integer(placement.owner.key),
        .integer(placement.member.key),
      ])
  }

  private mutating func reorder(
    _ placement: ChangeSet.Placement, _ join: JoinMapping, _ changes: ChangeSet
  ) throws {
    let column = placement.isOfOwner ? join.memberPositionColumn : join.ownerPositionColumn
    guard let column else { return }
    let position =
      try placement.position
      ?? next(
        .init(
          relationship: placement.relationship, isOfOwner: placement.isOfOwner,
          key: placement.isOfOwner ? placement.owner.key : placement.member.key),
        of: placement.isOfOwner ? placement.owner : placement.member, in: join.table, column,
        of: placement.isOfOwner ? join.ownerColumn : join.memberColumn, changes)
    let sql = statements.value(.positionInJoin(table: join.table, column: column)) {
      generator.setPosition(join, position: column)
    }
    try connection.run(
      sql,
      [.integer(position), .integer(placement.owner.key), .integer(placement.member.key)])
  }
}
