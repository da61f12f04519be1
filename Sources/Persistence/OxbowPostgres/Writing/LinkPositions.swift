#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// The positions of links that say none: after the last of their order.
  ///
  /// The last position of an order is read before the save is written, while its owner is locked:
  /// of two saves that append, the second would not see what the first has appended.
  struct LinkPositions {
    /// An order: the members of an owner, or the owners of a member.
    struct Order: Hashable {
      let relationship: RelationshipID
      let isOfOwner: Bool
      let key: Int64
    }

    /// Where an order is kept, and the object that has it.
    struct Place {
      let order: Order
      let table: String
      let position: String
      let column: String
      let owner: ObjectKey

      /// The position, if the link says one.
      let given: Int64?
    }

    /// The last position of each order.
    private var last: [Order: Int64] = [:]

    /// The orders whose last position is to be read.
    private(set) var needed: [Order: Place] = [:]

    /// Finds the orders to which a change set appends; those of new objects are empty.
    init(_ changes: ChangeSet, _ mapping: StoreMapping) {
      let isAppending = { (place: Place) in place.given == nil }
      let links = changes.links.flatMap { places(of: $0, mapping) }
      let placements = changes.placements.compactMap { place(of: $0, mapping) }
      let appended = (links + placements).filter(isAppending)
      guard !appended.isEmpty else { return }
      let new = Set(
        changes.inserts.map { ObjectKey(root: mapping.entities[$0.entity].root, key: $0.key) })
      for place in appended where !new.contains(place.owner) { needed[place.order] = place }
    }

    /// The position of a place: the given one, or the next of its order.
    mutating func take(_ place: Place) throws(PersistenceError) -> Int64 {
      if let given = place.given { return given }
      let position = try nextPosition(behind: last[place.order])
      last[place.order] = position
      return position
    }
  }

  // MARK: - Reading

  extension LinkPositions {
    private struct Source: Hashable {
      let table: String
      let position: String
      let column: String
    }

    private var sources: [(Source, [Place])] {
      let groups = Dictionary(grouping: needed.values) {
        Source(table: $0.table, position: $0.position, column: $0.column)
      }
      return groups.sorted { ($0.key.table, $0.key.position) < ($1.key.table, $1.key.position) }
        .map { ($0.key, $0.value) }
    }

    /// Locks the owners, and asks for the last positions afterwards.
    func questions(_ mapping: StoreMapping, _ names: ServerNames) -> [ServerStatement] {
      let owners = Dictionary(grouping: needed.values.map(\.owner), by: \.root)
      let locks = owners.sorted { $0.key < $1.key }.map { root, keys in
        let table = mapping.entities[root]
        let key = quoted(table.keyColumn)
        return ServerStatement(
          "SELECT 1 FROM \(names.table(table.table)) WHERE \(key) = ANY($1) ORDER BY \(key) "
            + "FOR NO KEY UPDATE", [Parameter(keys: keys.map(\.key).sorted())])
      }
      let questions = sources.map { source, places in
        ServerStatement(
          "SELECT \(quoted(source.column)), max(\(quoted(source.position))) "
            + "FROM \(names.table(source.table)) WHERE \(quoted(source.column)) = ANY($1) GROUP BY 1",
          [Parameter(keys: places.map(\.order.key))])
      }
      return locks + questions
    }

    /// Takes the answers to the questions.
    mutating func answer(_ results: [ServerResult]) {
      let sources = sources
      for ((_, places), result) in zip(sources, results.suffix(sources.count)) {
        var found: [Int64: Int64] = [:]
        for row in 0..<result.count where result.cell(row, 1) != nil {
          found[result.integer(row, 0)] = result.integer(row, 1)
        }
        for place in places { last[place.order] = found[place.order.key] }
      }
    }
  }

  // MARK: - Places

  extension LinkPositions {
    /// The places of a link in orders, of each direction in which it is kept.
    private func places(of link: ChangeSet.Link, _ mapping: StoreMapping) -> [Place] {
      guard mapping.joins[link.relationship] != nil else {
        return place(ofKey: link, mapping).map { [$0] } ?? []
      }
      return mapping.directions(of: link).flatMap { places(of: link, $0.owner, $0.member, mapping) }
    }

    /// The places of one direction of a link in rows of their own: those of the table's columns.
    func places(
      of link: ChangeSet.Link, _ owner: ObjectReference, _ member: ObjectReference,
      _ mapping: StoreMapping
    ) -> [Place] {
      guard let join = mapping.joins[link.relationship] else { return [] }
      return [
        join.memberPositionColumn.map {
          Place(
            order: Order(relationship: link.relationship, isOfOwner: true, key: owner.key),
            table: join.table, position: $0, column: join.ownerColumn,
            owner: ObjectKey(root: join.ownerRoot, key: owner.key), given: link.memberPosition)
        },
        join.ownerPositionColumn.map {
          Place(
            order: Order(relationship: link.relationship, isOfOwner: false, key: member.key),
            table: join.table, position: $0, column: join.memberColumn,
            owner: ObjectKey(root: join.memberRoot, key: member.key), given: link.ownerPosition)
        },
      ].compactMap(\.self)
    }

    /// The place of a link in a key.
    func place(ofKey link: ChangeSet.Link, _ mapping: StoreMapping) -> Place? {
      guard let columns = mapping.keyColumns(of: link.relationship),
        let position = columns.ownPosition
      else { return nil }
      let entity = mapping.entities[link.relationship.entity]
      return Place(
        order: Order(relationship: link.relationship, isOfOwner: false, key: link.member.key),
        table: entity.table, position: entity.columns[position].name,
        column: entity.columns[columns.ownKey].name,
        owner: ObjectKey(root: mapping.entities[link.member.entity].root, key: link.member.key),
        given: link.ownerPosition)
    }

    /// The place of a placement.
    func place(of placement: ChangeSet.Placement, _ mapping: StoreMapping) -> Place? {
      var link = ChangeSet.Link(
        relationship: placement.relationship, owner: placement.owner, member: placement.member)
      if placement.isOfOwner {
        link.memberPosition = placement.position
      } else {
        link.ownerPosition = placement.position
      }
      guard mapping.joins[placement.relationship] != nil else { return place(ofKey: link, mapping) }
      return places(of: link, link.owner, link.member, mapping)
        .first { $0.order.isOfOwner == placement.isOfOwner }
    }
  }
#endif
