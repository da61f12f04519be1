internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Positions in ordered relationships. A link that says none comes after the last; a placement moves
// what is linked already, and nothing else.

extension ChangeWriter {
  /// The position of a new link at its place.
  mutating func position(at place: LinkPlace, _ changes: ChangeSet) throws -> Int64 {
    if let given = place.given { return given }
    let (mapping, connection) = (mapping, connection)
    let isInserted = nextPositions.isInserted(place.owner, changes) { mapping.entities[$0].root }
    let sql = statements.value(
      .lastPosition(table: place.table, position: place.position, column: place.column)
    ) {
      generator.lastPosition(in: place.table, position: place.position, of: place.column)
    }
    return try nextPositions.take(place.order) {
      isInserted ? nil : try connection.integer(sql, [.integer(place.owner.key)])
    }
  }

  /// Moves what is tied already.
  mutating func reorder(_ placements: [ChangeSet.Placement], _ changes: ChangeSet) throws {
    for placement in placements {
      guard let place = mapping.place(of: placement),
        let sql = statement(moving: placement.relationship, at: place)
      else { continue }
      let position = try position(at: place, changes)
      try connection.run(
        sql,
        [.integer(position), .integer(placement.owner.key), .integer(placement.member.key)])
    }
  }

  private func statement(moving id: RelationshipID, at place: LinkPlace) -> String? {
    if let join = mapping.joins[id] {
      return statements.value(.positionInJoin(table: join.table, column: place.position)) {
        generator.setPosition(join, position: place.position)
      }
    }
    guard let columns = mapping.keyColumns(of: id), let column = columns.ownPosition else {
      return nil
    }
    let entity = mapping.entities[id.entity]
    return statements.value(.positionInRow(entity: entity.entity, column: column)) {
      generator.setPosition(entity, position: column, key: columns.ownKey)
    }
  }
}
