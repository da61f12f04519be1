package import OxbowModel
internal import OxbowStore

extension SelectGenerator {
  /// The select of what a search ranks by, which is one text.
  ///
  /// - Throws: ``PersistenceError`` with `invalidPredicate` or `unknownProperty`.
  package func wordStatistics(
    _ search: RankedSearch, of entity: Int
  ) throws(PersistenceError) -> SQLFragment {
    try checked(rankedTables(search, of: entity).statistics)
  }

  /// A select in the order of ranks, whose search is in the condition of the fetch.
  ///
  /// Where only the best are wanted, they are found by their keys first: SQLite would read all
  /// columns of all hits to sort them.
  func ranked(
    _ fetch: StoreFetch, _ shape: RowShape,
    _ list: (inout PredicateTranslator) throws(PersistenceError) -> SQLFragment
  ) throws(PersistenceError) -> SQLFragment {
    let (search, rest) = try RankedSearch.of(fetch.predicate, for: OrderingTerm.rank)
    var translator = translator(about: fetch.entity)
    let condition = try translator.translate(rest)
    let order = " ORDER BY " + (try translator.order(fetch.sortKeys)).joined(separator: ", ")
    let list = try list(&translator)
    var select = RankedSelect(
      tables: try rankedTables(search, of: fetch.entity), scope: translator.scope)
    select.conditions = conditions(fetch, shape, condition, translator.scope.root.key)
    return try checked(
      select.statement(
        list, order, innerOrder: SQLFragment(order),
        mapping.dialect.limit(fetch.limit, offset: fetch.offset)))
  }

  /// The tables with which a ranked statement begins.
  func rankedTables(
    _ search: RankedSearch, of entity: Int
  ) throws(PersistenceError) -> RankedTables {
    // What cannot be searched is refused here, whether an index has it or not.
    var reader = PredicateTranslator(mapping: mapping, store: store, entity: entity)
    _ = try reader.compareWords(search.texts, .value(search.query.description.fetchValue))
    var texts: [SQLFragment] = []
    for text in search.texts { texts.append(try reader.searched(text, "words")) }
    guard search.query != .nothing, !texts.isEmpty else { return noRows }
    var translator = translator(about: entity)
    if let found = try translator.wordIndex(of: search.texts),
      found.table.alias == translator.scope.root.alias
    {
      return RankedTables(
        query: search.query, dialect: mapping.dialect,
        sources: found.index.unindexed(mapping.dialect).map {
          RankedTables.Source(from: $0.from, condition: $0.condition)
        },
        key: "w." + quoted(PlainLayout.keyColumn),
        texts: found.columns.map { SQLFragment("w." + quoted($0)) },
        index: (found.index, found.places))
    }
    return RankedTables(
      query: search.query, dialect: mapping.dialect,
      sources: [RankedTables.Source(from: " FROM \(reader.scope.from)")],
      key: reader.scope.root.key, texts: texts, index: nil)
  }

  /// The tables of a search that finds nothing.
  private var noRows: RankedTables {
    RankedTables(
      query: .nothing, dialect: mapping.dialect,
      sources: [RankedTables.Source(from: "", condition: mapping.dialect.truth(false))],
      key: "NULL", texts: [SQLFragment("NULL")], index: nil)
  }
}

/// Puts a select of ranked rows together.
struct RankedSelect {
  let tables: RankedTables
  let scope: TableScope
  var conditions: [SQLFragment] = []

  /// The statement; `innerOrder` is the order without names of what is selected.
  func statement(
    _ list: SQLFragment, _ order: String, innerOrder: SQLFragment, _ limit: SQLFragment
  ) -> SQLFragment {
    guard !limit.text.isEmpty else {
      return tables.head + " SELECT " + list + from(RankedTables.ranks, conditions) + order
    }
    let best =
      "SELECT \(scope.root.key), \(RankedTables.rank)" + from(RankedTables.ranks, conditions)
      + innerOrder + limit
    return tables.head + ", \(RankedTables.best) (\"key\", \"rank\") AS MATERIALIZED (" + best
      + ") SELECT " + list + from(RankedTables.best, []) + order
  }

  private func from(_ table: String, _ conditions: [SQLFragment]) -> SQLFragment {
    let all = [SQLFragment("\(scope.root.key) = \(RankedTables.key)")] + conditions
    return " FROM \(table) AS r \(tables.dialect.leadingJoin) \(scope.from) WHERE "
      + .joined(all, " AND ")
  }
}
