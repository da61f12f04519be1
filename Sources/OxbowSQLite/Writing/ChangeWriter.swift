// A change set in SQL, within one transaction:
//
//   1. deletes, with the join rows of what is deleted
//   2. join rows of links that end
//   3. updates, with the keys that links and unlinks set in the same row
//   4. inserts, likewise
//   5. keys in rows that are neither
//   6. join rows of links that begin
//
// Foreign keys are deferred, so their order does not matter; unique indexes are not, so what makes
// room comes first. A row is written once, whatever changes in it: a required key could not be empty
// between two statements. Nothing of the change set is consumed: it can be applied again.

internal import CSQLite
internal import OxbowModel
internal import OxbowSQL
internal import OxbowStore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Applies one change set on one connection; belongs to one call of one thread.
struct ChangeWriter: ~Copyable {
  let mapping: StoreMapping
  let connection: Connection
  let statements: StatementTexts
  let store: UUID

  private var binder = RowBinder()
  private var assignments = Assignments()
  private var conflicts: [ManagedObjectID] = []

  /// Rows and links written.
  private(set) var written = 0

  init(
    mapping: StoreMapping, connection: Connection, statements: StatementTexts, store: UUID
  ) {
    self.mapping = mapping
    self.connection = connection
    self.statements = statements
    self.store = store
  }

  /// Applies a change set.
  ///
  /// - Throws: ``PersistenceError`` with `conflict` and all objects that others changed.
  mutating func apply(_ changes: ChangeSet) throws {
    try gather(changes)
    try delete(changes.deletes)
    try untie(changes.unlinks)
    try update(changes.updates)
    try insert(changes.inserts)
    try updateRest()
    try tie(changes.links)
    guard conflicts.isEmpty else { throw PersistenceError.conflict(conflicts) }
  }

  private func root(_ entity: Int) -> Int { mapping.entities[entity].root }

  private func id(_ entity: Int, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      store: store, rootEntityName: mapping.schema.entities[root(entity)].name,
      entityName: mapping.schema.entities[entity].name, key: key)
  }
}

// MARK: - Links in keys

extension ChangeWriter {
  private mutating func gather(_ changes: ChangeSet) throws {
    var known: [RelationshipID: KeyColumns?] = [:]
    for link in changes.links {
      guard let columns = try columns(of: link, &known) else { continue }
      add(
        link.owner, columns.ownKey, columns.ownEntity, to: link.member,
        position: columns.ownPosition.map { ($0, link.ownerPosition) })
      if let key = columns.otherKey { add(link.member, key, columns.otherEntity, to: link.owner) }
    }
    for link in changes.unlinks {
      guard let columns = try columns(of: link, &known) else { continue }
      clear(
        link.owner, columns.ownKey, [columns.ownEntity, columns.ownPosition], from: link.member)
      if let key = columns.otherKey {
        clear(link.member, key, [columns.otherEntity], from: link.owner)
      }
    }
    // Deleted rows are gone with their keys.
    for delete in changes.deletes {
      _ = assignments.take(root: root(delete.entity), key: delete.key)
    }
  }

  private func columns(of link: ChangeSet.Link, _ known: inout [RelationshipID: KeyColumns?])
    throws -> KeyColumns?
  {
    if let columns = known[link.relationship] { return columns }
    let relationship = try relationship(link.relationship)
    let columns =
      relationship.storage == .ownKey ? KeyColumns(relationship, mapping) : nil
    known[link.relationship] = .some(columns)
    return columns
  }

  private func relationship(_ id: RelationshipID) throws -> RelationshipSchema {
    let property = mapping.schema.entities[id.entity].properties[id.property]
    guard let relationship = property.relationship, relationship.storage.isCanonical else {
      preconditionFailure(
        "links are told from the canonical end; '\(property.name)' is not canonical")
    }
    return relationship
  }

