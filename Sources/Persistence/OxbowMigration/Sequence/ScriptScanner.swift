/// Reads the comments of a script, and whether each is between two statements; on demand, its
/// statements.
///
/// Texts, quoted names and the bodies of triggers are recognised, so that what looks like a comment
/// inside a text is not one, and a comment in a trigger's body is inside a statement. A script may
/// be one for a server, which has more forms of texts.
struct ScriptScanner {
  /// What is around a comment.
  enum Context {
    case betweenStatements, inStatement, inTrigger
  }

  struct Comment {
    let text: String
    /// Whether it begins with two hyphens.
    let isLine: Bool
    /// Whether it is alone on its line, and what is around it.
    let isAlone: Bool
    let context: Context
    /// The line, counted from 1, its first byte, and the first byte behind the comment's line.
    let line: Int
    let lineStart: Int
    let end: Int
  }

  private(set) var comments: [Comment] = []
  private(set) var statements: [ScriptStatement] = []

  /// The first byte of the first statement and its line.
  private(set) var firstStatement: (offset: Int, line: Int)?

  /// A comment of one line with a carriage return in it, where people see a line break and SQLite
  /// sees none.
  private(set) var brokenLine: Int?

  private let bytes: [UInt8]
  private var index: Int
  private var line: Int
  private var lineStart: Int
  private var state = State.start

  /// The tokens of the statement that is read, and how many parentheses are open.
  private var tokens: [ScriptToken] = []
  private var depth = 0
  private let readsStatements: Bool

