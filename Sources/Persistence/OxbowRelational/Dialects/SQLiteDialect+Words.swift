package import OxbowModel

extension SQLiteDialect {
  /// A search as what FTS5's `MATCH` is compared with, or `nil` for one that no text meets.
  ///
  /// Each term is in quotes and each operator in parentheses, so words such as `or` and the order
  /// of FTS5's operators mean nothing. The index has the words of `TextWords`.
  package func text(of query: WordQuery) -> String? {
    query == .nothing ? nil : Self.text(of: query.term)
  }

  /// The phrases of a search as an array of JSON, each as what `MATCH` is compared with in some
  /// columns; null for those behind NOT.
  func phrases(of query: WordQuery, columns: String) -> String {
    let texts = Self.phrases(of: query.term, isWanted: true).map { phrase in
      phrase.map {
        "\"" + (columns + $0).replacing("\"", with: "\\\"") + "\""
      } ?? "null"
    }
    return "[" + texts.joined(separator: ",") + "]"
  }

  private static func phrases(of term: WordQuery.Term, isWanted: Bool) -> [String?] {
    switch term {
    case .phrase: [isWanted ? text(of: term) : nil]
    case .all(let terms), .any(let terms):
      terms.flatMap { phrases(of: $0, isWanted: isWanted) }
    case .without(let term, let other):
      phrases(of: term, isWanted: isWanted) + phrases(of: other, isWanted: false)
    }
  }

  private static func text(of term: WordQuery.Term) -> String {
    switch term {
    case .phrase(let words, let isPrefix):
      "\"" + words.joined(separator: " ") + "\"" + (isPrefix ? "*" : "")
    case .all(let terms): joined(terms, " AND ")
    case .any(let terms): joined(terms, " OR ")
    case .without(let term, let other): joined([term, other], " NOT ")
    }
  }

  /// Trigrams as what FTS5's `MATCH` is compared with: all of them, or another one.
  func text(ofTrigrams trigrams: [String], or other: String) -> String {
    "(" + trigrams.map(quoted).joined(separator: " AND ") + ") OR " + quoted(other)
  }

  private static func joined(_ terms: [WordQuery.Term], _ word: String) -> String {
    "(" + terms.map(text(of:)).joined(separator: word) + ")"
  }
}