  private mutating func add(
    _ row: ObjectReference, _ key: Int, _ entity: Int?, to other: ObjectReference,
    position: (column: Int, value: Int64?)? = nil
  ) {
    let root = root(row.entity)
    assignments.add(row, root: root, column: key, value: other.key)
    if let entity {
      assignments.add(
        row, root: root, column: entity, value: mapping.entities[other.entity].number)
    }
    if let position {
      assignments.add(row, root: root, column: position.column, value: position.value)
    }
  }

  private mutating func clear(
    _ row: ObjectReference, _ key: Int, _ others: [Int?], from other: ObjectReference
  ) {
    let root = root(row.entity)
    assignments.add(
      row, root: root, column: key, value: nil, expected: other.key, isUnlink: true)
    for column in others.compactMap(\.self) {
      assignments.add(row, root: root, column: column, value: nil, isUnlink: true)
    }
  }
}

// MARK: - Rows

extension ChangeWriter {
  private mutating func delete(_ deletes: [ChangeSet.Delete]) throws {
    for delete in deletes {
      let entity = mapping.entities[delete.entity]
      for sql in statements.unlinkAll(root: entity.root) {
        try connection.run(sql, [.integer(delete.key)])
      }
      let sql = statements.delete(entity, hasVersion: delete.version != nil)
      try connection.run(
        sql, [.integer(delete.key)] + (delete.version.map { [.integer($0)] } ?? []))
      count(delete.entity, delete.key)
    }
  }

  /// Notes a conflict when the last statement met no row.
  private mutating func count(_ entity: Int, _ key: Int64) {
    written += 1
    if connection.changes == 0 { conflicts.append(id(entity, key)) }
  }

  private mutating func update(_ updates: [ChangeSet.Update]) throws {
    for update in updates {
      let entity = mapping.entities[update.entity]
      let links = assignments.take(root: entity.root, key: update.key)
      let values = update.values.compactMap { value in
        entity.column(ofProperty: value.property).map { (column: $0, value: value.value) }
      }
      let shape = ChangeGenerator.UpdateShape(
        columns: values.map(\.column) + links.map { Int($0.column) }, hasVersion: true)
      try connection.withStatement(statements.update(entity, shape)) { statement throws in
        binder.begin(values.lazy.map(\.value))
        var index: Int32 = 1
        for (column, value) in values {
          try bind(value, entity, column, update.key, statement, index)
          index += 1
        }
        try bind(links, statement, &index)
        try statement.bind(.integer(update.key), at: index)
        try statement.bind(.integer(update.version), at: index + 1)
        let code = sqlite3_step(statement.handle)
        guard code == SQLITE_DONE else {
          throw failure(code, statement, entity, update.key)
        }
      }
      count(update.entity, update.key)
    }
  }

  private mutating func bind(
    _ value: AttributeValue?, _ entity: EntityMapping, _ column: Int, _ key: Int64,
    _ statement: Statement, _ index: Int32
  ) throws {
    let column = entity.columns[column]
    guard let code = binder.bind(value, column.codec, to: statement.handle, at: index) else {
      throw PersistenceError.cannotStore(value, column, mapping, id(entity.entity, key))
    }
    guard code == SQLITE_OK else { throw connection.error(code, statement: statement) }
  }

  private func bind(
    _ links: [Assignments.Assignment], _ statement: Statement, _ index: inout Int32
  ) throws {
    for link in links {
      try statement.bind(link.value.map { .integer($0) } ?? .null, at: index)
      index += 1
    }
  }

  private mutating func insert(_ inserts: [ChangeSet.Insert]) throws {
    // One statement for each entity, and the rows of an entity in the order of their keys: that is
    // how a table grows at its end.
    for (entity, indices) in groups(inserts) {
      let mapped = mapping.entities[entity]
      try connection.withStatement(statements.insert(mapped)) { statement throws in
        for index in indices { try insert(inserts[index], mapped, statement) }
      }
    }
  }

