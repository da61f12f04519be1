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

  /// Asks the store for the links in rows of their own whose writing will not say whether they
  /// change it: the ends of those that go with deleted objects, and the beginnings of those with a
  /// position.
  mutating func noteIdleLinks(_ changes: ChangeSet) throws {
    guard !changes.links.isEmpty || !changes.unlinks.isEmpty else { return }
    let deleted = Set(changes.deletes.map { ObjectKey(root: root($0.entity), key: $0.key) })
    func isDeleted(_ end: ObjectReference) -> Bool {
      deleted.contains(ObjectKey(root: root(end.entity), key: end.key))
    }
    for link in deleted.isEmpty ? [] : changes.unlinks
    where isDeleted(link.owner) || isDeleted(link.member) {
      guard let join = mapping.joins[link.relationship] else { continue }
      if try isThere(link, join) { idleLinks.goneWithObjects.insert(declared(link)) }
    }
    // What is new has no links.
    let new = changes.links.isEmpty ? [] : Set(changes.inserts.map(\.reference))
    let ended = changes.links.isEmpty ? [] : Set(changes.unlinks.map { declared($0) })
    for link in changes.links where !new.contains(link.owner) && !new.contains(link.member) {
      guard let join = mapping.joins[link.relationship], !join.moved(by: link).isEmpty,
        !ended.contains(declared(link))
      else { continue }
      if try isThere(link, join) { idleLinks.begun.insert(declared(link)) }
    }
  }

  /// Notes that writing a link has changed nothing.
  mutating func noteIdle(_ link: ChangeSet.Link, isBeginning: Bool) {
    if isBeginning {
      idleLinks.begun.insert(declared(link))
    } else if !idleLinks.goneWithObjects.contains(declared(link)) {
      idleLinks.ended.insert(declared(link))
    }
  }

  /// The links whose beginning or end has changed the store: in rows of their own, others may have
  /// made or removed the same.
  func changing(_ links: [ChangeSet.Link], without idle: Set<ChangeSet.Link>) -> [ChangeSet.Link] {
    idle.isEmpty ? links : links.filter { !idle.contains(declared($0)) }
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

/// Links in rows of their own whose writing changed nothing, by the entities that declare them.
struct IdleLinks {
  var begun: Set<ChangeSet.Link> = []
  var ended: Set<ChangeSet.Link> = []

  /// Those that were there before their objects were deleted, so that they have ended.
  var goneWithObjects: Set<ChangeSet.Link> = []
}
