extension FormatParser {
  /// The operators from the weakest to the strongest.
  private static let strengths: [Set<ArithmeticOperator>] = [
    [.bitwiseOr], [.bitwiseExclusiveOr], [.bitwiseAnd], [.add, .subtract],
    [.multiply, .divide, .remainder], [.power],
  ]

  /// A value, or two of which the second counts where the first has no value.
  mutating func operand() throws(PersistenceError) -> Term {
    let outer = try enter()
    defer { leave(outer) }
    let start = token.range.lowerBound
    let first = try chain()
    guard isSymbol("??") else { return first }
    let left = try expression(from: first, at: start)
    advance()
    return .expression(.coalesced(left, try value()))
  }

  /// A value that is single.
  mutating func value() throws(PersistenceError) -> FetchExpression {
    let start = token.range.lowerBound
    return try expression(from: try operand(), at: start)
  }

  /// Values joined by operators of one strength, from the left.
  private mutating func chain(_ strength: Int = 0) throws(PersistenceError) -> Term {
    guard strength < Self.strengths.count else { return try signed() }
    let start = token.range.lowerBound
    var result = try chain(strength + 1)
    while case .symbol(let symbol) = token.kind {
      try requireKnownSign(symbol)
      guard let sign = ArithmeticOperator(rawValue: symbol),
        Self.strengths[strength].contains(sign)
      else { break }
      let left = try expression(from: result, at: start)
      try add(levels: 1)
      advance()
      let next = token.range.lowerBound
      let right = try expression(from: try chain(strength + 1), at: next)
      result = .expression(.arithmetic(left, sign, right))
    }
    return result
  }

  private func requireKnownSign(_ symbol: String) throws(PersistenceError) {
    guard ["<<", ">>", "~"].contains(symbol) else { return }
    throw source.error(
      "'\(symbol)' is not calculated; there are + - * / % ** & | and ^", at: token.range)
  }

  private mutating func signed() throws(PersistenceError) -> Term {
    guard isSymbol("-") || isSymbol("+") else { return try primary() }
    let isNegative = isSymbol("-")
    advance()
    if case .number(let text) = token.kind {
      let value = try number(isNegative ? "-" + text : text)
      advance()
      return .expression(.value(value))
    }
    let start = token.range.lowerBound
    let outer = try enter()
    defer { leave(outer) }
    let inner = try expression(from: try signed(), at: start)
    return .expression(isNegative ? .negated(inner) : inner)
  }

  // MARK: Single values

  private mutating func primary() throws(PersistenceError) -> Term {
    let start = token
    switch start.kind {
    case .number(let text):
      let value = try number(text)
      advance()
      return .expression(.value(value))
    case .text(let text):
      advance()
      return try constant(text.fetchValue)
    case .symbol("("):
      advance()
      let inner = try disjunction()
      if isSymbol(",") {
        throw source.error("a list is written in braces: {1, 2}", at: token.range)
      }
      try require(")", "an operator or ')'")
      return inner
    case .symbol("{"): return try list()
    case .placeholder("K"), .variable, .escapedName: return try path()
    case .placeholder(let kind):
      advance()
      switch try arguments.take(kind, at: start.range) {
      case .value(let value): return try constant(value)
      case .list(let values): return .list(values.map { .value($0) })
      }
    case .name: return try word()
    default: throw unexpected("a value, a path or a condition")
    }
  }

  /// A constant, after which no path can continue.
  private func constant(_ value: FetchValue) throws(PersistenceError) -> Term {
    try requireNoPath(after: "a constant")
    return .expression(.value(value))
  }

  func requireNoPath(after what: String) throws(PersistenceError) {
    guard isSymbol(".") else { return }
    throw source.error("\(what) has no properties, so no path can continue here", at: token.range)
  }

  private mutating func word() throws(PersistenceError) -> Term {
    switch keyword {
    case "TRUE", "YES": return try literal(true.fetchValue)
    case "FALSE", "NO": return try literal(false.fetchValue)
    case "NULL", "NIL": return try literal(.null)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      let truth = keyword == "TRUEPREDICATE"
      advance()
      return .predicate(.constant(truth))
    case "SELF": return try path()
    case "SUBQUERY", "TERNARY", "CAST", "FUNCTION": return try call()
    case "": return isCall ? try call() : try path()
    case let word:
      throw source.error(
        "expected a value, a path or a condition, but found the keyword '\(source.text(token.range))'; "
          + "a property of this name is written #\(word.lowercased())",
        at: token.range)
    }
  }

  private mutating func literal(_ value: FetchValue) throws(PersistenceError) -> Term {
    advance()
    return try constant(value)
  }

  private mutating func list() throws(PersistenceError) -> Term {
    advance()
    var elements: [FetchExpression] = []
    guard !take("}") else { return .list([]) }
    repeat {
      elements.append(try value())
    } while take(",")
    try require("}", "',' or '}'")
    return .list(elements)
  }

  /// A number of the text, with its sign.
  private func number(_ text: String) throws(PersistenceError) -> FetchValue {
    let digits = text.drop { $0 == "-" }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      let sign = text.hasPrefix("-") ? "-" : ""
      guard let number = Int64(sign + digits.dropFirst(2), radix: 16) else { throw tooLarge() }
      return .attribute(.integer(number))
    }
    if digits.allSatisfy(\.isNumber) {
      guard let number = Int64(text) else { throw tooLarge() }
      return .attribute(.integer(number))
    }
    guard let number = Double(text), number.isFinite else { throw tooLarge() }
    return .attribute(.double(number))
  }

  private func tooLarge() -> PersistenceError {
    source.error("the number is too large or has no digits", at: token.range)
  }
}
