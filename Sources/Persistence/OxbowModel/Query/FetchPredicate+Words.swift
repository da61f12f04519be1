// Searches for words in code.

extension FetchPredicate {
  /// The text at the path meets a search for words that somebody has typed.
  ///
  /// ```swift
  /// request.predicate = try .words("body", "rust* NOT iron")
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, which marks the place that cannot
  ///   be read; see ``WordQuery/init(_:)``.
  public static func words(_ path: String, _ text: String) throws(PersistenceError) -> Self {
    words(path, try WordQuery(text))
  }

  /// The texts at the paths together meet a search that somebody has typed: each term is in one of
  /// them.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, as for one path.
  public static func words(_ paths: [String], _ text: String) throws(PersistenceError) -> Self {
    words(paths, try WordQuery(text))
  }

  /// The text at the path has all words of another text, in any order.
  public static func words(_ path: String, all text: String) -> Self {
    words(path, WordQuery(all: text))
  }

  /// The texts at the paths together have all words of another text.
  public static func words(_ paths: [String], all text: String) -> Self {
    words(paths, WordQuery(all: text))
  }

  /// The text at the path meets a search for words.
  public static func words(_ path: String, _ query: WordQuery) -> Self { words([path], query) }

  /// The texts at the paths together meet a search for words: each term is in one of them.
  public static func words(_ paths: [String], _ query: WordQuery) -> Self {
    .words(paths.map { .path(at: $0) }, .value(query.description.fetchValue))
  }
}

extension FetchExpression {
  /// Checks that a constant can be read as a search for words.
  package func requireWordQuery() throws(PersistenceError) {
    if case .value(.attribute(.string(let text))) = self { _ = try WordQuery(text) }
  }
}
