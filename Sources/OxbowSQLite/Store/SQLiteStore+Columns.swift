package import OxbowModel
internal import OxbowSQL
internal import OxbowStore

extension SQLiteStore {
  package func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    try read { connection, state in
      let plan = try self.statement(query, state)
      return try connection.withStatement(plan.sql.text) { statement in
        try statement.bind(plan.sql.values)
        let reader = ColumnReader(plan.cells, mapping: state.mapping, store: self.identifier)
        do { return try reader.rows(statement) } catch {
          throw Self.sumError(error) ?? error
        }
      }
    }
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

  /// What went wrong when a sum has no result.
  private static func sumError(_ error: any Error) -> PersistenceError? {
    switch (error as? SQLiteError)?.message {
    case "integer overflow": .integerOverflow
    case DecimalSum.failure: .decimalOverflow
    default: nil
    }
  }
}
