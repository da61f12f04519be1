package import OxbowModel
package import OxbowStore

/// The place of a link in an order: where it is kept, and the object that has the order.
package struct LinkPlace {
  /// An order: the members of an owner, or the owners of a member.
  package struct Order: Hashable {
    package let relationship: RelationshipID
    package let isOfOwner: Bool
    package let key: Int64
  }

  package let order: Order
  package let table: String
  package let position: String
  package let column: String
  package let owner: ObjectKey

  /// The position, if the link says one; else it comes after the last.
  package let given: Int64?
}

extension StoreMapping {
  /// The places of one direction of a link in rows of their own: those of the table's columns.
  package func places(
    of link: ChangeSet.Link, _ owner: ObjectReference, _ member: ObjectReference,
    in join: JoinMapping
  ) -> [LinkPlace] {
    var places: [LinkPlace] = []
    if let position = join.memberPositionColumn {
      places.append(
        LinkPlace(
          order: .init(relationship: link.relationship, isOfOwner: true, key: owner.key),
          table: join.table, position: position, column: join.ownerColumn,
          owner: ObjectKey(root: join.ownerRoot, key: owner.key), given: link.memberPosition))
    }
    if let position = join.ownerPositionColumn {
      places.append(
        LinkPlace(
          order: .init(relationship: link.relationship, isOfOwner: false, key: member.key),
          table: join.table, position: position, column: join.memberColumn,
          owner: ObjectKey(root: join.memberRoot, key: member.key), given: link.ownerPosition))
    }
    return places
  }

  /// The place of a link in a key of some columns.
  package func place(ofKey link: ChangeSet.Link, _ columns: LinkColumns) -> LinkPlace? {
    guard let position = columns.ownPosition else { return nil }
    let entity = entities[link.relationship.entity]
    return LinkPlace(
      order: .init(relationship: link.relationship, isOfOwner: false, key: link.member.key),
      table: entity.table, position: entity.columns[position].name,
      column: entity.columns[columns.ownKey].name,
      owner: ObjectKey(root: entities[link.member.entity].root, key: link.member.key),
      given: link.ownerPosition)
  }

  /// The place of a placement.
  package func place(of placement: ChangeSet.Placement) -> LinkPlace? {
    let link = ChangeSet.Link(
      relationship: placement.relationship, owner: placement.owner, member: placement.member,
      memberPosition: placement.position, ownerPosition: placement.position)
    guard let join = joins[placement.relationship] else {
      return keyColumns(of: placement.relationship).flatMap { place(ofKey: link, $0) }
    }
    return places(of: link, link.owner, link.member, in: join)
      .first { $0.order.isOfOwner == placement.isOfOwner }
  }
}
