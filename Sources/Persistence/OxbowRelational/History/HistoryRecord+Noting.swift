// What a save changes is noted before it is written, while the rows are as they were; afterwards
// links, of which writing says whether they change the store, and what the store computed. Rows of
// a run are in the order of their keys, so that the differences are small and values before are
// read in one walk.

internal import OxbowModel
package import OxbowStore

extension HistoryRecord {
  /// Writes rows with the values that the store has of some properties; nothing for none.
  package typealias Values = (
    _ rows: [(key: Int64, version: Int64)], _ entity: Int, _ properties: [Int]
  ) throws -> Void

  /// Notes the objects that a change set will change.
  package func note(
    _ changes: ChangeSet, _ mapping: StoreMapping, _ values: Values
  ) throws {
    (author, contextName) = (changes.author, changes.contextName)
    inserted = changes.inserts.count
    updated = changes.updates.count
    deleted = changes.deletes.count
    note(changes.inserts, mapping)
    try noteUpdates(changes, mapping, values)
    try note(changes.deletes, mapping, values)
  }

  /// Notes what a change set has done, but for its objects.
  package func noteRest(_ changes: ChangeSet, _ mapping: StoreMapping) {
    var unlinks = idleLinks.changing(changes.unlinks, without: idleLinks.ended, mapping)
    if !linksOfDeleted.isEmpty { unlinks += linksOfDeleted }
    note(.unlink, unlinks)
    note(.link, idleLinks.changing(changes.links, without: idleLinks.begun, mapping))
    note(changes.placements)
    noteOmission(HistoryTransaction.partial) { isOff in
      changes.inserts.contains { isOff($0.entity) } || changes.updates.contains { isOff($0.entity) }
        || changes.deletes.contains { isOff($0.entity) }
        || unlinks.contains { isOff($0.owner.entity) }
        || changes.links.contains { isOff($0.owner.entity) }
        || changes.placements.contains { isOff($0.owner.entity) }
    }
    if !changes.metadata.isEmpty {
      blob.begin(.metadata)
      for item in changes.metadata { blob.row(item.key) }
    }
  }

  /// Notes the values that the store has computed.
  package func note(_ derived: [DerivedValue]) {
    guard !derived.isEmpty else { return }
    let groups = Dictionary(grouping: derived) {
      RelationshipID(entity: $0.object.entity, property: $0.property)
    }
    for (id, values) in groups.sorted(by: {
      ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
    })
    where plan.recording(of: id.entity) != .off {
      blob.begin(.derived, names(of: id.entity, [id.property]))
      for key in values.map(\.object.key).sorted() { blob.row(key) }
    }
    noteOmission(HistoryTransaction.partlyDerived) { isOff in
      derived.contains { isOff($0.object.entity) }
    }
  }

  /// Notes a batch update, which has changed these objects.
  package func note(_ update: StoreUpdate, _ objects: [ObjectReference]) {
    (author, contextName) = (update.author, update.contextName)
    kind = .batch
    updated = objects.count
    let properties = update.assignments.map(\.property)
    for (entity, group) in Dictionary(grouping: objects, by: \.entity).sorted(by: {
      $0.key < $1.key
    })
    where plan.recording(of: entity) != .off {
      let batch = plan.recording(of: entity) == .values ? batch : nil
      begin(.update, entity, properties, hasValues: batch != nil)
      for object in group.sorted(by: { $0.key < $1.key }) {
        blob.row(object.key)
        blob.number(0)
        guard let batch else { continue }
        let cells = batch[object] ?? properties.map { _ in .value(.null) }
        for cell in cells { blob.cell(cell) }
      }
    }
    noteOmission(HistoryTransaction.partial) { isOff in objects.contains { isOff($0.entity) } }
    batch = nil
  }
}

// MARK: - Rows that were there

extension HistoryRecord {
  private struct Shape: Hashable {
    let entity: Int
    let properties: [Int]
  }

  private func noteUpdates(
    _ changes: ChangeSet, _ mapping: StoreMapping, _ values: Values
  ) throws {
    guard !changes.updates.isEmpty else { return }
    let keys =
      changes.updates.contains { plan.recording(of: $0.entity) == .values }
      ? mapping.changedKeys(changes) : [:]
    let groups = grouped(changes.updates) { update in
      let links = keys.isEmpty ? nil : keys[update.reference]
      return Shape(
        entity: update.entity,
        properties: update.values.map(\.property) + (links?.sorted() ?? []))
    }
    for (shape, group) in groups {
      let recording = plan.recording(of: shape.entity)
      guard recording != .off else { continue }
      let rows = group.map { (key: $0.key, version: $0.version) }.sorted { $0.key < $1.key }
      let hasValues = recording == .values
      begin(.update, shape.entity, shape.properties, hasValues: hasValues)
      try note(rows, shape.entity, hasValues ? shape.properties : [], mapping, values)
    }
  }

