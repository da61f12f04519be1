/// Reads a search for words that somebody has typed.
struct WordQueryParser {
  private enum Kind: Equatable {
    case term(WordQuery.Term)
    case and, or, not
    case open, close
    case end
  }

  private struct Token {
    let kind: Kind
    let range: Range<Int>
  }

  private let source: FormatSource
  private var tokens: [Token] = []
  private var index = 0
  private var depth = 0

  init(_ text: String) throws(PersistenceError) {
    source = FormatSource(text, subject: "search")
    while let token = try token() { tokens.append(token) }
    tokens.append(Token(kind: .end, range: index..<index))
    index = 0
  }

  mutating func query() throws(PersistenceError) -> WordQuery {
    if present.kind == .end { return .nothing }
    let term = try disjunction()
    guard present.kind == .end else { throw unexpected("a word, AND, OR, NOT or the end") }
    return WordQuery(term)
  }

  // MARK: Terms

  /// Parentheses within each other, at most: an index of words has little room for them.
  private static let depthLimit = 10

  private var present: Token { tokens[index] }

  private mutating func take(_ kind: Kind) -> Bool {
    guard present.kind == kind else { return false }
    index += 1
    return true
  }

  private mutating func disjunction() throws(PersistenceError) -> WordQuery.Term {
    var terms = [try conjunction()]
    while take(.or) { terms.append(try conjunction()) }
    return .any(of: terms)
  }

  /// Terms that must be there, and others behind NOT that must not.
  private mutating func conjunction() throws(PersistenceError) -> WordQuery.Term {
    let start = present
    var wanted: [WordQuery.Term] = []
    var unwanted: [WordQuery.Term] = []
    repeat {
      if take(.not) { unwanted.append(try operand()) } else { wanted.append(try operand()) }
    } while take(.and) || beginsTerm
    guard !wanted.isEmpty else {
      throw source.error(
        "NOT needs a term that is wanted beside it: 'rust NOT iron'; for texts without a word, "
          + "write NOT in front of the whole condition",
        at: start.range)
    }
    let all = WordQuery.Term.all(of: wanted)
    return unwanted.isEmpty ? all : .without(all, .any(of: unwanted))
  }

  private var beginsTerm: Bool {
    switch present.kind {
    case .term, .open, .not: true
    case .and, .or, .close, .end: false
    }
  }

  private mutating func operand() throws(PersistenceError) -> WordQuery.Term {
    let token = present
    switch token.kind {
    case .term(let term):
      index += 1
      return term
    case .open:
      index += 1
      return try enclosed(from: token)
    default: throw unexpected("a word, a phrase in quotes or '('")
    }
  }

  private mutating func enclosed(from open: Token) throws(PersistenceError) -> WordQuery.Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw source.error(
        "more than \(Self.depthLimit) parentheses are within each other; write the search flatter",
        at: open.range)
    }
    let term = try disjunction()
    guard take(.close) else { throw unexpected("a word, AND, OR, NOT or ')'") }
    return term
  }

  private func unexpected(_ expected: String) -> PersistenceError {
    let found = present.kind == .end ? "the end" : "'\(source.text(present.range))'"
    return source.error("expected \(expected), but found \(found)", at: present.range)
  }

  // MARK: Tokens

  /// Keyboards of telephones write round quotes.
  private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}"]

  private static let operators: [String: Kind] = ["AND": .and, "OR": .or, "NOT": .not]

  private var scalar: Unicode.Scalar? {
    index < source.scalars.count ? source.scalars[index] : nil
  }

  private var isAtWord: Bool {
    guard let scalar, !scalar.properties.isWhitespace else { return false }
    return scalar != "(" && scalar != ")" && scalar != "*" && !Self.quotes.contains(scalar)
  }

  private mutating func token() throws(PersistenceError) -> Token? {
    while scalar?.properties.isWhitespace == true { index += 1 }
    guard let scalar else { return nil }
    let start = index
    if scalar == "(" || scalar == ")" {
      index += 1
      return Token(kind: scalar == "(" ? .open : .close, range: start..<index)
    }
    let isQuoted = Self.quotes.contains(scalar)
    let text = isQuoted ? try quoted() : word()
    if !isQuoted, let word = Self.operators[text], self.scalar != "*" {
      return Token(kind: word, range: start..<index)
    }
    let isPrefix = try star()
    guard let term = WordQuery.Term(phrase: text, isPrefix: isPrefix) else {
      throw source.error(
        "there is no word in '\(source.text(start..<index))': a word has a letter or a digit; leave "
          + "this out", at: start..<index)
    }
    return Token(kind: .term(term), range: start..<index)
  }

  private mutating func word() -> String {
    let start = index
    while isAtWord { index += 1 }
    return source.text(start..<index)
  }

  private mutating func quoted() throws(PersistenceError) -> String {
    let start = index
    index += 1
    while let next = scalar {
      index += 1
      if Self.quotes.contains(next) { return source.text(start + 1..<index - 1) }
    }
    throw source.error("the phrase that begins here has no end: expected \"", at: start..<start + 1)
  }

  /// Whether a star follows, behind which a term ends.
  private mutating func star() throws(PersistenceError) -> Bool {
    guard scalar == "*" else { return false }
    index += 1
    guard !isAtWord, scalar != "*" else {
      throw source.error(
        "a star is possible at the end of a word only, where it is any end of it: rust*",
        at: index - 1..<index)
    }
    return true
  }
}
