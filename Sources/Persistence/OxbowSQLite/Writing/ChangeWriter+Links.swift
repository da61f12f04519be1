internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// MARK: - Links in keys

extension ChangeWriter {
  mutating func gather(_ changes: ChangeSet) throws {
    var gathered = LinkAssignments()
    try gathered.gather(changes, mapping) { try position(at: $0, changes) }
    assignments = gathered
  }
}

// MARK: - Links in join rows

extension ChangeWriter {
  mutating func removeLinks(_ links: [ChangeSet.Link]) throws {
    for (id, group) in grouped(links, by: \.relationship) {
      guard let join = mapping.joins[id] else { continue }
      let isOwnInverse = isOwnInverse(id)
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
      let isOwnInverse = isOwnInverse(shape.relationship)
      let sql = statements.value(.link(table: join.table, moving: shape.moving)) {
        generator.link(join, moving: shape.moving)
      }
      try connection.withStatement(sql) { statement throws in
        for link in group {
          var isChanging = history == nil
          for (owner, member) in directions(of: link, isOwnInverse) {
            var values: [SQLValue] = [.integer(owner.key), .integer(member.key)]
            for place in mapping.places(of: link, owner, member, in: join) {
              values.append(.integer(try position(at: place, changes)))
            }
            try statement.run(values)
            isChanging = isChanging || connection.changes > 0
          }
          if !isChanging { noteIdle(link, isBeginning: true) }
        }
      }
    }
  }

  private func isOwnInverse(_ id: RelationshipID) -> Bool {
    let relationship = mapping.canonicalRelationship(id)
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
