/// The search for words of a condition, by which the objects that are found are ranked.
package struct RankedSearch: Sendable, Hashable {
  /// What is searched, each once.
  package let texts: [FetchExpression]

  package let query: WordQuery
}

extension RankedSearch {
  /// The search of a condition, and the rest of the condition.
  ///
  /// It is the one search that each object meets: the whole condition, or joined to the rest with
  /// AND. `name` is what needs it.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` where there is not exactly one, or
  ///   what it searches for is not a constant.
  package static func of(
    _ predicate: FetchPredicate?, for name: String
  ) throws(PersistenceError) -> (search: RankedSearch, rest: FetchPredicate?) {
    var searches: [(texts: [FetchExpression], query: FetchExpression)] = []
    let rest = predicate?.taking(&searches)
    guard searches.count < 2 else { throw .severalSearches(name, searches.count) }
    guard let found = searches.first else { throw .noSearch(name, in: predicate) }
    let query: WordQuery
    switch found.query {
    case .value(.attribute(.string(let text))): query = try WordQuery(text)
    case .value(.null): query = .nothing
    default: throw .computedSearch(name, found.query)
    }
    return (RankedSearch(texts: found.texts.uniqued(), query: query), rest)
  }
}

extension FetchPredicate {
  /// The rest of the condition without the searches that each object has to meet; `nil` for all
  /// objects.
  fileprivate func taking(
    _ searches: inout [(texts: [FetchExpression], query: FetchExpression)]
  ) -> FetchPredicate? {
    switch self {
    case .words(let texts, let query):
      searches.append((texts, query))
      return nil
    case .and(let parts):
      let rest = parts.compactMap { $0.taking(&searches) }
      return rest.count > 1 ? .and(rest) : rest.first
    default: return self
    }
  }

  /// Whether a search for words is anywhere in it.
  fileprivate var hasSearch: Bool {
    switch self {
    case .words: true
    case .and(let parts), .or(let parts): parts.contains(where: \.hasSearch)
    case .not(let part), .any(_, let part), .all(_, let part), .quantified(_, let part):
      part.hasSearch
    default: false
    }
  }
}

extension [FetchExpression] {
  fileprivate func uniqued() -> [FetchExpression] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension PersistenceError {
  fileprivate static func severalSearches(_ name: String, _ count: Int) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(name)' is about one search for words, and the condition has \(count); search all texts at "
        + "once: '.words([\"title\", \"body\"], text)'")
  }

  fileprivate static func noSearch(
    _ name: String, in predicate: FetchPredicate?
  ) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      predicate?.hasSearch == true
        ? "'\(name)' needs a search for words that every object meets; the one of the condition is "
          + "below OR, NOT or a quantifier, so join it to the rest with AND"
        : "'\(name)' needs a search for words in the condition, such as '.words(\"body\", text)': it "
          + "says how well each object meets it")
  }

  fileprivate static func computedSearch(
    _ name: String, _ query: FetchExpression
  ) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(name)' needs a search for words that is a text, and '\(query)' differs from object to "
        + "object")
  }
}

/// A search that ranks objects in memory, by what a store says of all texts.
package struct TextRanking: Sendable {
  package let search: RankedSearch
  let statistics: WordStatistics
  let matcher: WordMatcher

  /// Prepares a search; without numbers, it ranks nothing and is for snippets alone.
  package init(_ search: RankedSearch, among statistics: WordStatistics? = nil) {
    self.search = search
    matcher = WordMatcher(search.query)
    self.statistics = statistics ?? WordStatistics(matcher)
  }
}

extension TextRanking: Hashable {
  /// Whether both rank all objects alike.
  package static func == (a: TextRanking, b: TextRanking) -> Bool {
    a.search == b.search && a.statistics == b.statistics
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(search)
    hasher.combine(statistics)
  }
}
