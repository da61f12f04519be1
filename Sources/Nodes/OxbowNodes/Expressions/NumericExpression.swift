public import OxbowDocuments

/// Numbers as node files write them: `100`, `1.5e3`, `(parent.width - 20) / 2`.
///
/// `+`, `-`, `*` and `/`, also as `−`, `×` and `÷`, have their usual precedence and group from the
/// left; unary signs bind tightest. White space is ignored.
public enum NumericExpression {
  /// Evaluates a text to a finite number.
  ///
  /// - Throws: ``NodeError``: `invalidExpression`, `unknownSymbol` or `arithmetic`, with the column
  ///   in the text.
  public static func value(
    of text: String, symbols: any NodeSymbols = NoSymbols(), along axis: NodeAxis? = nil,
    at location: SourceLocation? = nil
  ) throws(NodeError) -> Double {
    try value(of: text[...], in: text, symbols: symbols, along: axis, at: location)
  }

  /// Evaluates a part of a text; columns are counted in the whole.
  static func value(
    of part: Substring, in whole: String, symbols: any NodeSymbols, along axis: NodeAxis?,
    at location: SourceLocation?
  ) throws(NodeError) -> Double {
    var evaluation = Evaluation(
      rest: part, whole: whole, symbols: symbols, axis: axis, location: location)
    let value = try evaluation.sum()
    try evaluation.end()
    return value
  }
}

/// Evaluates while it reads, so that a long sum does not need a deep tree.
private struct Evaluation {
  var rest: Substring
  let whole: String
  let symbols: any NodeSymbols
  let axis: NodeAxis?
  let location: SourceLocation?
  var depth = 0

  /// How deep parentheses and signs may be nested.
  private static let deepest = 200

  mutating func sum() throws(NodeError) -> Double {
    var value = try product()
    while let sign = take(["+", "-", "−"]) {
      let start = rest
      let other = try product()
      value = try finite(sign == "+" ? value + other : value - other, at: start)
    }
    return value
  }

  private mutating func product() throws(NodeError) -> Double {
    var value = try factor()
    while let sign = take(["*", "×", "/", "÷"]) {
      skipBlanks()
      let start = rest
      let other = try factor()
      let divides = sign == "/" || sign == "÷"
      if divides, other == 0 { throw error(.arithmetic, "the division is by zero", at: start) }
      value = try finite(divides ? value / other : value * other, at: start)
    }
    return value
  }

  private mutating func factor() throws(NodeError) -> Double {
    skipBlanks()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error(.tooLarge, "parentheses and signs are nested more than \(Self.deepest) deep")
    }
    if take(["-", "−"]) != nil { return -(try factor()) }
    if take(["+"]) != nil { return try factor() }
    if take(["("]) != nil { return try parenthesis() }
    guard let first = rest.first else { throw error(.invalidExpression, "a number is missing") }
    if first.isASCII, first.isNumber || first == "." { return try number() }
    if first.isLetter || first == "_" { return try symbol() }
    throw error(.invalidExpression, "a number is expected, not \"\(first)\"")
  }

  private mutating func parenthesis() throws(NodeError) -> Double {
    let start = rest
    let value = try sum()
    guard take([")"]) != nil else {
      throw error(.invalidExpression, "the parenthesis before this is not closed", at: start)
    }
    return value
  }

  private mutating func number() throws(NodeError) -> Double {
    let start = rest
    skipDigits()
    if rest.first == "." {
      rest.removeFirst()
      skipDigits()
    }
    skipExponent()
    let text = start[..<rest.startIndex]
    guard let value = Double(text.hasSuffix(".") ? text.dropLast() : text) else {
      throw error(.invalidExpression, "\"\(text)\" is not a number", at: start)
    }
    return try finite(value, at: start)
  }

  private mutating func skipDigits() {
    rest = rest.drop { $0.isASCII && $0.isNumber }
  }

  private mutating func skipExponent() {
    guard rest.first == "e" || rest.first == "E" else { return }
    var tail = rest.dropFirst()
    if tail.first == "+" || tail.first == "-" { tail.removeFirst() }
    guard tail.first.map({ $0.isASCII && $0.isNumber }) == true else { return }
    rest = tail
    skipDigits()
  }

  private mutating func symbol() throws(NodeError) -> Double {
    let start = rest
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    rest = rest[name.endIndex...]
    let found = try NodeError.wrapping(
      .unknownSymbol, "\"\(name)\" has no value", at: location
    ) { try symbols.value(of: String(name), along: axis) }
    if let found { return try finite(found, at: start) }
    throw NodeError(
      .unknownSymbol, place("\"\(name)\" is not the name of a number here", at: start),
      at: location,
      nearNames: nearNames(to: String(name), among: symbols.names(along: axis)))
  }

  mutating func end() throws(NodeError) {
    skipBlanks()
    guard let next = rest.first else { return }
    throw error(.invalidExpression, "an operator is expected, not \"\(next)\"")
  }

  // MARK: - Characters

  private mutating func take(_ characters: Set<Character>) -> Character? {
    skipBlanks()
    guard let first = rest.first, characters.contains(first) else { return nil }
    return rest.removeFirst()
  }

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  private func finite(_ value: Double, at start: Substring) throws(NodeError) -> Double {
    guard value.isFinite else {
      throw error(.arithmetic, "the number is too large", at: start)
    }
    return value
  }

  private func error(
    _ code: NodeError.Code, _ message: String, at start: Substring? = nil
  ) -> NodeError {
    NodeError(code, place(message, at: start ?? rest), at: location)
  }

  private func place(_ message: String, at start: Substring) -> String {
    let column = whole.distance(from: whole.startIndex, to: start.startIndex) + 1
    return "\"\(whole)\", column \(column): \(message)"
  }
}