  init(_ bytes: [UInt8], from start: Int = 0, line: Int = 1, readsStatements: Bool = false) {
    (self.bytes, self.line, self.readsStatements) = (bytes, line, readsStatements)
    index = start
    lineStart = start
    while index < bytes.count { scanToken() }
    endStatement()
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  private mutating func scanToken() {
    guard let first = byte() else { return }
    switch first {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
      advance()
    case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): scanLineComment()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): scanBlockComment()
    case UInt8(ascii: "'"): scanQuoted(.value, until: first)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): scanQuoted(.name, until: first)
    case UInt8(ascii: "["): scanQuoted(.name, until: UInt8(ascii: "]"))
    case UInt8(ascii: ";"):
      state = state.after(.semicolon)
      let (start, first) = (index, line)
      advance()
      if case .start = state { endStatement() } else { append(.sign, from: start, first) }
    case UInt8(ascii: "$") where dollarQuoteEnd != nil: scanDollarQuote()
    case let byte where Self.isWord(byte): scanWord()
    default: scanSign(first)
    }
  }

  private mutating func follow(_ token: Token) {
    if firstStatement == nil { firstStatement = (index, line) }
    state = state.after(token)
  }

  /// A text or a name in quotes; a quote inside is written twice, or, in a server's text behind
  /// `E`, behind a backslash.
  private mutating func scanQuoted(
    _ kind: ScriptToken.Kind, until end: UInt8, escapes: Bool = false
  ) {
    follow(.other)
    let (start, first) = (index, line)
    var content: [UInt8]? = readsStatements ? [] : nil
    advance()
    while let next = byte() {
      if next == end {
        guard byte(1) == end, end != UInt8(ascii: "]") else { break }
        index += 1
      }
      if escapes, next == UInt8(ascii: "\\"), byte(1) != nil { advance() }
      content?.append(bytes[index])
      advance()
    }
    if index < bytes.count { advance() }
    append(kind, from: start, first, content)
  }

  /// The first byte behind a text between two equal tags, of which the first begins here; `nil` if
  /// none does, as for a parameter of SQLite.
  private var dollarQuoteEnd: Int? {
    let name = bytes[(index + 1)...].prefix { Self.isWord($0) && $0 != UInt8(ascii: "$") }
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "$"),
      name.first.map({ !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) ?? true
    else { return nil }
    let tag = bytes[index...name.endIndex]
    return bytes[(name.endIndex + 1)...].firstRange(of: tag)?.upperBound
  }

  private mutating func scanDollarQuote() {
    follow(.other)
    let (start, first, end) = (index, line, dollarQuoteEnd ?? bytes.count)
    while index < end { advance() }
    append(.value, from: start, first)
  }

  private mutating func scanWord() {
    let start = index
    var end = index
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    let word = String(decoding: bytes[index..<end], as: UTF8.self)
    if word.lowercased() == "e", end < bytes.count, bytes[end] == UInt8(ascii: "'") {
      index = end
      return scanQuoted(.value, until: UInt8(ascii: "'"), escapes: true)
    }
    follow(Token(word.lowercased()))
    index = end
    append(word.first?.isNumber == true ? .value : .word, from: start, line)
  }

  private mutating func scanSign(_ sign: UInt8) {
    follow(.other)
    let (start, first) = (index, line)
    advance()
    if sign == UInt8(ascii: ")") { depth = max(0, depth - 1) }
    append(.sign, from: start, first)
    if sign == UInt8(ascii: "(") { depth += 1 }
  }

  /// Adds the token that ends here; `content` is its text where the script spells it otherwise.
  private mutating func append(
    _ kind: ScriptToken.Kind, from start: Int, _ line: Int, _ content: [UInt8]? = nil
  ) {
    guard readsStatements else { return }
    let text = String(decoding: content?[...] ?? bytes[start..<index], as: UTF8.self)
    tokens.append(
      ScriptToken(
        kind: kind, text: kind == .word ? text.lowercased() : text, spelled: text,
        range: start..<index, line: line, depth: depth))
  }

  private mutating func endStatement() {
    if !tokens.isEmpty { statements.append(ScriptStatement(tokens: tokens, script: bytes)) }
    (tokens, depth) = ([], 0)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Comments

extension ScriptScanner {
  private var isAlone: Bool {
    bytes[lineStart..<index].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private mutating func scanLineComment() {
    var end = index
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    var text = bytes[(index + 2)..<end]
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    if text.contains(UInt8(ascii: "\r")), brokenLine == nil { brokenLine = line }
    comments.append(
      Comment(
        text: Self.trimmed(text), isLine: true, isAlone: isAlone, context: state.context,
        line: line,
        lineStart: lineStart, end: min(end + 1, bytes.count)))
    index = end
  }

  private mutating func scanBlockComment() {
    let start = index
    let (line, lineStart) = (line, lineStart)
    index += 2
    while index < bytes.count,
      !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/"))
    { advance() }
    let text = bytes[min(start + 2, bytes.count)..<max(min(start + 2, bytes.count), index)]
    index = min(index + 2, bytes.count)
    comments.append(
      Comment(
        text: Self.trimmed(text), isLine: false, isAlone: false, context: state.context, line: line,
        lineStart: lineStart, end: index))
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    guard let first = bytes.firstIndex(where: { !blanks.contains($0) }),
      let last = bytes.lastIndex(where: { !blanks.contains($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}

// MARK: - Statements

extension ScriptScanner {
  /// What counts for the end of a statement.
  fileprivate enum Token {
    case semicolon, other, explain, create, temporary, trigger, begin, end

    init(_ word: String) {
      switch word {
      case "explain": self = .explain
      case "create": self = .create
      case "temp", "temporary": self = .temporary
      case "trigger": self = .trigger
      case "begin": self = .begin
      case "end": self = .end
      default: self = .other
      }
    }
  }

  /// Which part of a statement a byte belongs to, as SQLite's shell decides: a trigger ends with
  /// ";", "END", ";".
  ///
  /// One of a server has no body, which begins with "BEGIN".
  fileprivate enum State {
    case start, normal, explain, create, triggerHead, trigger, triggerSemicolon, triggerEnd

    var context: Context {
      switch self {
      case .start: .betweenStatements
      case .triggerHead, .trigger, .triggerSemicolon: .inTrigger
      default: .inStatement
      }
    }

    func after(_ token: Token) -> State {
      switch (self, token) {
      case (.trigger, .semicolon), (.triggerSemicolon, .semicolon): .triggerSemicolon
      case (_, .semicolon): .start
      case (.triggerSemicolon, .end): .triggerEnd
      case (.triggerHead, .begin), (.trigger, _), (.triggerSemicolon, _), (.triggerEnd, _): .trigger
      case (.triggerHead, _): .triggerHead
      case (.start, .explain): .explain
      case (.explain, .other): .explain
      case (.start, .create), (.explain, .create), (.create, .temporary): .create
      case (.create, .trigger): .triggerHead
      default: .normal
      }
    }
  }
}
