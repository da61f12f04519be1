package import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension SQLiteStore {
  package func wordStatistics(
    of search: RankedSearch, in entity: Int
  ) throws(PersistenceError) -> WordStatistics {
    let matcher = WordMatcher(search.query)
    return try read { connection, state in
      let sql = try self.generator(state).wordStatistics(search, of: entity)
      guard case .text(let text)? = try connection.rows(sql.text, sql.values).first?.first else {
        return WordStatistics(matcher)
      }
      return WordStatistics(text, matcher)
    }
  }
}
