/// A search for words, as a value.
///
/// ```swift
/// let search = try WordQuery("rust* NOT (iron OR \"old metal\")")
/// ```
///
/// Terms without an operator between them must all be there, in any order. `AND`, `OR` and `NOT`
/// are operators in capitals only, in other case they are words; `NOT` counts for the term behind
/// it, and binds more strongly than `AND`, which binds more strongly than `OR`. Words in quotes
/// are a phrase: they follow each other. A star behind a word or a phrase makes its last word the
/// beginning of one.
///
/// Case and marks of letters are overlooked. A word is a run of letters and digits, so `e-mail` is
/// the phrase `"e mail"`; in scripts without blanks between words, each letter is a word, so a
/// text in such a script is a phrase.
public struct WordQuery: Sendable, Hashable {
  /// A part of a search.
  package indirect enum Term: Sendable, Hashable {
    /// Folded words that follow each other in one text; with `isPrefix`, the last one is the
    /// beginning of a word.
    case phrase([String], isPrefix: Bool)
    /// Each of two or more terms.
    case all([Term])
    /// At least one of two or more terms; of no terms, which no text has, as the whole only.
    case any([Term])
    /// The first term and not the second one.
    case without(Term, Term)
  }

  package let term: Term

  /// The search that no text meets.
  package static let nothing = WordQuery(.any([]))

  init(_ term: Term) { self.term = term }

  /// Reads a search that somebody has typed.
  ///
  /// An empty one is met by no text.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, which marks the place: a term
  ///   without a word, an operator or a parenthesis without its terms, a phrase without an end.
  public init(_ text: String) throws(PersistenceError) {
    var parser = try WordQueryParser(text)
    self = try parser.query()
  }

  /// A search for all words of a text, in any order; nothing in the text is an operator.
  ///
  /// What blanks separate, and has several words, is a phrase. A text without any word is met by
  /// no text.
  public init(all text: String) {
    let terms = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
      .compactMap { Term(phrase: String($0)) }
    self = terms.isEmpty ? .nothing : WordQuery(.all(of: terms))
  }
}

extension WordQuery.Term {
  /// The words of a text as a phrase; `nil` where it has none.
  init?(phrase text: String, isPrefix: Bool = false) {
    let words = TextWords(text).words
    guard !words.isEmpty else { return nil }
    self = .phrase(words, isPrefix: isPrefix)
  }

  /// One term or all of several, none of them within another list of the same kind.
  static func all(of terms: [Self]) -> Self {
    let terms = terms.flatMap { if case .all(let parts) = $0 { parts } else { [$0] } }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  /// One term or any of several, none of them within another list of the same kind.
  static func any(of terms: [Self]) -> Self {
    let terms = terms.flatMap(\.alternatives)
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  fileprivate var alternatives: [Self] { if case .any(let terms) = self { terms } else { [self] } }
}

// MARK: - As text

extension WordQuery: CustomStringConvertible {
  /// The search as text, folded, which is read as an equal one.
  public var description: String { "\(term)" }
}

extension WordQuery.Term: CustomStringConvertible {
  package var description: String {
    switch self {
    case .phrase(let words, let isPrefix):
      (words.count == 1 ? words[0] : "\"" + words.joined(separator: " ") + "\"")
        + (isPrefix ? "*" : "")
    case .all(let terms): terms.written(between: " ")
    case .any(let terms): terms.map(\.description).joined(separator: " OR ")
    case .without(.all(let terms), let other):
      "\(Self.all(terms)) NOT " + other.alternatives.written(between: " NOT ")
    case .without(let term, let other): ([term] + other.alternatives).written(between: " NOT ")
    }
  }
}

extension [WordQuery.Term] {
  /// The terms, which bind more strongly than the operator between them or are in parentheses.
  fileprivate func written(between word: String) -> String {
    map { if case .phrase = $0 { "\($0)" } else { "(\($0))" } }.joined(separator: word)
  }
}

extension WordQuery: Codable {
  /// Reads the search from its text.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the search as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
