package import OxbowModel
internal import OxbowRelational

/// The statement of a question, and how SQLite runs it.
package struct StatementExplanation: Sendable {
  package let text: String

  /// The values of its parameters, as SQL writes them.
  package let values: [String]

  /// The lines of `EXPLAIN QUERY PLAN`, each with how far it is inside others.
  package let steps: [(depth: Int, detail: String)]
}

extension SQLiteStore {
  /// Explains a question for values, without asking it.
  package func explanation(
    of query: ColumnQuery
  ) throws(PersistenceError) -> StatementExplanation {
    try read { connection, state in
      let reader = state.reader(query.entity, includesSubentities: query.includesSubentities)
      let generator = generator(state)
      let sql =
        try generator.groups(query, reader.shape)?.sql
        ?? generator.columns(query, reader.shape).sql
      var depths: [SQLValue: Int] = [:]
      let steps = try connection.rowsAside("EXPLAIN QUERY PLAN " + sql.text, sql.values).map {
        row -> (depth: Int, detail: String) in
        let depth = depths[row[1]].map { $0 + 1 } ?? 0
        depths[row[0]] = depth
        guard case .text(let detail) = row[3] else { return (depth, "") }
        return (depth, detail)
      }
      return StatementExplanation(
        text: sql.text, values: sql.values.map(\.description), steps: steps)
    }
  }
}