  private func groups(_ inserts: [ChangeSet.Insert]) -> [(entity: Int, indices: [Int])] {
    var groups: [Int: [Int]] = [:]
    for index in inserts.indices { groups[inserts[index].entity, default: []].append(index) }
    return groups.sorted { $0.key < $1.key }.map { entity, indices in
      (entity, indices.sorted { inserts[$0].key < inserts[$1].key })
    }
  }

  private mutating func insert(
    _ insert: ChangeSet.Insert, _ entity: EntityMapping, _ statement: Statement
  ) throws {
    let handle = statement.handle
    let links = assignments.take(root: entity.root, key: insert.key)
    binder.begin(insert.values)
    sqlite3_bind_int64(handle, 1, insert.key)
    var index: Int32 = 2
    for place in 0..<entity.columns.count {
      let column = entity.columns[place]
      if column.role == .attribute {
        guard
          let code = binder.bind(
            insert.values[column.property], column.codec, to: handle, at: index)
        else {
          throw PersistenceError.cannotStore(
            insert.values[column.property], column, mapping, id(entity.entity, insert.key))
        }
        guard code == SQLITE_OK else { throw connection.error(code, statement: statement) }
      } else if let link = links.first(where: { $0.column == Int32(place) }), let key = link.value {
        sqlite3_bind_int64(handle, index, key)
      } else {
        sqlite3_bind_null(handle, index)
      }
      index += 1
    }
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE else { throw failure(code, statement, entity, insert.key) }
    sqlite3_reset(handle)
    written += 1
  }

  @inline(never)
  private func failure(
    _ code: Int32, _ statement: Statement, _ entity: EntityMapping, _ key: Int64
  ) -> any Error {
    let error = connection.error(code, statement: statement)
    return PersistenceError.constraint(error, id(entity.entity, key)) ?? error
  }

  private mutating func updateRest() throws {
    for (reference, links) in assignments.takeRest() {
      let entity = mapping.entities[reference.entity]
      // Rows that others have changed since keep what the others tied.
      for link in links where link.expected != nil {
        let columns = links.filter(\.isUnlink).map { Int($0.column) }
        try connection.run(
          statements.clear(entity, columns, key: Int(link.column)),
          [.integer(reference.key), .integer(link.expected ?? 0)])
      }
      let set = links.filter { !$0.isUnlink }
      guard !set.isEmpty else { continue }
      let shape = ChangeGenerator.UpdateShape(
        columns: set.map { Int($0.column) }, hasVersion: false)
      try connection.run(
        statements.update(entity, shape),
        set.map { $0.value.map { .integer($0) } ?? .null } + [.integer(reference.key)])
      count(reference.entity, reference.key)
    }
  }
}

// MARK: - Links in join rows

extension ChangeWriter {
  private mutating func untie(_ links: [ChangeSet.Link]) throws {
    for link in links {
      guard let join = mapping.joins[link.relationship] else { continue }
      for (owner, member) in try directions(of: link) {
        try connection.run(
          statements.unlink(join), [.integer(owner.key), .integer(member.key)])
      }
      written += 1
    }
  }

  // A relationship that is its own inverse has a row for each direction.
  private func directions(of link: ChangeSet.Link) throws -> [(ObjectReference, ObjectReference)] {
    let relationship = try relationship(link.relationship)
    let isOwnInverse = mapping.schema.inverse(of: relationship)?.id == relationship.id
    return isOwnInverse && link.owner != link.member
      ? [(link.owner, link.member), (link.member, link.owner)] : [(link.owner, link.member)]
  }

  private mutating func tie(_ links: [ChangeSet.Link]) throws {
    for link in links {
      guard let join = mapping.joins[link.relationship] else { continue }
      let positions: [Int64?] =
        (join.memberPositionColumn == nil ? [] : [link.memberPosition])
        + (join.ownerPositionColumn == nil ? [] : [link.ownerPosition])
      for (owner, member) in try directions(of: link) {
        try connection.run(
          statements.link(join),
          [.integer(owner.key), .integer(member.key)]
            + positions.map { $0.map { .integer($0) } ?? .null })
      }
      written += 1
    }
  }
}
