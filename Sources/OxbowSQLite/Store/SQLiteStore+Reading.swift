package import OxbowModel
internal import OxbowSQL
package import OxbowStore

extension SQLiteStore {
  package func rows(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try slabs(of: fetch, isFault: false) { try $0.rows(fetch, $1) }
  }

  package func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try slabs(of: fetch, isFault: true) { try $0.keys(fetch, $1) }
  }

  package func check(_ fetch: StoreFetch) throws(PersistenceError) {
    try read(fetch) { connection, generator, reader in
      let sql = try generator.keys(fetch, reader.shape)
      try connection.withStatement(sql.text) { _ in }
    }
  }

  package func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
    try read(fetch) { connection, generator, reader in
      let sql = try generator.count(fetch, reader.shape)
      return Int(try connection.integer(sql.text, sql.values) ?? 0)
    }
  }

  private func slabs(
    of fetch: StoreFetch, isFault: Bool,
    _ statement: (SelectGenerator, RowShape) throws -> SQLFragment
  ) throws(PersistenceError) -> [RowSlab] {
    try read(fetch, isFault: isFault) { connection, generator, reader in
      let sql = try statement(generator, reader.shape)
      return try connection.withStatement(sql.text) { statement in
        try statement.bind(sql.values)
        return try reader.rows(statement, of: connection, expecting: fetch.limit ?? 64)
      }
    }
  }

  private func read<R>(
    _ fetch: StoreFetch, isFault: Bool = false,
    _ body: (Connection, SelectGenerator, RowReader) throws -> R
  ) throws(PersistenceError) -> R {
    try read { connection, state in
      let reader = state.reader(
        fetch.entity, includesSubentities: fetch.includesSubentities, isFault: isFault)
      return try body(connection, self.generator(state), reader)
    }
  }

  package func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
    guard !keys.isEmpty else { return [] }
    return try read { connection, state in
      let reader = state.reader(entity)
      let generator = self.generator(state)
      var slabs: [RowSlab] = []
      try self.inBlocks(of: keys, connection) { block throws in
        let sql = state.select(entity, count: block.count) {
          generator.rows(reader.shape, keyCount: block.count)
        }
        try connection.withStatement(sql) { statement throws in
          try self.bind(block, to: statement)
          slabs += try reader.rows(statement, of: connection, expecting: keys.count)
        }
      }
      return slabs
    }
  }

  package func rows(related relationship: RelationshipID, to owners: [Int64])
    throws(PersistenceError) -> RelatedRows
  {
    guard !owners.isEmpty,
      let found = model.entities[relationship.entity].properties[relationship.property]
        .relationship
    else { return RelatedRows(slabs: [], members: [:]) }
    return try read { connection, state in
      let reader = state.reader(found.destination)
      let generator = self.generator(state)
      var result = RelatedRows(slabs: [], members: [:])
      guard state.mapping.keeps(found) else { return result }
      try self.inBlocks(of: owners, connection) { block throws in
        let sql = state.select(found.destination, relationship: found.id, count: block.count) {
          generator.related(found, reader.shape, ownerCount: block.count)
        }
        try connection.withStatement(sql) { statement throws in
          try self.bind(block, to: statement)
          try reader.related(statement, of: connection, into: &result)
        }
      }
      return result
    }
  }
}

// MARK: - One read

extension SQLiteStore {
  func generator(_ state: StoreState) -> SelectGenerator {
    SelectGenerator(mapping: state.mapping, store: identifier)
  }

  /// Runs `body` on a reader, with what the store knows of the schema; again when it finds out that
  /// the schema has changed meanwhile.
  func read<R>(_ body: (Connection, StoreState) throws -> R) throws(PersistenceError) -> R {
    do {
      return try database.read { connection in
        for _ in 0..<3 {
          let state = try self.state(for: connection)
          let result = Result { try body(connection, state) }
          guard try self.isStale(connection, state, result) else { return try result.get() }
        }
        throw PersistenceError(
          .storeLocked,
          "the tables of the store '\(path)' are changed by another program all the time; try again"
        )
      }
    } catch { throw PersistenceError(error, "reading") }
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

  /// The most parameters of one statement; SQLite allows 32,766.
  private static var blockSize: Int { 16_384 }

  /// Calls `body` for blocks of keys, filled up to a power of two so that few texts occur; all see
  /// one moment of the store.
  private func inBlocks(
    of keys: [Int64], _ connection: Connection, _ body: (ArraySlice<Int64>) throws -> Void
  ) throws {
    guard keys.count > Self.blockSize else { return try body(padded(keys[...])) }
    try connection.transaction(.read) {
      var start = 0
      while start < keys.count {
        let end = min(start + Self.blockSize, keys.count)
        try body(padded(keys[start..<end]))
        start = end
      }
    }
  }

  private func padded(_ keys: ArraySlice<Int64>) -> ArraySlice<Int64> {
    var size = 1
    while size < keys.count { size *= 2 }
    guard size > keys.count, let last = keys.last else { return keys }
    return keys + repeatElement(last, count: size - keys.count)
  }

  private func bind(_ keys: ArraySlice<Int64>, to statement: Statement) throws {
    var index: Int32 = 1
    for key in keys {
      try statement.bind(.integer(key), at: index)
      index += 1
    }
  }
}
