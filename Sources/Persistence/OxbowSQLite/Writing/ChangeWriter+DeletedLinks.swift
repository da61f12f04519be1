internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// The links in rows of their own that go with deleted objects and that the change set does not
  /// name: those of objects that were not read, and those without an inverse.
  ///
  /// They are read where values before are kept, so that they can come back.
  func linksOfDeleted(
    _ changes: ChangeSet, _ plan: HistoryPlan
  ) throws -> [ChangeSet.Link] {
    let deletes = changes.deletes.filter { plan.recording(of: $0.entity) == .values }
    guard !deletes.isEmpty, !mapping.joins.isEmpty else { return [] }
    let joins = mapping.joins.sorted {
      ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
    }
    var known = Set(changes.unlinks.map { declared($0) })
    var found: [ChangeSet.Link] = []
    for (root, group) in grouped(deletes, by: { root($0.entity) }) {
      let keys = group.map(\.key).sorted()
      for (id, join) in joins {
        let ends = [
          (join.ownerRoot, join.fromOwner, false), (join.memberRoot, join.fromMember, true),
        ]
        for (other, end, isTurned) in ends where other == root {
          for (key, member) in try links(end, keys) {
            let link = isTurned ? declared(id, member, key) : declared(id, key, member)
            if known.insert(link).inserted { found.append(link) }
          }
        }
      }
    }
    return found
  }

  /// The links whose beginning or end changes the store: in rows of their own, others may have made
  /// or removed the same.
  func changing(
    _ links: [ChangeSet.Link], to isBeginning: Bool, _ changes: ChangeSet
  ) throws -> [ChangeSet.Link] {
    guard links.contains(where: { mapping.joins[$0.relationship] != nil }) else { return links }
    // What is new has no links; of a few, the store is asked sooner.
    let new = 8 * links.count < changes.inserts.count ? [] : Set(changes.inserts.map(\.reference))
    let ended = isBeginning ? Set(changes.unlinks.map { declared($0) }) : []
    return try links.filter { link in
      guard let join = mapping.joins[link.relationship], !ended.contains(declared(link)),
        !new.contains(link.owner), !new.contains(link.member)
      else { return true }
      return try isThere(link, join) != isBeginning
    }
  }

  private func isThere(_ link: ChangeSet.Link, _ join: JoinMapping) throws -> Bool {
    let sql = statements.value(.hasLink(table: join.table)) { generator.hasLink(join) }
    return try connection.integer(sql, [.integer(link.owner.key), .integer(link.member.key)]) == 1
  }

  private func declared(_ link: ChangeSet.Link) -> ChangeSet.Link {
    declared(link.relationship, link.owner.key, link.member.key)
  }

  /// A link of the entities that declare it.
  private func declared(_ id: RelationshipID, _ owner: Int64, _ member: Int64) -> ChangeSet.Link {
    let relationship = mapping.model.property(id).relationship
    return ChangeSet.Link(
      relationship: id, owner: ObjectReference(entity: id.entity, key: owner),
      member: ObjectReference(entity: relationship?.destination ?? id.entity, key: member))
  }

  private func links(
    _ end: JoinMapping.End, _ keys: [Int64]
  ) throws -> [(Int64, Int64)] {
    var found: [(Int64, Int64)] = []
    var rest = keys[...]
    while !rest.isEmpty {
      let block = BoundKeys(block: rest.prefix(512))
      try connection.withStatement(generator.links(end, block.parameters)) { statement throws in
        try block.bind(to: statement)
        while try statement.step() {
          found.append((statement.integer(at: 0), statement.integer(at: 1)))
        }
      }
      rest = rest.dropFirst(512)
    }
    return found
  }
}
