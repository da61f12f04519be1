/// What a text of SQL is made of, as far as one has to know before SQLite sees it.
///
/// SQLite itself runs some statements while it prepares them, so a text that may only read is
/// looked at first. Nothing is changed in it.
package struct SQLScan {
  /// The number of parameters `?`.
  private(set) var parameters = 0

  /// A parameter with a number or a name.
  private(set) var namedParameter: String?

  /// The first words, in capitals: as many as say what the statement is.
  private(set) var words: [String] = []

  /// Where the first statement ends: before its semicolon, or at the end.
  private(set) var end: String.Index?

  /// Whether something follows the first statement.
  private(set) var hasMore = false

  /// Whether parentheses are closed that were not opened, or the other way round.
  private(set) var isUnbalanced = false

  /// The sign that begins a quote or a comment that does not end.
  private(set) var openQuote: String?

  /// What another language's scan has found.
  package init(
    parameters: Int, namedParameter: String?, words: [String], end: String.Index?, hasMore: Bool,
    isUnbalanced: Bool, openQuote: String?
  ) {
    (self.parameters, self.namedParameter, self.words) = (parameters, namedParameter, words)
    (self.end, self.hasMore, self.isUnbalanced) = (end, hasMore, isUnbalanced)
    self.openQuote = openQuote
  }

  private var depth = 0

  init(_ text: String) {
    var rest = text[...]
    while let first = rest.unicodeScalars.first {
      let start = rest.startIndex
      if skipBlank(&rest) { continue }
      if first == ";" {
        if end == nil { end = start }
        rest.unicodeScalars.removeFirst()
        continue
      }
      if end != nil { hasMore = true }
      scanToken(first, &rest)
    }
    if depth != 0 { isUnbalanced = true }
  }

  /// Skips white space or a comment.
  private mutating func skipBlank(_ rest: inout Substring) -> Bool {
    guard let first = rest.unicodeScalars.first else { return false }
    if first.properties.isWhitespace {
      rest.unicodeScalars.removeFirst()
      return true
    }
    if rest.hasPrefix("--") {
      rest = rest.firstIndex(of: "\n").map { rest[$0...] } ?? ""
      return true
    }
    guard rest.hasPrefix("/*") else { return false }
    if let close = rest.dropFirst(2).firstRange(of: "*/") {
      rest = rest[close.upperBound...]
    } else {
      openQuote = "/*"
      rest = ""
    }
    return true
  }

  private mutating func scanToken(_ first: Unicode.Scalar, _ rest: inout Substring) {
    switch first {
    case "'", "\"", "`": skipQuote(first, first, &rest)
    case "[": skipQuote("[", "]", &rest)
    case "?", ":", "@", "$": scanParameter(first, &rest)
    case _ where first.continuesWord: scanWord(&rest)
    default:
      if first == "(" { depth += 1 }
      if first == ")" { depth -= 1 }
      if depth < 0 { isUnbalanced = true }
      rest.unicodeScalars.removeFirst()
    }
  }

  private mutating func skipQuote(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ rest: inout Substring
  ) {
    rest.unicodeScalars.removeFirst()
    guard let end = rest.unicodeScalars.firstIndex(of: close) else {
      openQuote = String(open)
      return rest = ""
    }
    // A quote within is doubled: it is read as two quotes side by side.
    rest = rest[rest.unicodeScalars.index(after: end)...]
  }

  private mutating func scanParameter(_ first: Unicode.Scalar, _ rest: inout Substring) {
    rest.unicodeScalars.removeFirst()
    let name = rest.unicodeScalars.prefix { $0.continuesWord }
    rest.unicodeScalars.removeFirst(name.count)
    guard first == "?", name.isEmpty else {
      namedParameter = namedParameter ?? String(first) + String(Substring(name))
      return
    }
    parameters += 1
  }

  private mutating func scanWord(_ rest: inout Substring) {
    let word = rest.unicodeScalars.prefix { $0.continuesWord }
    if words.count < 4 { words.append(Substring(word).uppercased()) }
    rest.unicodeScalars.removeFirst(word.count)
  }
}

extension Unicode.Scalar {
  fileprivate var continuesWord: Bool {
    value > 127 || self == "_" || self == "$" || ("0"..."9").contains(self)
      || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }
}
