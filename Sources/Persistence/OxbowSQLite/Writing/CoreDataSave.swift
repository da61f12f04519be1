// A save of Core Data's layout, beside its rows and links:
//
//   before  what objects led to is read, because it is touched too: the far ends of keys and of
//           links, those of deleted objects included; keys of deleted rows are kept from being used
//           again
//   orders  positions change for as few objects as possible
//   after   the version of each touched row is raised, once; what links lead to must be there, and
//           nothing may refer to what was deleted, because there are no foreign keys
//
// Versions of far ends are raised and not checked. The context that saves gets them, so that its
// own next save is not a conflict.

internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What Core Data's layout keeps of one save; belongs to one call of one thread.
struct CoreDataSave {
  let mapping: StoreMapping
  let connection: Connection
  private(set) var touched = TouchedRows()

  /// Whether the store has a history, in which the save is noted.
  let hasHistory: Bool

  /// The new objects, whose version stays the first one.
  private let inserted: Set<ObjectKey>

  /// The objects that links without inverse lead to, which are not touched.
  private var unilateral: Set<ObjectKey> = []

  /// The versions that were raised.
  private(set) var raised: [RaisedVersion] = []

  /// The cells of values that are in files.
  var cells: [FileCell] = []

  var generator: CoreDataGenerator { CoreDataGenerator(mapping.dialect) }
  private var model: CompiledModel { mapping.model }

  /// Looks at the store before a change set is written.
  ///
  /// - Throws: ``PersistenceError`` for what the layout cannot have.
  init(_ changes: ChangeSet, _ writer: borrowing ChangeWriter) throws {
    (mapping, connection) = (writer.mapping, writer.connection)
    hasHistory = try connection.integer(CoreDataHistory.exists) != nil
    let mapping = mapping
    inserted =
      changes.links.isEmpty && changes.placements.isEmpty
      ? [] : Set(changes.inserts.map { mapping.key(of: $0.reference) })
    try check(changes, writer)
    try collectDeleted(changes.deletes)
    for (id, links) in grouped(changes.unlinks, by: \.relationship) {
      collect(links, writer.mapping.canonicalRelationship(id), isBeginning: false)
    }
    for (id, links) in grouped(changes.links, by: \.relationship) {
      let relationship = writer.mapping.canonicalRelationship(id)
      collect(links, relationship, isBeginning: true)
      try collectFormer(links, relationship)
    }
  }

  /// Touches a row of an object, of which a property changes.
  mutating func touch(
    _ entity: Int, _ key: Int64, _ property: Int?, isNeeded: Bool = false
  ) {
    let key = ObjectKey(root: mapping.entities[entity].root, key: key)
    if !inserted.contains(key) { touched.add(key, property, isNeeded: isNeeded) }
  }
}

extension StoreMapping {
  fileprivate func key(of object: ObjectReference) -> ObjectKey {
    ObjectKey(root: entities[object.entity].root, key: object.key)
  }
}

// MARK: - What cannot be saved

extension CoreDataSave {
  /// The largest version that Core Data has.
  static let largestVersion = Int64(Int32.max)

  private func check(_ changes: ChangeSet, _ writer: borrowing ChangeWriter) throws {
    for insert in changes.inserts where insert.version != RowVersion.first {
      throw PersistenceError.usesKeyAgain(writer.id(insert.entity, insert.key))
    }
    for update in changes.updates {
      try check(update.version, update.entity, update.key, writer)
    }
    for delete in changes.deletes where delete.version == 0 {
      try fillVersion(delete.entity, delete.key)
    }
  }

  private func check(
    _ version: Int64, _ entity: Int, _ key: Int64, _ writer: borrowing ChangeWriter
  ) throws {
    if version == 0 { try fillVersion(entity, key) }
    guard version < Self.largestVersion else {
      throw PersistenceError.versionsUsedUp(writer.id(entity, key))
    }
  }

  private func fillVersion(_ entity: Int, _ key: Int64) throws {
    try connection.run(generator.fillVersion(mapping.entities[entity]), [.integer(key)])
  }
}

