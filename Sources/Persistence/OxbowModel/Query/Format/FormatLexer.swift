struct FormatLexer {
  private let source: FormatSource
  private var index = 0
  private var found: [FormatToken] = []

  init(_ source: FormatSource) { self.source = source }

  mutating func tokens() throws(PersistenceError) -> [FormatToken] {
    while let next = scalar() {
      if next.properties.isWhitespace {
        index += 1
      } else {
        let start = index
        found.append(FormatToken(kind: try token(next), range: start..<index))
      }
    }
    let end = source.scalars.count
    return found + [FormatToken(kind: .end, range: end..<end)]
  }

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
    index + offset < source.scalars.count ? source.scalars[index + offset] : nil
  }

  private mutating func token(_ first: Unicode.Scalar) throws(PersistenceError) -> FormatToken.Kind
  {
    switch first {
    case "\"", "'": return .text(try quoted(first))
    case "#": return .escapedName(try escapedName())
    case "$": return .variable(try name(after: "$"))
    case "@": return .keyOperator(try name(after: "@"))
    case "%": return try placeholder()
    case "0"..."9": return .number(try number())
    case "." where beginsNumber: return .number(try number())
    case _ where first.beginsName: return .name(takeName())
    default: return .symbol(try symbol(first))
    }
  }

  // MARK: Names

  private mutating func takeName() -> String {
    let start = index
    while let next = scalar(), next.continuesName { index += 1 }
    return source.text(start..<index)
  }

  private mutating func name(after sign: String) throws(PersistenceError) -> String {
    index += 1
    guard scalar()?.beginsName == true else {
      throw source.error("expected a name after '\(sign)'", at: index - 1..<index)
    }
    return takeName()
  }

  private mutating func escapedName() throws(PersistenceError) -> String {
    if let quote = scalar(1), quote == "\"" || quote == "'" {
      index += 1
      return try quoted(quote)
    }
    return try name(after: "#")
  }

  // MARK: Placeholders

  private static let lengths: Set<Unicode.Scalar> = ["h", "l", "q", "z", "t", "j", "L"]
  private static let kinds: Set<Unicode.Scalar> = [
    "@", "K", "d", "D", "i", "u", "U", "x", "X", "o", "O", "f", "F", "e", "E", "g", "G", "a", "A",
    "s", "S", "c", "C",
  ]

  private mutating func placeholder() throws(PersistenceError) -> FormatToken.Kind {
    let start = index
    index += 1
    guard let next = scalar(), next.beginsName || next == "@" || ("0"..."9").contains(next) else {
      return .symbol("%")
    }
    while let length = scalar(), Self.lengths.contains(length) { index += 1 }
    guard let kind = scalar(), Self.kinds.contains(kind) else {
      while let rest = scalar(), rest.continuesName || rest == "$" || rest == "@" { index += 1 }
      throw source.error(
        "'\(source.text(start..<index))' is not a placeholder; there are %@, %K, %d (%i, %u, %ld, %lld "
          + "…), %f and %s, and they take their arguments in order; a remainder needs a space after "
          + "'%'",
        at: start..<index)
    }
    index += 1
    return .placeholder(String(kind))
  }

  // MARK: Numbers

  /// Whether a point begins a number rather than continuing a path.
  private var beginsNumber: Bool {
    guard let next = scalar(1), ("0"..."9").contains(next) else { return false }
    switch found.last?.kind {
    case .name, .escapedName, .variable, .keyOperator, .placeholder, .symbol(")"):
      return found.last?.range.upperBound != index
    default: return true
    }
  }

  private mutating func number() throws(PersistenceError) -> String {
    let start = index
    if scalar() == "0", scalar(1) == "x" || scalar(1) == "X" {
      index += 2
      take { $0.properties.isASCIIHexDigit }
    } else {
      take { ("0"..."9").contains($0) }
      if scalar() == ".", let digit = scalar(1), ("0"..."9").contains(digit) {
        index += 1
        take { ("0"..."9").contains($0) }
      }
      takeExponent()
    }
    guard scalar()?.continuesName != true else {
      take { $0.continuesName }
      throw source.error(
        "'\(source.text(start..<index))' is neither a number nor a name; a name that begins with a "
          + "digit is written #\"…\"",
        at: start..<index)
    }
    return source.text(start..<index)
  }

  private mutating func takeExponent() {
    guard scalar() == "e" || scalar() == "E" else { return }
    let hasSign = scalar(1) == "+" || scalar(1) == "-"
    guard let digit = scalar(hasSign ? 2 : 1), ("0"..."9").contains(digit) else { return }
    index += hasSign ? 2 : 1
    take { ("0"..."9").contains($0) }
  }

  private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) {
    while let next = scalar(), isWanted(next) { index += 1 }
  }

  // MARK: Quoted text

  private mutating func quoted(_ quote: Unicode.Scalar) throws(PersistenceError) -> String {
    let start = index
    index += 1
    var text = String.UnicodeScalarView()
    while let next = scalar() {
      index += 1
      if next == quote { return String(text) }
      text.append(next == "\\" ? try escape() : next)
    }
    throw source.error(
      "the text that begins here has no end: expected \(quote == "'" ? "'" : "\"")",
      at: start..<start + 1)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\u{7}", "b": "\u{8}", "f": "\u{C}",
    "v": "\u{B}", "\"": "\"", "'": "'", "\\": "\\", "/": "/",
  ]

  private mutating func escape() throws(PersistenceError) -> Unicode.Scalar {
    let start = index - 1
    if let next = scalar(), let meant = Self.escapes[next] {
      index += 1
      return meant
    }
    if scalar() == "u", let meant = takeCode() { return meant }
    throw source.error(
      "'\(source.text(start..<min(index + 1, source.scalars.count)))' means nothing; a backslash is "
        + "written as two, and \\\" \\' \\n \\t \\r \\0 \\u{301} are characters",
      at: start..<min(index + 1, source.scalars.count))
  }

  /// The scalar of `u{301}` or `u0301`.
  private mutating func takeCode() -> Unicode.Scalar? {
    let start = index
    index += 1
    let isBraced = scalar() == "{"
    if isBraced { index += 1 }
    let digits = index
    while let next = scalar(), next.properties.isASCIIHexDigit, isBraced || index < digits + 4 {
      index += 1
    }
    let code = UInt32(source.text(digits..<index), radix: 16).flatMap(Unicode.Scalar.init)
    let isComplete = isBraced ? scalar() == "}" : index == digits + 4
    guard let code, isComplete else {
      index = start
      return nil
    }
    if isBraced { index += 1 }
    return code
  }

  // MARK: Signs

  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "??", "**", "<<", ">>", "=", "<", ">",
    "!",
    "&", "|", "^", "~", "+", "-", "*", "/", "(", ")", "{", "}", "[", "]", ",", ".", ":", "?",
  ]

  private mutating func symbol(_ first: Unicode.Scalar) throws(PersistenceError) -> String {
    for sign in Self.signs where source.scalars[index...].starts(with: sign.unicodeScalars) {
      index += sign.unicodeScalars.count
      return sign
    }
    let hint = first == "\\" ? "; quotes around a text are written without backslash" : ""
    throw source.error("'\(first)' means nothing here\(hint)", at: index..<index + 1)
  }
}

extension Unicode.Scalar {
  var beginsName: Bool { self == "_" || properties.isAlphabetic }

  var continuesName: Bool {
    if beginsName || ("0"..."9").contains(self) { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return false
    }
  }
}
