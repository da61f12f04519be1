package import OxbowModel
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func rows(of fetch: StoreFetch, unless known: RowFilter?) throws(PersistenceError)
    -> [RowSlab]
  {
    if let known, known.count >= Self.headersFirst, fetch.isUnconditional,
      let headers = try knownRows(of: fetch, known)
    {
      return headers
    }
    return try ask(.rows, fetch) { connection, statement, reader in
      try reader.rows(statement, of: connection, expecting: fetch.limit ?? 64, unless: known)
    }
  }

  /// From so many known rows on, a fetch without conditions asks for headers first.
  private static let headersFirst = 256

  /// The headers of the rows of a fetch if all are known, and `nil` otherwise: then the first that
  /// is not ends the reading.
  ///
  /// SQLite decodes all columns of a statement for each row, whether anybody reads them or not
  /// (docs/performance.md, M/again).
  private func knownRows(
    of fetch: StoreFetch, _ known: RowFilter
  ) throws(PersistenceError) -> [RowSlab]? {
    try ask(.headers, fetch) { connection, statement, reader in
      try reader.headers(statement, of: connection, ifAll: known)
    }
  }

  package func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try ask(.keys, fetch) { connection, statement, reader in
      fetch.isSearch && reader.shape.mapping.typeColumn == nil
        ? try reader.references(unordered: statement, of: connection)
        : try reader.references(statement, of: connection, expecting: fetch.limit ?? 64)
    }
  }

  package func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
    try ask(.count, fetch) { _, statement, _ in
      try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  private func ask<R>(
    _ question: FetchPlan.Question, _ fetch: StoreFetch,
    _ body: (Connection, Statement, RowReader) throws -> R
  ) throws(PersistenceError) -> R {
    try read { connection, state in
      try connection.stopping(on: fetch.cancellation) {
        try connection.withStatement(of: fetch, question, self, state) { statement, reader in
          try body(connection, statement, reader)
        }
      }
    }
  }

  package func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
    guard !keys.isEmpty else { return [] }
    return try read { try self.rows(of: entity, keys: keys, $0, $1) }
  }

  /// The rows with these keys, on a connection.
  func rows(
    of entity: Int, keys: [Int64], _ connection: Connection, _ state: StoreState
  ) throws -> [RowSlab] {
    if keys.count == 1, let known = connection.plans.keyed, known.entity == entity,
      known.state === state, !known.statement.isBorrowed, !StatementRecord.isRecording
    {
      return try connection.lend(known.statement) { statement in
        try statement.bind(.integer(keys[0]), at: 1)
        return try known.reader.rows(statement, of: connection, expecting: 1)
      }
    }
    let reader = state.reader(entity)
    let generator = generator(state)
    let bound = BoundKeys(keys.inOrder)
    let sql = state.select(entity, bound.parameters) {
      generator.rows(reader.shape, keys: bound.parameters)
    }
    return try connection.withStatement(sql) { statement in
      try bound.bind(to: statement)
      if keys.count == 1, statement.isBorrowed {
        connection.plans.keyed = KeyedRead(
          entity: entity, state: state, statement: statement, reader: reader)
      }
      return try reader.rows(statement, of: connection, expecting: keys.count)
    }
  }

  package func rows(related relationship: RelationshipID, to owners: [Int64])
    throws(PersistenceError) -> RelatedRows
  {
    guard !owners.isEmpty,
      let found = model.property(relationship).relationship
    else { return RelatedRows(slabs: [], members: [:]) }
    return try read { connection, state in
      let reader = state.reader(found.destination)
      let generator = self.generator(state)
      var result = RelatedRows(slabs: [], members: [:])
      guard state.mapping.keeps(found) else { return result }
      let bound = BoundKeys(owners)
      let sql = state.select(found.destination, relationship: found.id, bound.parameters) {
        generator.related(found, reader.shape, owners: bound.parameters)
      }
      try connection.withStatement(sql) { statement in
        try bound.bind(to: statement)
        try reader.related(
          statement, of: connection, owner: generator.ownerColumn(of: found, reader.shape),
          isUnique: state.mapping.join(of: found) == nil, into: &result)
      }
      return result
    }
  }
}

// MARK: - One read

extension SQLiteStore {
  func generator(_ state: StoreState) -> SelectGenerator {
    SelectGenerator(
      mapping: state.mapping, store: identifier, searchPlan: state.searchPlan, boxes: state.boxes)
  }

  /// Runs `body` on a reader, with what the store knows of the schema; again when it finds out that
  /// the schema has changed meanwhile.
  func read<R>(_ body: (Connection, StoreState) throws -> R) throws(PersistenceError) -> R {
    let cancellation = ReadCancellation.current
    do {
      return try withReader { connection in
        for _ in 0..<3 {
          let state = try self.state(for: connection)
          let result = Result {
            try connection.stopping(on: cancellation) { try body(connection, state) }
          }
          guard try self.isStale(connection, state, result) else { return try result.get() }
        }
        throw PersistenceError(
          .storeLocked,
          "the tables of the store '\(path)' are changed by another program all the time; try again"
        )
      }
    } catch { throw PersistenceError(error, "reading") }
  }

  /// Lends a reader: that of the view, if the store is one.
  private func withReader<R>(_ body: (Connection) throws -> R) throws -> R {
    if let view { return try view.read(body) }
    try keeper?.requireOutside()
    return try using { try $0.read(body) }
  }

  private func state(for connection: Connection) throws -> StoreState {
    let state = try current()
    return connection.knownSchemaVersion == state.schemaVersion
      ? state : try checkSchema(connection)
  }

  /// Whether a read was made with another schema than the file has.
  ///
  /// SQLite prepares a statement anew when the schema has changed since it was prepared, which
  /// shows. A column or table that is gone shows as an error of the statement.
  private func isStale<R>(
    _ connection: Connection, _ state: StoreState, _ result: Result<R, any Error>
  ) throws -> Bool {
    var isSuspect = connection.takeSchemaChange()
    if case .failure(let error as SQLiteError) = result, error.code.primary == .error {
      isSuspect = true
    }
    return isSuspect ? try checkSchema(connection) !== state : false
  }
}

extension StoreFetch {
  /// Whether it is all that a search for words finds: an index gives it in any order.
  fileprivate var isSearch: Bool {
    guard case .words? = predicate else { return false }
    return sortKeys.isEmpty && limit == nil && offset == 0
  }
}
