#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// The positions of links that say none: after the last of their order.
  ///
  /// The last position of an order is read before the save is written, while its owner is locked:
  /// of two saves that append, the second would not see what the first has appended.
  struct LinkPositions {
    /// The last position of each order.
    private var last: [LinkPlace.Order: Int64] = [:]

    /// The orders whose last position is to be read.
    private(set) var needed: [LinkPlace.Order: LinkPlace] = [:]

    /// Finds the orders to which a change set appends; those of new objects are empty.
    init(_ changes: ChangeSet, _ mapping: StoreMapping) {
      let isAppending = { (place: LinkPlace) in place.given == nil }
      let links = changes.links.flatMap { mapping.places(of: $0) }
      let placements = changes.placements.compactMap { mapping.place(of: $0) }
      let appended = (links + placements).filter(isAppending)
      guard !appended.isEmpty else { return }
      let new = Set(
        changes.inserts.map { ObjectKey(root: mapping.entities[$0.entity].root, key: $0.key) })
      for place in appended where !new.contains(place.owner) { needed[place.order] = place }
    }

    /// The position of a place: the given one, or the next of its order.
    mutating func take(_ place: LinkPlace) throws(PersistenceError) -> Int64 {
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

    private var sources: [(Source, [LinkPlace])] {
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
        names.locking(mapping.entities[root], keys.map(\.key).sorted())
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

  extension LinkAssignments {
    /// Gathers the links that are kept in keys, with their positions.
    init(
      _ changes: ChangeSet, _ mapping: StoreMapping, _ positions: inout LinkPositions
    ) throws(PersistenceError) {
      self.init()
      try gather(changes, mapping) { (place) throws(PersistenceError) in
        try positions.take(place)
      }
    }
  }

  extension StoreMapping {
    /// The places of a link in orders, of each direction in which it is kept.
    fileprivate func places(of link: ChangeSet.Link) -> [LinkPlace] {
      guard let join = joins[link.relationship] else {
        return keyColumns(of: link.relationship).flatMap { place(ofKey: link, $0) }.map { [$0] }
          ?? []
      }
      return directions(of: link).flatMap { places(of: link, $0.owner, $0.member, in: join) }
    }

    /// The directions in which a link is kept: a relationship that is its own inverse has two.
    func directions(of link: ChangeSet.Link) -> [(owner: ObjectReference, member: ObjectReference)]
    {
      let relationship = model.property(link.relationship).relationship
      let inverse = relationship.flatMap { model.inverse(of: $0) }
      let isOwn = inverse?.id == relationship?.id && relationship != nil
      return isOwn && link.owner != link.member
        ? [(link.owner, link.member), (link.member, link.owner)] : [(link.owner, link.member)]
    }
  }
#endif
