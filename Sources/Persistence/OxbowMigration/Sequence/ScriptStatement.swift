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

  let line: Int

  /// How many parentheses are open around it.
  let depth: Int

  func isWord(_ words: String...) -> Bool { kind == .word && words.contains(text) }

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  var isName: Bool { kind == .word || kind == .name }
}

struct ScriptStatement {
  let tokens: [ScriptToken]
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

  /// The table that a statement writes whose verb is at a position, and the position behind its
  /// name; `nil` for one that writes no rows.
  func target(at verb: Int) -> (name: String, end: Int)? {
    let or = word(verb + 1) == "or" ? 2 : 0
    switch word(verb) {
    case "update": return table(at: verb + or + 1)
    case "delete", "insert", "replace": return table(at: verb + or + 2)
    default: return nil
    }
  }

  /// The position of the first of some words behind a position, outside of parentheses.
  func first(_ words: [String], from start: Int) -> Int? {
    tokens.indices.first { index in
      index >= start && tokens[index].depth == 0 && tokens[index].kind == .word
        && words.contains(tokens[index].text)
    }
  }

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
    ScriptScanner(Array(script.text.utf8), line: script.firstLine, readsStatements: true).statements
  }
}
