/// Reads a condition from the parts of a format text.
///
/// A condition and a value can begin alike (with a parenthesis, say), so every rule returns a
/// `Term`, which is converted to the one that is needed.
struct FormatParser {
  /// What a part of the text means.
  enum Term {
    case predicate(FetchPredicate)
    case expression(FetchExpression)
    case list([FetchExpression])
  }

  let source: FormatSource
  private let tokens: [FormatToken]
  private var index = 0

  /// The parts around the present place, and the levels of what was read within them.
  private var (depth, height) = (0, 0)

  /// Parts within each other, at most; a predicate has a limit of its own.
  private static let depthLimit = 200

  var arguments: FormatArguments

  init(_ source: FormatSource, _ tokens: [FormatToken], _ arguments: FormatArguments) {
    self.source = source
    self.tokens = tokens
    self.arguments = arguments
  }

  mutating func predicate() throws(PersistenceError) -> FetchPredicate {
    guard token.kind != .end else {
      throw source.error(
        "expected a condition, and the text is empty; TRUEPREDICATE is met by all objects",
        at: token.range)
    }
    let predicate = try condition()
    guard token.kind == .end else { throw unexpected("AND, OR or the end", ["AND", "OR"]) }
    try arguments.requireAllTaken(tokens)
    return predicate
  }

  // MARK: Tokens

  var token: FormatToken { tokens[index] }

  var previous: FormatToken { tokens[max(0, index - 1)] }

  /// The token as a keyword in capitals, or nothing.
  var keyword: String {
    guard case .name(let name) = token.kind else { return "" }
    let word = name.uppercased()
    return FormatWords.reserved.contains(word) ? word : ""
  }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

  /// Whether the present symbol follows the token before it without a space.
  var isAttached: Bool { index > 0 && previous.range.upperBound == token.range.lowerBound }

  mutating func take(_ symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func takeKeyword(_ words: String...) -> Bool {
    guard words.contains(keyword) else { return false }
    advance()
    return true
  }

  mutating func require(_ symbol: String, _ expected: String? = nil) throws(PersistenceError) {
    guard take(symbol) else { throw unexpected(expected ?? "'\(symbol)'") }
  }

  func unexpected(_ expected: String, _ words: [String] = []) -> PersistenceError {
    var near: [String] = []
    if case .name(let name) = token.kind {
      near = PersistenceError.nearNames(to: name.uppercased(), among: words)
    }
    return source.error(
      "expected \(expected), but found \(token.found(in: source))", at: token.range,
      nearNames: near)
  }

  /// From a place to the token before the present one.
  func range(from start: Int) -> Range<Int> {
    start..<max(start + 1, previous.range.upperBound)
  }

  // MARK: Depth

  /// Begins a part that others of its kind may be within, and returns what ``leave(_:)`` needs.
  mutating func enter() throws(PersistenceError) -> Int {
    let outer = height
    (depth, height) = (depth + 1, 0)
    try add(levels: 0)
    return outer
  }

  mutating func leave(_ outer: Int) { (depth, height) = (depth - 1, max(outer, height + 1)) }

  /// Adds levels above what was read; too many have no room on the stack.
  mutating func add(levels: Int) throws(PersistenceError) {
    height += levels
    guard depth + height > Self.depthLimit else { return }
    throw source.error(
      "more than \(Self.depthLimit) parentheses or operators are within each other; write the "
        + "condition flatter", at: token.range)
  }

  // MARK: Conversion

  // These are mutating, so that arguments which read on are evaluated before.

  mutating func predicate(from term: Term, at start: Int) throws(PersistenceError) -> FetchPredicate
  {
    switch term {
    case .predicate(let predicate): return predicate
    case .expression(let expression): return .truth(expression)
    case .list:
      throw source.error(
        "a list is not a condition; it is possible after IN and BETWEEN", at: range(from: start))
    }
  }

  mutating func expression(from term: Term, at start: Int) throws(PersistenceError)
    -> FetchExpression
  {
    switch term {
    case .predicate(let predicate): return .condition(predicate)
    case .expression(let expression): return expression
    case .list:
      throw source.error(
        "a list is not a single value; it is possible after IN and BETWEEN", at: range(from: start))
    }
  }

  // MARK: Logic

  /// A condition up to a comma, a parenthesis or the end.
  mutating func condition() throws(PersistenceError) -> FetchPredicate {
    let start = token.range.lowerBound
    return try predicate(from: try disjunction(), at: start)
  }

  mutating func disjunction() throws(PersistenceError) -> Term {
    let start = token.range.lowerBound
    let first = try conjunction()
    guard isSymbol("||") || keyword == "OR" else { return first }
    var parts = [try predicate(from: first, at: start)]
    while take("||") || takeKeyword("OR") {
      let start = token.range.lowerBound
      parts.append(try predicate(from: try conjunction(), at: start))
    }
    return .predicate(.or(parts))
  }

  private mutating func conjunction() throws(PersistenceError) -> Term {
    let start = token.range.lowerBound
    let first = try negation()
    guard isSymbol("&&") || keyword == "AND" else { return first }
    var parts = [try predicate(from: first, at: start)]
    while take("&&") || takeKeyword("AND") {
      let start = token.range.lowerBound
      parts.append(try predicate(from: try negation(), at: start))
    }
    return .predicate(.and(parts))
  }

  private mutating func negation() throws(PersistenceError) -> Term {
    var count = 0
    while take("!") || takeKeyword("NOT") { count += 1 }
    let start = token.range.lowerBound
    let term = try comparison()
    guard count > 0 else { return term }
    try add(levels: count)
    var result = try predicate(from: term, at: start)
    for _ in 0..<count { result = .not(result) }
    return .predicate(result)
  }
}