// MARK: - What is touched

extension CoreDataSave {
  private mutating func collect(
    _ links: [ChangeSet.Link], _ relationship: CompiledRelationship, isBeginning: Bool
  ) {
    let inverse = model.inverse(of: relationship)
    let isBilateral = inverse != nil || mapping.joins[relationship.id] != nil
    for link in links {
      touch(
        link.owner.entity, link.owner.key, relationship.property, isNeeded: isBeginning)
      if isBilateral {
        touch(link.member.entity, link.member.key, inverse?.property, isNeeded: isBeginning)
      } else if isBeginning {
        unilateral.insert(mapping.key(of: link.member))
      }
    }
  }

  /// Touches what new links take objects away from.
  private mutating func collectFormer(
    _ links: [ChangeSet.Link], _ relationship: CompiledRelationship
  ) throws {
    if let join = mapping.joins[relationship.id] {
      guard join.isMemberKey else { return }
      for (_, owner) in try others(join.fromMember, old(links.map(\.member))) {
        touch(relationship.entity, owner, relationship.property)
      }
      return
    }
    let table = mapping.entities[relationship.entity]
    guard let inverse = model.inverse(of: relationship),
      let column = table.column(.key, ofProperty: relationship.property)
    else { return }
    let end = table.end(toColumn: table.columns[column].name)
    for (_, former) in try others(end, old(links.map(\.owner))) {
      touch(relationship.destination, former, inverse.property)
    }
  }

  private func old(_ objects: [ObjectReference]) -> [Int64] {
    objects.filter { !inserted.contains(mapping.key(of: $0)) }.map(\.key)
  }

  private mutating func collectDeleted(_ deletes: [ChangeSet.Delete]) throws {
    for (entity, group) in grouped(deletes, by: \.entity) {
      let (table, keys) = (mapping.entities[entity], group.map(\.key))
      try connection.run(
        generator.keepLastKey(table), [.integer(mapping.entities[table.root].number)])
      for column in table.columns where column.role == .key {
        guard let relationship = model.entities[entity].properties[column.property].relationship,
          let inverse = model.inverse(of: relationship)
        else { continue }
        for (_, other) in try others(table.end(toColumn: column.name), keys) {
          touch(relationship.destination, other, inverse.property)
        }
      }
      try collectLinked(keys, ofRoot: table.root)
    }
  }

  /// Touches what deleted objects are linked to in rows of links.
  private mutating func collectLinked(_ keys: [Int64], ofRoot root: Int) throws {
    for (id, join) in mapping.joins.sorted(by: { $0.value.table < $1.value.table }) {
      guard let relationship = model.property(id).relationship else { continue }
      if join.ownerRoot == root {
        for (_, member) in try others(join.fromOwner, keys) {
          touch(relationship.destination, member, model.inverse(of: relationship)?.property)
        }
      }
      if join.memberRoot == root {
        for (_, owner) in try others(join.fromMember, keys) {
          touch(relationship.entity, owner, relationship.property)
        }
      }
    }
  }

  func others(_ end: JoinMapping.End, _ keys: [Int64]) throws -> [(Int64, Int64)] {
    guard !keys.isEmpty else { return [] }
    var found: [(Int64, Int64)] = []
    try connection.withStatement(generator.others(end)) { statement throws in
      try statement.bind(mapping.dialect.array(of: keys.inOrder), at: 1)
      while try statement.step() {
        found.append((statement.integer(at: 0), statement.integer(at: 1)))
      }
    }
    return found
  }
}

// MARK: - Afterwards

