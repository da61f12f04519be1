internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Notes a conflict when the last statement met no row.
  private mutating func count(_ entity: Int, _ key: Int64) {
    if connection.changes == 0 { conflicts.append(id(entity, key)) }
  }

  mutating func update(_ updates: [ChangeSet.Update]) throws {
    var planned: [PlannedUpdate] = []
    planned.reserveCapacity(updates.count)
    for update in updates {
      let update = externals == nil ? update : try movingOut(update)
      let entity = mapping.entities[update.entity]
      let links = assignments.take(root: entity.root, key: update.key)
      let columns =
        update.values.compactMap { entity.column(ofProperty: $0.property) }
        + links.map(\.column)
      planned.append(PlannedUpdate(update: update, links: links, columns: columns))
    }
    struct Shape: Hashable {
      let entity: Int
      let columns: ChangeGenerator.UpdateShape
    }
    let groups = grouped(planned) {
      Shape(entity: $0.update.entity, columns: .init(columns: $0.columns, hasVersion: true))
    }
    var waiting: [PlannedUpdate] = []
    for (shape, group) in groups {
      let entity = mapping.entities[shape.entity]
      let sql = statements.value(.update(entity: shape.entity, shape.columns)) {
        generator.update(entity, shape.columns)
      }
      try connection.withStatement(sql) { statement throws in
        for item in group where try !update(item, entity, statement) { waiting.append(item) }
      }
    }
    if !waiting.isEmpty { try update(waiting: waiting) }
  }

  /// Updates a row.
  ///
  /// - Returns: Whether it was updated; not so when it `mayWait` for a value that another row has.
  mutating func update(
    _ item: PlannedUpdate, _ entity: EntityMapping, _ statement: Statement, mayWait: Bool = true
  ) throws -> Bool {
    let update = item.update
    binder.begin(update.values.lazy.map(\.value))
    var index: Int32 = 1
    for (property, value) in update.values {
      guard let column = entity.column(ofProperty: property) else { continue }
      try bind(value, entity, column, update.key, statement, index)
      index += 1
    }
    for link in item.links {
      try statement.bind(link.value.map { .integer($0) } ?? .null, at: index)
      index += 1
    }
    try statement.bind(.integer(update.key), at: index)
    try statement.bind(.integer(update.version), at: index + 1)
    let code = sqlite3_step(statement.handle)
    if mayWait, code == ResultCode.constraintUnique.rawValue {
      statement.reset()
      return false
    }
    guard code == SQLITE_DONE else {
      throw failure(code, statement, entity, update.key) { entity.written(item.update, item.links) }
    }
    count(update.entity, update.key)
    statement.reset()
    return true
  }

  /// Binds what an insert has: values.
  private mutating func bind(
    _ values: ContiguousArray<AttributeValue?>, _ links: [LinkAssignments.Cell],
    _ entity: EntityMapping, _ key: Int64, _ statement: Statement
  ) throws {
    binder.begin(values)
    for column in entity.columns.indices {
      let index = Int32(truncatingIfNeeded: column) + 2
      if entity.columns[column].role == .attribute {
        try bind(
          values[entity.columns[column].property], entity, column, key, statement, index)
      } else {
        bind(links, column, statement, index)
      }
    }
  }

  /// Likewise a row; its text is bound where it is (docs/performance.md, M/insert).
  private func bind(
    _ slab: RowSlab, _ row: Int, _ links: [LinkAssignments.Cell], _ entity: EntityMapping,
    _ statement: Statement
  ) throws {
    for column in entity.columns.indices {
      let index = Int32(truncatingIfNeeded: column) + 2
      guard entity.columns[column].role == .attribute else {
        bind(links, column, statement, index)
        continue
      }
      let code = RowBinder.bind(
        slab, row, entity.columns[column].slot, entity.columns[column].codec,
        to: statement.handle, at: index)
      guard code == SQLITE_OK else {
        throw unbound(code, slab, row, entity.columns[column], entity)
      }
    }
  }

  private func bind(
    _ links: [LinkAssignments.Cell], _ column: Int, _ statement: Statement, _ index: Int32
  ) {
    if let key = links.first(where: { $0.column == column })?.value {
      sqlite3_bind_int64(statement.handle, index, key)
    } else {
      sqlite3_bind_null(statement.handle, index)
    }
  }

  @inline(never)
  private func unbound(
    _ code: Int32?, _ slab: RowSlab, _ row: Int, _ column: MappedColumn, _ entity: EntityMapping
  ) -> any Error {
    let value = slab.values(of: row)[column.property]
    return unbound(code, value, column, id(entity.entity, slab._key(row)))
  }

  @inline(__always)
  private mutating func bind(
    _ value: AttributeValue?, _ entity: EntityMapping, _ column: Int, _ key: Int64,
    _ statement: Statement, _ index: Int32
  ) throws {
    // The column is not copied: its name would be counted up and down for each value.
    let code = binder.bind(
      value, entity.columns[column].codec, to: statement.handle, at: index)
    guard code == SQLITE_OK else {
      throw unbound(code, value, entity.columns[column], id(entity.entity, key))
    }
  }

  mutating func insert(_ inserts: [ChangeSet.Insert]) throws {
    for (entity, group) in groupedByEntity(inserts) {
      let mapped = mapping.entities[entity]
      // In the order of keys, a table grows at its end.
      let isSorted = zip(group, group.dropFirst()).allSatisfy { $0.key < $1.key }
      try connection.withInsert(into: mapped, statements, generator) { statement throws in
        let movesOut = externals?.isConcerned(entity) == true
        for item in isSorted ? group : group.sorted(by: { $0.key < $1.key }) {
          try insert(movesOut ? try movingOut(item) : item, mapped, statement)
        }
      }
    }
  }

  /// Most saves insert objects of one entity, and are not sorted (docs/performance.md, M/insert).
  private func groupedByEntity(_ inserts: [ChangeSet.Insert]) -> [(Int, [ChangeSet.Insert])] {
    guard let first = inserts.first else { return [] }
    if inserts.allSatisfy({ $0.entity == first.entity }) { return [(first.entity, inserts)] }
    return grouped(inserts, by: \.entity).sorted { $0.0 < $1.0 }
  }

  mutating func insert(
    _ insert: ChangeSet.Insert, _ entity: EntityMapping, _ statement: Statement
  ) throws {
    let handle = statement.handle
    let links = assignments.take(root: entity.root, key: insert.key)
    sqlite3_bind_int64(handle, 1, insert.key)
    switch insert.content {
    case .values(let values): try bind(values, links, entity, insert.key, statement)
    case .row(let slab, let row):
      try slab._withUnsafeGuaranteedRef { slab throws in
        try bind(slab, row, links, entity, statement)
      }
    }
    let code = sqlite3_step(handle)
    if code == ResultCode.constraintPrimaryKey.rawValue, insert.version != RowVersion.first {
      // It comes back, and another context has written it again.
      conflicts.append(id(entity.entity, insert.key))
      return statement.reset()
    }
    guard code == SQLITE_DONE else {
      throw failure(code, statement, entity, insert.key) { entity.written(insert, links) }
    }
    // A trigger of another program can swallow a row, and say nothing.
    guard connection.changes == 1 else {
      throw PersistenceError.swallowed(id(entity.entity, insert.key), entity.table)
    }
    sqlite3_reset(handle)
    if insert.version != RowVersion.first {
      try connection.run(
        generator.setVersion(entity), [.integer(insert.version), .integer(insert.key)])
    }
  }

  @inline(never)
  private func failure(
    _ code: Int32, _ statement: Statement, _ entity: EntityMapping, _ key: Int64,
    _ written: () -> [Int: SQLValue]
  ) -> any Error {
    let error = connection.error(code, statement: statement)
    guard error.code != .constraintUnique else {
      // Among rows that others have changed, which row has a value does not answer it.
      guard conflicts.isEmpty else { return PersistenceError.conflict(conflicts) }
      statement.reset()
      return notUnique(error, entity, key, written())
    }
    let id = id(entity.entity, key)
    // A trigger of another program may have repeated a key in a table of its own.
    if error.code == .constraintPrimaryKey,
      error.message.hasSuffix(": \(entity.table).\(entity.keyColumn)")
    {
      return PersistenceError.keyTaken(id, entity.table, counter: bookkeeping.keyCounter)
    }
    return PersistenceError.constraint(error, id) ?? error
  }

  /// Why a value could not be bound; without a code, the column cannot have it.
  @inline(never)
  private func unbound(
    _ code: Int32?, _ value: AttributeValue?, _ column: MappedColumn, _ id: ManagedObjectID
  ) -> any Error {
    guard let code else { return PersistenceError.cannotStore(value, column, mapping, id) }
    let error = connection.error(code)
    guard error.code == .tooBig else { return error }
    return PersistenceError.tooBig(value, column, mapping, id)
  }

  mutating func updateRest() throws {
    for (reference, links) in assignments.takeRest() {
      let entity = mapping.entities[reference.entity]
      // Rows that others have changed since keep the links of the others.
      for link in links where link.expected != nil {
        let columns = links.filter(\.isUnlink).map(\.column)
        let sql = statements.value(
          .clear(entity: entity.entity, columns: columns, key: link.column)
        ) {
          generator.clear(entity, columns, key: link.column)
        }
        try connection.run(sql, [.integer(reference.key), .integer(link.expected ?? 0)])
      }
      let set = links.filter { !$0.isUnlink }
      guard !set.isEmpty else { continue }
      let shape = ChangeGenerator.UpdateShape(columns: set.map(\.column), hasVersion: false)
      let sql = statements.value(.update(entity: entity.entity, shape)) {
        generator.update(entity, shape)
      }
      try connection.run(
        sql,
        set.map { $0.value.map { .integer($0) } ?? .null } + [.integer(reference.key)])
      count(reference.entity, reference.key)
    }
  }
}
