#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  // Links in rows of their own, and positions.

  extension SaveStatements {
    mutating func removeLinks(_ links: [ChangeSet.Link]) {
      for (id, group) in grouped(links, by: \.relationship) {
        guard let join = mapping.joins[id] else { continue }
        var set = ValueSet([("k", .integer64), ("m", .integer64)])
        for link in group {
          for (owner, member) in mapping.directions(of: link) {
            set.append([.integer(owner.key), .integer(member.key)])
          }
        }
        add(
          ServerStatement(
            "DELETE FROM \(names.table(join.table)) AS t USING \(set.source) "
              + "WHERE \(condition(join))", set.parameters))
      }
    }

    private func condition(_ join: JoinMapping) -> String {
      "t.\(quoted(join.ownerColumn)) = n.k AND t.\(quoted(join.memberColumn)) = n.m"
    }

    private struct Shape: Hashable {
      let relationship: RelationshipID
      let movesMember: Bool
      let movesOwner: Bool
    }

    /// Links objects; linking them again moves them in the orders whose positions are given, and
    /// leaves them where they are in others.
    mutating func addLinks(_ links: [ChangeSet.Link]) throws(PersistenceError) {
      let groups = grouped(links) {
        Shape(
          relationship: $0.relationship, movesMember: $0.memberPosition != nil,
          movesOwner: $0.ownerPosition != nil)
      }
      for (shape, group) in groups {
        guard let join = mapping.joins[shape.relationship] else { continue }
        try addLinks(group, join, shape)
      }
    }

    private mutating func addLinks(
      _ links: [ChangeSet.Link], _ join: JoinMapping, _ shape: Shape
    ) throws(PersistenceError) {
      let positionColumns = [join.memberPositionColumn, join.ownerPositionColumn].compactMap(\.self)
      var rows: [[Int64]: [SQLValue]] = [:]
      for link in links {
        for (owner, member) in mapping.directions(of: link) {
          var found: [SQLValue] = []
          for place in mapping.places(of: link, owner, member, in: join) {
            found.append(.integer(try positions.take(place)))
          }
          rows[[owner.key, member.key]] = [.integer(owner.key), .integer(member.key)] + found
        }
      }
      var set = ValueSet(
        [("k", .integer64), ("m", .integer64)]
          + positionColumns.indices.map { ("p\($0)", .integer64) })
      for (_, row) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        set.append(row)
      }
      let columns = [join.ownerColumn, join.memberColumn] + positionColumns
      let moved =
        (shape.movesMember ? [join.memberPositionColumn] : [])
        + (shape.movesOwner ? [join.ownerPositionColumn] : [])
      let values = columns.indices.map { set.value($0) }.joined(separator: ", ")
      add(
        ServerStatement(
          "INSERT INTO \(names.table(join.table)) (\(columns.map(quoted).joined(separator: ", "))) "
            + "SELECT \(values) FROM \(set.source) "
            + mapping.dialect.upsert(
              on: [join.ownerColumn, join.memberColumn], updating: moved.compactMap(\.self)),
          set.parameters))
    }

    /// Moves what is linked already, and nothing else.
    mutating func place(_ placements: [ChangeSet.Placement]) throws(PersistenceError) {
      for placement in placements {
        guard let place = mapping.place(of: placement) else { continue }
        let parameters: [Parameter] = [
          .integer(try positions.take(place)), .integer(placement.owner.key),
          .integer(placement.member.key),
        ]
        add(
          ServerStatement(
            "UPDATE \(names.table(place.table)) SET \(quoted(place.position)) = $1 "
              + "WHERE \(condition(of: placement))", parameters))
      }
    }

    private func condition(of placement: ChangeSet.Placement) -> String {
      if let join = mapping.joins[placement.relationship] {
        return "\(quoted(join.ownerColumn)) = $2 AND \(quoted(join.memberColumn)) = $3"
      }
      let entity = mapping.entities[placement.relationship.entity]
      let key = mapping.keyColumns(of: placement.relationship).map {
        entity.columns[$0.ownKey].name
      }
      return "\(quoted(entity.keyColumn)) = $2 AND \(quoted(key ?? "")) = $3"
    }
  }
#endif
