#if PostgreSQL
  internal import OxbowRelational

  /// A text of SQL in the server's language, cut into statements and words.
  ///
  /// Quotes (`'…'`, `E'…'`, `"…"`, `$tag$…$tag$`) and comments, which may be in each other, are one
  /// piece each.
  struct ServerScript {
    /// A statement without what is around it.
    struct Statement {
      let range: Range<Int>

      /// Its first words in capitals, as many as say what it is.
      var words: [String]

      /// The bytes that are parameters, "?".
      var parameters: [Int]
    }

    private(set) var statements: [Statement] = []

    let bytes: [UInt8]
    private var index = 0
    private var start: Int?
    private var end = 0
    private var words: [String] = []
    private var parameters: [Int] = []

    /// How many parentheses are open, and how many blocks of a function's body.
    private var parentheses = 0
    private var blocks = 0

    /// Whether parentheses are closed that were not opened, or the other way round.
    private(set) var isUnbalanced = false

    /// How many semicolons end statements.
    private(set) var ends = 0

    /// What begins a quote or a comment that does not end.
    private(set) var openQuote: String?

    /// A parameter with a number, `$1`.
    private(set) var numberedParameter: String?

    init(_ text: String) {
      bytes = Array(text.utf8)
      while index < bytes.count { scan() }
      endStatement()
    }

    /// A statement with values for its parameters, whose types the server finds out.
    static func statement(_ sql: String, _ values: [SQLValue]) -> ServerStatement {
      let text = values.isEmpty ? sql : ServerScript(sql).numbered()
      return ServerStatement(
        text, values.map { Parameter(inferred: $0) }, isKept: !values.isEmpty, readsTexts: true)
    }

    /// The text with numbers for its parameters, from the one behind `before` on.
    func numbered(after before: Int = 0) -> String {
      var result: [UInt8] = []
      var copied = 0
      for (number, place) in statements.flatMap(\.parameters).enumerated() {
        result += bytes[copied..<place] + Array("$\(before + number + 1)".utf8)
        copied = place + 1
      }
      return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// The text of a statement.
    func text(of statement: Statement) -> String {
      String(decoding: bytes[statement.range], as: UTF8.self)
    }

    /// The line of a byte, counted from 0, and its column, counted from 1.
    func place(_ offset: Int) -> (line: Int, column: Int) {
      let before = bytes[..<min(offset, bytes.count)]
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      return (before.count { $0 == UInt8(ascii: "\n") }, before.count - start + 1)
    }
  }

  extension ServerScript {
    /// What it says of a text that a program has written.
    func scan(of text: String) -> SQLScan {
      let first = statements.first
      return SQLScan(
        parameters: first?.parameters.count ?? 0, namedParameter: numberedParameter,
        words: first?.words ?? [],
        end: ends == 0
          ? nil : text.utf8.index(text.startIndex, offsetBy: first?.range.upperBound ?? 0),
        hasMore: statements.count > 1, isUnbalanced: isUnbalanced, openQuote: openQuote)
    }
  }

  // MARK: - Scanning

  extension ServerScript {
    private func byte(_ offset: Int = 0) -> UInt8? {
      index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private mutating func scan() {
      guard let first = byte() else { return }
      switch first {
      case _ where first <= UInt8(ascii: " "): index += 1
      case UInt8(ascii: "-") where byte(1) == first: skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: ";"): scanSemicolon()
      default: scanPiece(first)
      }
    }

    private mutating func scanSemicolon() {
      guard parentheses <= 0, blocks <= 0 else { return scanSign() }
      ends += 1
      endStatement()
      index += 1
    }

    private mutating func endStatement() {
      if parentheses != 0 { isUnbalanced = true }
      if let start {
        statements.append(.init(range: start..<end, words: words, parameters: parameters))
      }
      (start, words, parameters, parentheses, blocks) = (nil, [], [], 0, 0)
    }

    private mutating func scanPiece(_ first: UInt8) {
      start = start ?? index
      switch first {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuote(first, escapes: false)
      case UInt8(ascii: "$"): skipDollars()
      case _ where Self.isWord(first): scanWord()
      default: scanSign()
      }
      end = index
    }

    private mutating func scanSign() {
      switch bytes[index] {
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        if parentheses < 0 { isUnbalanced = true }
      case UInt8(ascii: "?"): parameters.append(index)
      default: break
      }
      index += 1
      end = index
    }

    private mutating func scanWord() {
      let start = index
      while let next = byte(), Self.isWord(next) || next == UInt8(ascii: "$") { index += 1 }
      let word = String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
      if word == "E", byte() == UInt8(ascii: "'") {
        return skipQuote(UInt8(ascii: "'"), escapes: true)
      }
      if words.count < 5 { words.append(word) }
      count(word)
    }

    /// Follows the blocks of `BEGIN ATOMIC … END` in the body of a function.
    private mutating func count(_ word: String) {
      let isRoutine = words.contains("FUNCTION") || words.contains("PROCEDURE")
      guard words.first == "CREATE", isRoutine else { return }
      switch word {
      case "BEGIN": blocks += 1
      case "CASE" where blocks > 0: blocks += 1
      case "END": blocks -= 1
      default: break
      }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      byte > 127 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte
        || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20
    }

    private mutating func skipLine() {
      while let next = byte(), next != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipComment() {
      var depth = 0
      while let first = byte() {
        let pair = (first, byte(1) ?? 0)
        if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
          depth += 1
          index += 1
        } else if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
          depth -= 1
          index += 1
        }
        index += 1
        if depth == 0 { return }
      }
      openQuote = "/*"
    }

    /// A quote within is doubled: it is read as two quotes side by side.
    private mutating func skipQuote(_ quote: UInt8, escapes: Bool) {
      index += 1
      while let next = byte(), next != quote {
        index += escapes && next == UInt8(ascii: "\\") ? 2 : 1
      }
      if byte() == nil { openQuote = String(UnicodeScalar(quote)) }
      index = min(index + 1, bytes.count)
      if escapes, byte() == quote { skipQuote(quote, escapes: true) }
    }

    private mutating func skipDollars() {
      var close = index + 1
      while close < bytes.count, Self.isWord(bytes[close]) { close += 1 }
      let startsWithDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= (byte(1) ?? 0)
      guard close < bytes.count, bytes[close] == UInt8(ascii: "$"), !startsWithDigit else {
        if startsWithDigit {
          numberedParameter = String(decoding: bytes[index..<close], as: UTF8.self)
        }
        index += 1
        return
      }
      let tag = Array(bytes[index...close])
      index = bytes[(close + 1)...].firstRange(of: tag)?.upperBound ?? bytes.count
    }
  }
#endif
