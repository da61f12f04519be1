package import OxbowModel
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    try read { connection, state in
      let plan = try self.statement(query, state)
      let reader = ColumnReader(plan.cells, mapping: state.mapping, store: self.identifier)
      if let rows = try self.hashedRows(of: query, plan.types, reader, connection, state) {
        return rows
      }
      return try connection.withStatement(plan.sql.text) { statement in
        try statement.bind(plan.sql.values)
        return try reader.rows(statement)
      }
    }
  }

  package func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    try read { connection, state in
      let shape = state.reader(fetch.entity, includesSubentities: fetch.includesSubentities).shape
      let plan = try self.generator(state).places(fetch, shape)
      let reader = ColumnReader(plan.cells, mapping: state.mapping, store: self.identifier)
      return try connection.stopping(on: fetch.cancellation) {
        try connection.withStatement(plan.sql.text) { statement in
          try statement.bind(plan.sql.values)
          return try reader.places(statement)
        }
      }
    }
  }

  /// The rows of a question for groups that are made while objects are read, or `nil` where the
  /// store makes them.
  private func hashedRows(
    of query: ColumnQuery, _ types: [AttributeType], _ reader: ColumnReader,
    _ connection: Connection, _ state: StoreState
  ) throws -> ColumnRows? {
    let shape = state.reader(query.entity, includesSubentities: query.includesSubentities).shape
    guard let plan = try generator(state).groups(query, shape) else { return nil }
    let groups = try connection.withStatement(plan.sql.text) { statement in
      try statement.bind(plan.sql.values)
      var groups = HashedGroupReader(plan, reader: reader)
      return try groups.groups(statement, types: types)
    }
    return try groups.map { try query.rows(ofGroups: $0, in: state.mapping.model) }
  }

  package func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
    try read { connection, state in
      let plan = try self.statement(query, state)
      try connection.withStatement(plan.sql.text) { _ in }
      return plan.types
    }
  }

  private func statement(
    _ query: ColumnQuery, _ state: StoreState
  ) throws(PersistenceError) -> ColumnStatement {
    let reader = state.reader(query.entity, includesSubentities: query.includesSubentities)
    return try generator(state).columns(query, reader.shape)
  }
}
