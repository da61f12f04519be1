internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension CoreDataSave {
  private struct Order: Hashable {
    let relationship: RelationshipID
    let isOfOwner: Bool
    let owner: ObjectReference
  }

  /// Moves what is linked already; an order that others have changed keeps what they have added.
  mutating func reorder(
    _ placements: [ChangeSet.Placement], _ writer: borrowing ChangeWriter
  ) throws {
    let groups = grouped(placements) {
      let isOfOwner = mapping.joins[$0.relationship] != nil && $0.isOfOwner
      return Order(
        relationship: $0.relationship, isOfOwner: isOfOwner,
        owner: isOfOwner ? $0.owner : $0.member)
    }
    for (order, group) in groups {
      let relationship = writer.mapping.canonicalRelationship(order.relationship)
      guard let end = end(of: relationship, order.isOfOwner), let position = end.positionColumn
      else { continue }
      let moved = try reorder(order, group, end, position)
      if !moved.isEmpty { touch(order, relationship, end.isMemberKey ? moved : []) }
    }
  }

  private func end(of relationship: CompiledRelationship, _ isOfOwner: Bool) -> JoinMapping.End? {
    if let join = mapping.joins[relationship.id] {
      return isOfOwner ? join.fromOwner : join.fromMember
    }
    let table = mapping.entities[relationship.entity]
    guard let key = table.column(.key, ofProperty: relationship.property),
      let position = table.column(.position, ofProperty: relationship.property)
    else { return nil }
    return table.end(
      fromColumn: table.columns[key].name, position: table.columns[position].name)
  }

  /// - Returns: The keys of the objects that have another position now.
  private func reorder(
    _ order: Order, _ placements: [ChangeSet.Placement], _ end: JoinMapping.End, _ position: String
  ) throws -> [Int64] {
    var members: [Int64] = []
    var now: [Int64: Int64] = [:]
    for row in try connection.rows(generator.order(end, position), [.integer(order.owner.key)]) {
      guard case .integer(let key) = row[0] else { continue }
      members.append(key)
      if case .integer(let position) = row[1] { now[key] = position }
    }
    let wanted = Self.arranged(members, by: placements, order.isOfOwner)
    let positions = OrderKeys.positions(now: wanted.map { now[$0] })
    let moved = zip(wanted, positions).filter { now[$0.0] != $0.1 }
    try connection.withStatement(generator.move(end, position)) { statement throws in
      for (key, position) in moved {
        try statement.run([.integer(position), .integer(order.owner.key), .integer(key)])
      }
    }
    return moved.map(\.0)
  }

  /// Touches the owner of an order, and the members whose rows have their positions.
  private mutating func touch(
    _ order: Order, _ relationship: CompiledRelationship, _ members: [Int64]
  ) {
    let inverse = mapping.model.inverse(of: relationship)?.property
    let property = relationship.property
    touch(order.owner.entity, order.owner.key, order.isOfOwner ? property : inverse)
    let (entity, ownProperty) =
      order.isOfOwner ? (relationship.destination, inverse) : (relationship.entity, property)
    for key in members { touch(entity, key, ownProperty) }
  }

  /// Members in the order that placements ask for: those with a position, those that none is about,
  /// and those that come last.
  private static func arranged(
    _ members: [Int64], by placements: [ChangeSet.Placement], _ isOfOwner: Bool
  ) -> [Int64] {
    func key(_ placement: ChangeSet.Placement) -> Int64 {
      isOfOwner ? placement.member.key : placement.owner.key
    }
    var rest = Set(members)
    let last = placements.filter { $0.position == nil }.map(key).filter { rest.remove($0) != nil }
    let first = placements.filter { $0.position != nil }
      .sorted { ($0.position ?? 0) < ($1.position ?? 0) }
      .map(key).filter { rest.remove($0) != nil }
    return first + members.filter { rest.contains($0) } + last
  }
}
