extension FormatParser {
  /// A comparison, or whatever else a condition can be.
  mutating func comparison() throws(PersistenceError) -> Term {
    if let quantifier = FormatWords.quantifiers[keyword] {
      let start = token.range.lowerBound
      advance()
      return .predicate(try quantified(quantifier, from: start))
    }
    let start = token.range.lowerBound
    let left = try operand()
    guard let predicate = try comparison(of: left, at: start) else { return left }
    return .predicate(predicate)
  }

  /// What follows a value, or `nil` when no operator does.
  private mutating func comparison(
    of term: Term, at start: Int
  ) throws(PersistenceError) -> FetchPredicate? {
    if case .symbol(let sign) = token.kind, let comparison = FormatWords.comparisons[sign] {
      let left = try expression(from: term, at: start)
      advance()
      let options = try options()
      let right = try value()
      return .comparison(left.folded(options), comparison, right.folded(options))
    }
    let isNegated = keyword == "NOT"
    if isNegated { advance() }
    if isAtWords {
      let predicate = try words(of: term, at: start)
      return isNegated ? .not(predicate) : predicate
    }
    guard FormatWords.operators.contains(keyword) else {
      if isNegated { throw unexpected("IN", FormatWords.operators) }
      try requireNoMisspelling()
      return nil
    }
    let left = try expression(from: term, at: start)
    let predicate = try search(left)
    return isNegated ? .not(predicate) : predicate
  }

  /// A name after a value is a misspelt operator.
  private func requireNoMisspelling() throws(PersistenceError) {
    switch token.kind {
    case .name where keyword.isEmpty, .escapedName, .variable, .number, .text, .placeholder:
      throw unexpected(
        "an operator (== != < <= > >= IN BETWEEN LIKE MATCHES CONTAINS BEGINSWITH ENDSWITH "
          + "WORDS AND OR)",
        FormatWords.operators + ["AND", "OR"])
    case .symbol("["):
      throw source.error(
        "an index is not possible: members of relationships have no numbers; options such as [c] "
          + "follow an operator",
        at: token.range)
    default: return
    }
  }

  /// What an operator in words says about a value.
  private mutating func search(_ left: FetchExpression) throws(PersistenceError) -> FetchPredicate {
    let word = keyword
    advance()
    let options = try options()
    if word == "IN" { return try membership(left, options) }
    if word == "BETWEEN" { return try range(left, options) }
    let comparison = FormatWords.textOperators[word] ?? .contains
    return .text(left, comparison, try value(), options)
  }

  /// Whether the name behind a value is the operator WORDS, which properties may be called, too.
  private var isAtWords: Bool {
    if case .name(let name) = token.kind { name.uppercased() == "WORDS" } else { false }
  }

  /// What WORDS says about a value, or about several in braces.
  private mutating func words(
    of term: Term, at start: Int
  ) throws(PersistenceError) -> FetchPredicate {
    let texts: [FetchExpression]
    if case .list(let list) = term {
      texts = list
    } else {
      texts = [try expression(from: term, at: start)]
    }
    advance()
    guard !isSymbol("[") else {
      throw source.error(
        "WORDS overlooks case and the marks of letters always; write it without options",
        at: token.range)
    }
    let query = try value()
    do throws(PersistenceError) { try query.requireWordQuery() } catch {
      throw error.adding("in", source.text(0..<source.scalars.count))
    }
    return .words(texts, query)
  }

  /// Options such as `[cd]` after an operator; `n` overlooks nothing.
  private mutating func options() throws(PersistenceError) -> TextOptions {
    guard take("[") else { return [] }
    guard case .name(let name) = token.kind else { throw unexpected("c, d, cd or n") }
    let letters = name.lowercased()
    if letters.contains("l") {
      throw source.error(
        "[l] is not possible, because a store compares texts in no language; use [c], [d] or [cd]",
        at: token.range)
    }
    guard let options = TextOptions(letters: letters.filter { $0 != "n" }) else {
      throw unexpected("c, d, cd or n")
    }
    advance()
    try require("]")
    return letters.contains("n") ? [] : options
  }

  // MARK: Lists

  private mutating func membership(
    _ left: FetchExpression, _ options: TextOptions
  ) throws(PersistenceError) -> FetchPredicate {
    let start = token.range.lowerBound
    switch try operand() {
    case .list(let elements):
      let values = elements.compactMap(\.constant)
      guard values.count < elements.count else {
        return .isIn(left.folded(options), values.map { $0.folded(options) })
      }
      return .or(elements.map { .comparison(left.folded(options), .equal, $0.folded(options)) })
    case .expression(.path(let path)): return .text(.path(path), .contains, left, options)
    case .expression(.value(.attribute(.string(let text)))):
      return .text(.value(text.fetchValue), .contains, left, options)
    default:
      throw source.error(
        "expected a list after IN: values in braces, an argument with an array, a variable, or a path "
          + "to many objects",
        at: range(from: start))
    }
  }

  private mutating func range(
    _ value: FetchExpression, _ options: TextOptions
  ) throws(PersistenceError) -> FetchPredicate {
    let start = token.range.lowerBound
    guard case .list(let bounds) = try operand(), bounds.count == 2 else {
      throw source.error(
        "expected two values after BETWEEN, in braces or as an array: {1, 5}",
        at: range(from: start))
    }
    return .isBetween(
      value.folded(options), bounds[0].folded(options), bounds[1].folded(options))
  }

  // MARK: Quantifiers

  /// What follows ANY, ALL or NONE: a comparison that begins with a path, or a path and a condition
  /// on its members in parentheses.
  private mutating func quantified(
    _ quantifier: FetchQuantifier, from start: Int
  ) throws(PersistenceError) -> FetchPredicate {
    let pathStart = token.range.lowerBound
    let left = try operand()
    guard case .expression(let first) = left, let path = first.foldedPath else {
      throw source.error(
        "expected a path through a to-many relationship", at: range(from: pathStart))
    }
    if isSymbol("("), first == .path(path) {
      advance()
      let outer = try enter()
      defer { leave(outer) }
      let condition = try condition()
      try require(")")
      switch quantifier {
      case .any: return .any(path: path, condition)
      case .all: return .all(path: path, condition)
      case .none: return .not(.any(path: path, condition))
      }
    }
    guard let test = try comparison(of: left, at: pathStart) else {
      throw unexpected("an operator", FormatWords.operators)
    }
    return try quantified(quantifier, test, path, at: range(from: start))
  }

  private func quantified(
    _ quantifier: FetchQuantifier, _ test: FetchPredicate, _ path: [String], at range: Range<Int>
  ) throws(PersistenceError) -> FetchPredicate {
    if case .not = test {
      throw source.error(
        "NOT IN after \(quantifier.rawValue.uppercased()) can mean two things; write NOT in front of "
          + "the whole, or a condition on the members in parentheses",
        at: range)
    }
    guard test.firstExpression?.foldedPath == path else {
      throw source.error(
        "the list after IN must be of constants here, or an argument with an array", at: range)
    }
    return .quantified(quantifier, test)
  }
}

extension FetchExpression {
  fileprivate var foldedPath: [String]? {
    switch self {
    case .path(let path), .folded(.path(let path), _): path
    default: nil
    }
  }

  fileprivate var constant: FetchValue? {
    if case .value(let value) = self { value } else { nil }
  }
}