extension CoreDataSave {
  /// Raises the versions of what the change set has touched and not written.
  ///
  /// - Returns: What tells later whether the save is in the store.
  /// - Throws: ``PersistenceError``: `conflict` if something would lead to an object that is gone.
  mutating func finish(
    _ changes: ChangeSet, _ writer: borrowing ChangeWriter
  ) throws -> SaveMark {
    let mapping = mapping
    try setCells()
    let updated = Set(changes.updates.lazy.map { mapping.key(of: $0.reference) })
    let deleted = Set(changes.deletes.lazy.map { mapping.key(of: $0.reference) })
    var missing: [String] = []
    for key in touched.keys where !updated.contains(key) {
      let isNeeded = touched.rows[key]?.isNeeded == true
      let isThere = try !deleted.contains(key) && raise(key, writer)
      if isNeeded, !isThere { missing.append(lost(key)) }
    }
    missing += try missingUnilateral()
    missing += try referring(to: deleted)
    guard missing.isEmpty else { throw PersistenceError.missingRows(Array(missing.prefix(8))) }
    try record(changes)
    return mark(changes)
  }

  /// - Returns: Whether there is such a row.
  private mutating func raise(
    _ key: ObjectKey, _ writer: borrowing ChangeWriter
  ) throws -> Bool {
    let root = mapping.entities[key.root]
    let row = try connection.rows(generator.raise(root), [.integer(key.key)]).first
    guard let row, case .integer(let version) = row[0] else { return false }
    let entity =
      row.count < 2
      ? root : mapping.entities.first { $0.root == key.root && .integer($0.number) == row[1] }
    guard version <= Self.largestVersion else {
      throw PersistenceError.versionsUsedUp(writer.id(key.root, key.key))
    }
    raised.append(
      RaisedVersion(
        object: ObjectReference(entity: entity?.entity ?? key.root, key: key.key),
        version: version))
    return true
  }

  private func lost(_ key: ObjectKey) -> String {
    "a link leads to a missing row of '\(mapping.entities[key.root].table)' with Z_PK \(key.key)"
  }

  /// What links without inverse lead to, and is not there.
  private func missingUnilateral() throws -> [String] {
    var missing: [String] = []
    for (root, keys) in Dictionary(grouping: unilateral, by: \.root).sorted(by: { $0.key < $1.key })
    {
      let found = try connection.integers(
        generator.existing(mapping.entities[root]),
        [mapping.dialect.array(of: keys.map(\.key).sorted())])
      missing += Set(keys.map(\.key)).subtracting(found).sorted()
        .map { lost(ObjectKey(root: root, key: $0)) }
    }
    return missing
  }

  /// The rows that have the keys of deleted objects.
  private func referring(to deleted: Set<ObjectKey>) throws -> [String] {
    var found: [String] = []
    for (root, keys) in Dictionary(grouping: deleted, by: \.root).sorted(by: { $0.key < $1.key }) {
      for end in mapping.keyColumns(toRoot: root) where found.count < 8 {
        found += try others(end, keys.map(\.key)).map { _, row in
          "a row of '\(end.table)' with Z_PK \(row) refers to a missing row of "
            + "'\(mapping.entities[root].table)'"
        }
      }
    }
    return found
  }

  /// A row that the save has written.
  private func mark(_ changes: ChangeSet) -> SaveMark {
    func mark(_ object: ObjectReference, _ version: Int64?) -> SaveMark {
      .row(
        generator.readVersion(mapping.entities[object.entity]), key: object.key, version: version)
    }
    if let insert = changes.inserts.first { return mark(insert.reference, RowVersion.first) }
    if let update = changes.updates.first {
      return mark(update.reference, RowVersion.next(after: update.version))
    }
    if let row = raised.first { return mark(row.object, row.version) }
    return changes.deletes.first.map { mark($0.reference, nil) } ?? .nothing
  }
}

extension PersistenceError {
  fileprivate static func usesKeyAgain(_ id: ManagedObjectID) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "'\(id)' was deleted by a save and cannot be written again: a store of Core Data never uses a "
        + "key again; nothing was saved: roll back, and insert a new object with its values",
      objectIDs: [id])
  }

  static func versionsUsedUp(_ id: ManagedObjectID) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "the row of '\(id)' has the largest version that Core Data has, \(Int32.max), so that no save "
        + "can count it up; nothing was saved: another program wrote it: set Z_OPT to 1",
      objectIDs: [id])
  }
}
