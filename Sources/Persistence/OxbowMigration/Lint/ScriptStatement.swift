internal import OxbowRelational

/// A word, a name, a text or a sign of a script.
struct ScriptToken {
  enum Kind {
    /// A word without quotes, in lower case.
    case word
    /// A name in quotes, without them.
    case name
    /// A text or a number.
    case value
    case sign
  }

  let kind: Kind
  let text: String

  /// The same as the script has it, where that is a word.
  let spelled: String

  /// The bytes of the script that it takes.
  let range: Range<Int>

  /// The line, counted from 1.
  let line: Int

  /// How many parentheses are open around it.
  let depth: Int

  func isWord(_ words: String...) -> Bool { kind == .word && words.contains(text) }

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  var isName: Bool { kind == .word || kind == .name }
}

/// A statement of a script.
struct ScriptStatement {
  let tokens: [ScriptToken]

  /// The bytes of the whole script.
  let script: [UInt8]

  /// The line where it begins, counted from 1.
  var line: Int { tokens.first?.line ?? 0 }

  /// The position of the verb; behind the tables of a `WITH`.
  var verb: Int {
    guard tokens.first?.isWord("with") == true else { return 0 }
    return tokens.firstIndex {
      $0.depth == 0 && $0.isWord("select", "insert", "update", "delete", "replace", "values")
    } ?? 0
  }

  /// The word at a position, or nothing.
  func word(_ index: Int) -> String {
    tokens.indices.contains(index) && tokens[index].kind == .word ? tokens[index].text : ""
  }

  /// The table that is named at a position, without its schema, and the position behind it.
  func table(at index: Int) -> (name: String, end: Int) {
    guard tokens.indices.contains(index), tokens[index].isName else { return ("", index) }
    guard index + 2 < tokens.count, tokens[index + 1].isSign("."), tokens[index + 2].isName else {
      return (tokens[index].spelled, index + 1)
    }
    return (tokens[index + 2].spelled, index + 3)
  }

  /// The position of the first of some words behind a position, outside of parentheses.
  func first(_ words: [String], from start: Int) -> Int? {
    tokens.indices.first { index in
      index >= start && tokens[index].depth == 0 && tokens[index].kind == .word
        && words.contains(tokens[index].text)
    }
  }

  func has(_ word: String) -> Bool { first([word], from: 0) != nil }

  /// The bytes from one token up to another as they are in the script.
  func text(_ tokens: some Collection<ScriptToken>) -> String {
    guard let start = tokens.first?.range.lowerBound, start < script.count else { return "" }
    let end = tokens.reduce(start) { max($0, $1.range.upperBound) }
    return String(decoding: script[start..<end], as: UTF8.self)
  }

  /// The definitions between the parentheses of a table, which begin at a position.
  func definitions(from start: Int) -> [Range<Int>] {
    guard tokens.indices.contains(start), tokens[start].isSign("(") else { return [] }
    var parts: [Range<Int>] = []
    var first = start + 1
    for index in (start + 1)..<tokens.count {
      let token = tokens[index]
      let isEnd = token.isSign(")") && token.depth == 0
      guard isEnd || token.isSign(",") && token.depth == 1 else { continue }
      parts.append(first..<index)
      first = index + 1
      if isEnd { break }
    }
    return parts
  }

  static func all(in script: MigrationScript) -> [ScriptStatement] {
    var reader = ScriptTokenReader(script)
    return reader.statements()
  }
}

/// Cuts a script into tokens.
private struct ScriptTokenReader {
  private let text: [UInt8]
  private var index = 0
  private var line: Int
  private var depth = 0
  private var tokens: [ScriptToken] = []

  init(_ script: MigrationScript) {
    text = Array(script.text.utf8)
    line = script.firstLine
  }

  mutating func statements() -> [ScriptStatement] {
    var result: [ScriptStatement] = []
    while index < text.count {
      guard text[index] == UInt8(ascii: ";") else {
        readToken()
        continue
      }
      index += 1
      guard !isInTrigger else { continue }
      if !tokens.isEmpty { result.append(ScriptStatement(tokens: tokens, script: text)) }
      (tokens, depth) = ([], 0)
    }
    return tokens.isEmpty ? result : result + [ScriptStatement(tokens: tokens, script: text)]
  }

  /// Whether a semicolon is inside: the body of a trigger ends with an "END" that ends no "CASE".
  private var isInTrigger: Bool {
    guard tokens.first?.isWord("create") == true,
      tokens.prefix(3).contains(where: { $0.isWord("trigger") })
    else { return false }
    let cases = tokens.count { $0.isWord("case") }
    return tokens.count { $0.isWord("end") } <= cases
  }

  private mutating func readToken() {
    switch text[index] {
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip { $0 == UInt8(ascii: "\n") }
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipBlock()
    case UInt8(ascii: "'"): quoted(.value, until: UInt8(ascii: "'"))
    case UInt8(ascii: "\""), UInt8(ascii: "`"): quoted(.name, until: text[index])
    case UInt8(ascii: "["): quoted(.name, until: UInt8(ascii: "]"))
    case let byte where Self.isWord(byte): word()
    case let byte where byte <= UInt8(ascii: " "): advance()
    default: sign()
    }
  }

  private var next: UInt8? { index + 1 < text.count ? text[index + 1] : nil }

  private mutating func advance() {
    if text[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private mutating func skip(until isEnd: (UInt8) -> Bool) {
    while index < text.count, !isEnd(text[index]) { advance() }
  }

  private mutating func skipBlock() {
    advance()
    repeat {
      advance()
    } while index < text.count
      && !(text[index] == UInt8(ascii: "*") && next == UInt8(ascii: "/"))
    index = min(index + 2, text.count)
  }

  private mutating func append(
    _ kind: ScriptToken.Kind, _ text: String, from start: Int, _ line: Int
  ) {
    tokens.append(
      ScriptToken(
        kind: kind, text: kind == .word ? text.lowercased() : text, spelled: text,
        range: start..<index, line: line, depth: depth))
  }

  /// A text or a name in quotes; a quote inside is written twice.
  private mutating func quoted(_ kind: ScriptToken.Kind, until end: UInt8) {
    let (start, first) = (index, line)
    var content: [UInt8] = []
    advance()
    while index < text.count {
      if text[index] == end {
        guard next == end, end != UInt8(ascii: "]") else { break }
        index += 1
      }
      content.append(text[index])
      advance()
    }
    index = min(index + 1, text.count)
    append(kind, String(decoding: content, as: UTF8.self), from: start, first)
  }

  private mutating func word() {
    let start = index
    while index < text.count, Self.isWord(text[index]) { index += 1 }
    let word = String(decoding: text[start..<index], as: UTF8.self)
    append(word.first?.isNumber == true ? .value : .word, word, from: start, line)
  }

  private mutating func sign() {
    let (start, byte) = (index, text[index])
    advance()
    if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
    append(.sign, String(decoding: [byte], as: UTF8.self), from: start, line)
    if byte == UInt8(ascii: "(") { depth += 1 }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
