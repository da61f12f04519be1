internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Asks the store for the links in rows of their own whose writing will not say whether they
  /// change it: the ends of those that go with deleted objects, and the beginnings of those with a
  /// position.
  func noteIdleLinks(_ changes: ChangeSet) throws {
    guard let record = history, !changes.links.isEmpty || !changes.unlinks.isEmpty else { return }
    let deleted = Set(changes.deletes.map { ObjectKey(root: root($0.entity), key: $0.key) })
    func isDeleted(_ end: ObjectReference) -> Bool {
      deleted.contains(ObjectKey(root: root(end.entity), key: end.key))
    }
    for link in deleted.isEmpty ? [] : changes.unlinks
    where isDeleted(link.owner) || isDeleted(link.member) {
      guard let join = mapping.joins[link.relationship] else { continue }
      if try isThere(link, join) { record.idleLinks.goneWithObjects.insert(mapping.declared(link)) }
    }
    // What is new has no links.
    let new = changes.links.isEmpty ? [] : Set(changes.inserts.map(\.reference))
    let ended = changes.links.isEmpty ? [] : Set(changes.unlinks.map { mapping.declared($0) })
    for link in changes.links where !new.contains(link.owner) && !new.contains(link.member) {
      guard let join = mapping.joins[link.relationship], !join.moved(by: link).isEmpty,
        !ended.contains(mapping.declared(link))
      else { continue }
      if try isThere(link, join) { record.idleLinks.begun.insert(mapping.declared(link)) }
    }
  }

  /// Notes that writing a link has changed nothing.
  func noteIdle(_ link: ChangeSet.Link, isBeginning: Bool) {
    guard let record = history else { return }
    if isBeginning {
      record.idleLinks.begun.insert(mapping.declared(link))
    } else if !record.idleLinks.goneWithObjects.contains(mapping.declared(link)) {
      record.idleLinks.ended.insert(mapping.declared(link))
    }
  }

  private func isThere(_ link: ChangeSet.Link, _ join: JoinMapping) throws -> Bool {
    let sql = statements.value(.hasLink(table: join.table)) { generator.hasLink(join) }
    return try connection.integer(sql, [.integer(link.owner.key), .integer(link.member.key)]) == 1
  }

  func links(
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
