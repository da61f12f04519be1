internal import OxbowModel
internal import OxbowStore

// Ranks with unsaved changes. Memory computes the rank of each object from its texts as they are
// now, and what they are compared with are the numbers of all texts that the store has.

extension ManagedObjectContext {
  /// The order of a fetch, as memory can sort by it.
  func ranked(_ fetch: StoreFetch) throws(PersistenceError) -> [OrderingTerm] {
    guard fetch.sortKeys.haveRank else { return fetch.sortKeys }
    let search = try RankedSearch.of(fetch.predicate, for: OrderingTerm.rank).search
    let ranking = TextRanking(
      search, among: try store.wordStatistics(of: search, in: fetch.entity))
    return fetch.sortKeys.map { key in
      var key = key
      if key.isRank { key.ranking = ranking }
      return key
    }
  }

  /// A question for rows, as memory can answer it.
  func ranked(_ query: ColumnQuery) throws(PersistenceError) -> ColumnQuery {
    guard let name = query.searchColumn else { return query }
    var ranked = query
    let search = try RankedSearch.of(query.predicate, for: name).search
    ranked.ranking = TextRanking(
      search,
      among: query.hasRank ? try store.wordStatistics(of: search, in: query.entity) : nil)
    return ranked
  }
}
