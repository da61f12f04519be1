internal import OxbowSQL

/// Looks at the statements of a script.
struct ScriptLint {
  private let file: MigrationFile

  /// The tables of the model, in lower case.
  private let tables: Set<String>

  init(_ file: MigrationFile, tables: [String]) {
    self.file = file
    self.tables = Set(tables.map { $0.lowercased() })
  }

  func findings(_ script: MigrationScript, hasDown: Bool) -> [LintFinding] {
    let statements = ScriptStatement.all(in: script)
    var findings = statements.flatMap(findings)
    if !hasDown, !statements.isEmpty {
      findings.append(
        LintFinding(
          rule: .noWayBack, file: file.fileName, line: nil,
          message: "the script has no section \"down\", so that it cannot be taken back",
          advice: "add a line \"-- down\" with statements that restore what was before, or leave it"
        ))
    }
    return findings
  }

  private func findings(_ statement: ScriptStatement) -> [LintFinding] {
    let words = statement.words
    func finding(_ rule: LintFinding.Rule, _ message: String, _ advice: String) -> LintFinding {
      LintFinding(
        rule: rule, file: file.fileName, line: statement.line, message: message, advice: advice)
    }
    switch words.first {
    case "drop" where words.dropFirst().first == "table":
      return [
        finding(
          .droppedByScript, "a table is dropped with all its rows; nothing counts them",
          "copy what is needed into another table first")
      ]
    case "alter" where words.contains("drop"):
      return [
        finding(
          .droppedByScript, "a column is dropped with all its values; nothing counts them",
          "copy what is needed into another column first")
      ]
    case "delete" where !words.contains("where"):
      return [
        finding(
          .wholeTable, "all rows of the table '\(statement.name(after: "from"))' are deleted",
          "say which with WHERE, if that is not meant")
      ]
    case _ where words.first == "replace" || words.starts(with: ["insert", "or", "replace"]):
      return [
        finding(
          .replacedRows, "rows that are in the way are deleted, with the links to them",
          "write INSERT … ON CONFLICT DO UPDATE, which keeps the row and its key")
      ]
    case "update": return updates(statement, finding)
    default: return []
    }
  }

  private func updates(
    _ statement: ScriptStatement, _ finding: (LintFinding.Rule, String, String) -> LintFinding
  ) -> [LintFinding] {
    let words = statement.words
    let table = statement.name(after: words.count > 2 && words[1] == "or" ? words[2] : "update")
    guard tables.contains(table.lowercased()) else { return [] }
    var findings: [LintFinding] = []
    if !words.contains("where") {
      findings.append(
        finding(
          .wholeTable, "all rows of the table '\(table)' are written",
          "say which with WHERE, so that a second run changes nothing"))
    }
    if !words.contains(PlainLayout.versionColumn) {
      findings.append(
        finding(
          .uncountedVersion,
          "objects of the table '\(table)' change and their version does not, so that a program "
            + "that has them does not notice and writes over them",
          "add \"_version\" = \"_version\" + 1 to the SET"))
    }
    return findings
  }
}

/// A statement of a script as its words, in lower case, without comments and texts.
struct ScriptStatement {
  private(set) var words: [String] = []

  /// The line where it begins, counted from 1.
  private(set) var line = 0

  func name(after word: String) -> String {
    words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? ""
  }

  static func all(in script: MigrationScript) -> [ScriptStatement] {
    var reader = ScriptWordReader(script)
    return reader.statements()
  }

  fileprivate mutating func append(_ word: String, _ line: Int) {
    if words.isEmpty { self.line = line }
    words.append(word)
  }

  /// Whether a semicolon is inside: the body of a trigger ends with "END".
  fileprivate var isOpen: Bool {
    words.first == "create" && words.prefix(3).contains("trigger") && words.last != "end"
  }
}

/// Cuts a script into words.
private struct ScriptWordReader {
  private let text: [UInt8]
  private var index = 0
  private var line: Int

  init(_ script: MigrationScript) {
    text = Array(script.text.utf8)
    line = script.firstLine
  }

  mutating func statements() -> [ScriptStatement] {
    var result: [ScriptStatement] = []
    var statement = ScriptStatement()
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip { $0 == UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipBlock()
      case UInt8(ascii: "'"): _ = quoted(until: UInt8(ascii: "'"))
      case UInt8(ascii: "\""), UInt8(ascii: "`"):
        statement.append(quoted(until: text[index]), line)
      case UInt8(ascii: "["): statement.append(quoted(until: UInt8(ascii: "]")), line)
      case UInt8(ascii: ";"):
        index += 1
        guard !statement.isOpen else { continue }
        if !statement.words.isEmpty { result.append(statement) }
        statement = ScriptStatement()
      case let byte where Self.isWord(byte): statement.append(word(), line)
      default: advance()
      }
    }
    return statement.words.isEmpty ? result : result + [statement]
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

  private mutating func quoted(until end: UInt8) -> String {
    advance()
    let start = index
    skip { $0 == end }
    defer { index = min(index + 1, text.count) }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  private mutating func word() -> String {
    let start = index
    while index < text.count, Self.isWord(text[index]) { index += 1 }
    return String(decoding: text[start..<index], as: UTF8.self).lowercased()
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