  private func note(
    _ deletes: [ChangeSet.Delete], _ mapping: StoreMapping, _ values: Values
  ) throws {
    guard !deletes.isEmpty else { return }
    for (entity, group) in grouped(deletes, by: \.entity) {
      guard plan.recording(of: entity) != .off else { continue }
      let properties = plan.keptOfDeleted(entity, mapping)
      let rows = group.map { (key: $0.key, version: $0.version ?? 0) }.sorted { $0.key < $1.key }
      begin(.delete, entity, properties)
      try note(rows, entity, properties, mapping, values)
    }
  }

  /// Writes rows with the values that the store has, where all of them have a column.
  private func note(
    _ rows: [(key: Int64, version: Int64)], _ entity: Int, _ properties: [Int],
    _ mapping: StoreMapping, _ values: Values
  ) throws {
    let table = mapping.entities[entity]
    let areThere = properties.allSatisfy { table.column(ofProperty: $0) != nil }
    guard properties.isEmpty || !areThere else { return try values(rows, entity, properties) }
    for row in rows {
      blob.row(row.key)
      blob.number(row.version)
      for _ in properties { blob.null() }
    }
  }
}

extension HistoryPlan {
  /// The properties whose values are kept of a deleted object.
  package func keptOfDeleted(_ entity: Int, _ mapping: StoreMapping) -> [Int] {
    guard recording(of: entity) == .values else { return preserved(of: entity) }
    return valuesOfRow(entity, mapping)
  }

  /// Whether a deleted object can come back, because all its values are kept.
  func keepsAllOfDeleted(_ entity: Int, _ mapping: StoreMapping) -> Bool {
    switch recording(of: entity) {
    case .off: false
    case .values: true
    case .keys:
      valuesOfRow(entity, mapping).allSatisfy { property in
        preserved(of: entity).contains(property)
          || mapping.model.entities[entity].properties[property].attribute?.derivation != nil
      }
    }
  }

  private func valuesOfRow(_ entity: Int, _ mapping: StoreMapping) -> [Int] {
    mapping.entities[entity].columns
      .filter { $0.role == .attribute || $0.role == .key }.map(\.property)
  }
}

extension StoreMapping {
  /// The to-one relationships of rows whose keys change; those of a one-to-one at both ends.
  fileprivate func changedKeys(_ changes: ChangeSet) -> [ObjectReference: Set<Int>] {
    var keys: [ObjectReference: Set<Int>] = [:]
    for link in changes.unlinks + changes.links
    where entities[link.owner.entity].column(ofProperty: link.relationship.property) != nil {
      keys[link.owner, default: []].insert(link.relationship.property)
      let property = model.property(link.relationship)
      if property.relationship?.isOneToOne == true, let inverse = model.inverse(of: property) {
        keys[link.member, default: []].insert(inverse.index)
      }
    }
    return keys
  }
}

// MARK: - Runs

extension HistoryRecord {
  /// The numbers of an entity and of its properties.
  package func names(of entity: Int, _ properties: [Int]) -> [Int64] {
    [plan.names.number(of: entity)] + properties.map { plan.names.number(of: entity, $0) }
  }

  package func begin(
    _ kind: HistoryRunKind, _ entity: Int, _ properties: [Int], hasValues: Bool? = nil
  ) {
    blob.begin(kind)
    blob.header(plan.names.number(of: entity))
    blob.header(Int64(properties.count))
    for property in properties { blob.header(plan.names.number(of: entity, property)) }
    if kind == .update { blob.header(hasValues == true ? 1 : 0) }
  }

  /// Notes that the save changes what the history leaves out, if it does.
  private func noteOmission(
    _ text: String, if isTouched: (_ isOff: (Int) -> Bool) -> Bool
  ) {
    guard plan.leavesOutSome, isTouched({ plan.recording(of: $0) == .off }) else { return }
    blob.begin(.note)
    blob.row(text)
  }

  private func note(_ inserts: [ChangeSet.Insert], _ mapping: StoreMapping) {
    guard inserts.count > 1 else {
      if let first = inserts.first { note(CollectionOfOne(first.key), of: first.entity) }
      return
    }
    var keys = [[Int64]](repeating: [], count: mapping.entities.count)
    for index in inserts.indices { keys[inserts[index].entity].append(inserts[index].key) }
    for (entity, keys) in keys.enumerated() where !keys.isEmpty { note(keys.inOrder, of: entity) }
  }

  /// Notes new objects by their keys, which are in order.
  private func note(_ keys: some Collection<Int64>, of entity: Int) {
    guard plan.recording(of: entity) != .off else { return }
    blob.begin(.insert)
    blob.header(plan.names.number(of: entity))
    for key in keys { blob.row(key) }
  }

  private struct LinkShape: Hashable {
    let relationship: RelationshipID
    let owner: Int
    let member: Int
    var isOfOwner = false

    func numbers(_ names: HistoryNames) -> [Int64] {
      [
        names.number(of: relationship.entity, relationship.property), names.number(of: owner),
        names.number(of: member),
      ]
    }
  }

  private func note(_ kind: HistoryRunKind, _ links: [ChangeSet.Link]) {
    guard !links.isEmpty else { return }
    var last: LinkShape?
    for (shape, group) in grouped(
      links,
      by: {
        LinkShape(relationship: $0.relationship, owner: $0.owner.entity, member: $0.member.entity)
      }) where plan.recording(of: shape.owner) != .off
    {
      if shape != last { blob.begin(kind, shape.numbers(plan.names)) }
      last = shape
      for link in group { blob.row(link.owner.key, link.member.key) }
    }
  }

  private func note(_ placements: [ChangeSet.Placement]) {
    guard !placements.isEmpty else { return }
    for (shape, group) in grouped(
      placements,
      by: {
        LinkShape(
          relationship: $0.relationship, owner: $0.owner.entity, member: $0.member.entity,
          isOfOwner: $0.isOfOwner)
      }) where plan.recording(of: shape.owner) != .off
    {
      blob.begin(.place, shape.numbers(plan.names) + [shape.isOfOwner ? 1 : 0])
      for item in group {
        blob.row(item.owner.key, item.member.key)
        blob.number(item.position.map { $0 &+ 1 } ?? 0)
      }
    }
  }
}

// MARK: - Cells

extension HistoryBlobWriter {
  package mutating func cell(_ cell: HistoryCell) {
    switch cell {
    case .inFile(let count), .large(let count): file(count)
    case .value(.null): null()
    case .value(.integer(let number)): integer(number)
    case .value(.real(let number)): real(number)
    case .value(.text(var text)): text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    case .value(.blob(let blob)): blob.withUnsafeBytes { bytes($0) }
    }
  }
}

/// Groups items, the groups in the order in which they begin.
package func grouped<Item, Key: Hashable>(
  _ items: [Item], by key: (Item) throws -> Key
) rethrows -> [(Key, [Item])] {
  var indexes: [Key: Int] = [:]
  var groups: [(Key, [Item])] = []
  var last = 0
  for item in items {
    let key = try key(item)
    if last < groups.count, groups[last].0 == key {
      groups[last].1.append(item)
    } else if let index = indexes[key] {
      last = index
      groups[index].1.append(item)
    } else {
      last = groups.count
      indexes[key] = last
      groups.append((key, [item]))
    }
  }
  return groups
}

extension StoreMapping {
  /// The links in rows of their own that go with deleted objects and that the change set does not
  /// name: those of objects that were not read, and those without an inverse.
  ///
  /// They are read where all values of the objects are kept, so that they can come back. `read`
  /// gives the keys of both ends, of the end that is asked for first.
  package func linksOfDeleted(
    _ changes: ChangeSet, _ plan: HistoryPlan,
    _ read: (JoinMapping.End, _ keys: [Int64]) throws -> [(Int64, Int64)]
  ) rethrows -> [ChangeSet.Link] {
    guard !changes.deletes.isEmpty, !joins.isEmpty else { return [] }
    let deletes = changes.deletes.filter { plan.keepsAllOfDeleted($0.entity, self) }
    guard !deletes.isEmpty else { return [] }
    let joins = joins.sorted {
      ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
    }
    var known = Set(changes.unlinks.map(declared))
    var found: [ChangeSet.Link] = []
    for (root, group) in grouped(deletes, by: { entities[$0.entity].root }) {
      let keys = group.map(\.key).sorted()
      for (id, join) in joins {
        let ends = [
          (join.ownerRoot, join.fromOwner, false), (join.memberRoot, join.fromMember, true),
        ]
        for (other, end, isTurned) in ends where other == root {
          for (key, member) in try read(end, keys) {
            let link = isTurned ? declared(id, member, key) : declared(id, key, member)
            if known.insert(link).inserted { found.append(link) }
          }
        }
      }
    }
    return found
  }
}
