internal import OxbowDocuments
internal import OxbowModel
internal import OxbowRelational

/// A script: a header of comments, then statements, in sections "up" and "down" or without any.
///
/// ```sql
/// -- oxbow: model unchanged
/// -- up
/// -- oxbow: allow OX202 OX204
/// UPDATE "File" SET "name" = lower("name");
/// -- down
/// ```
///
/// The statements are the bytes of the file as they are: a line break in a text is part of the
/// text.
struct ScriptFile {
  let model: String?
  let allowances: [LintAllowance]
  let up: MigrationScript
  let down: MigrationScript?

  private typealias Section = (name: String, comment: ScriptScanner.Comment)

  private enum Header {
    case model(String?)
    case allow([LintAllowance])

    static let keys = ["model", "allow"]
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ bytes: [UInt8], file: String) throws(PersistenceError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .migrationFile("the script '\(file)' is not in UTF-8")
    }
    let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    let scanner = ScriptScanner(bytes, from: start)
    if let line = scanner.brokenLine {
      throw .migrationFile(
        "the lines of the script end with a carriage return alone, so that a comment would hide "
          + "the statements behind it; save the file with other line endings",
        at: SourceLocation(file: file, line: line, column: 1))
    }
    var models: [String?] = []
    var allowances: [LintAllowance] = []
    var sections: [Section] = []
    for comment in scanner.comments {
      let location = SourceLocation(file: file, line: comment.line, column: 1)
      if Self.isHeader(comment) {
        switch try Self.header(comment, at: location) {
        case .allow(let more): allowances += more
        case .model(let model):
          guard models.isEmpty else {
            throw .migrationFile("there is a second header", at: location)
          }
          models.append(model)
        }
      } else if let name = try Self.section(comment, at: location) {
        guard !sections.contains(where: { $0.name == name }) else {
          throw .migrationFile("the section \"\(name)\" begins twice", at: location)
        }
        sections.append((name, comment))
      }
    }
    model = models.first ?? nil
    self.allowances = allowances
    (up, down) = try Self.scripts(bytes, start, sections, scanner, file)
  }

  /// Whether a comment is meant as the header, correctly written or not.
  private static func isHeader(_ comment: ScriptScanner.Comment) -> Bool {
    let word = comment.text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return word.lowercased() == "oxbow"
  }

  private static func section(
    _ comment: ScriptScanner.Comment, at location: SourceLocation
  ) throws(PersistenceError) -> String? {
    let name = comment.text.lowercased()
    guard comment.context != .inTrigger else { return nil }
    guard comment.isLine, comment.isAlone, ["up", "down"].contains(name) else {
      guard comment.isLine || name.first?.isLetter == true, isLikeSection(name) else { return nil }
      throw .migrationFile(
        "the comment looks like the beginning of a section, but is not, so what follows would be run "
          + "with the rest; a section begins with a line of its own: \"-- down\"", at: location)
    }
    guard comment.context == .betweenStatements else {
      throw .migrationFile(
        "the section \"\(name)\" begins inside a statement; end the statement before it with \";\"",
        at: location)
    }
    return name
  }

  /// Whether a comment is meant to begin a section: `down:`, `Down (restores)`,
  /// `+migrate Down`, or the word in a comment of another kind.
  private static func isLikeSection(_ text: String) -> Bool {
    let words = text.split { !$0.isLetter }.map(String.init)
    guard let last = words.last, let first = words.first else { return false }
    let names = ["up", "down"]
    if words.count == 1 { return names.contains(first) }
    if words.count == 2, ["migrate", "migration", "goose", "dbmate"].contains(first) {
      return names.contains(last)
    }
    return names.contains { text.hasPrefix($0 + ":") || text.hasPrefix($0 + " (") }
  }

  private static func header(
    _ comment: ScriptScanner.Comment, at location: SourceLocation
  ) throws(PersistenceError) -> Header {
    let words = comment.text.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard words.first == "oxbow:", comment.isLine, comment.isAlone,
      comment.context == .betweenStatements
    else {
      throw .migrationFile(
        "the comment begins like a header, but is not one; a header is a line of its own, between "
          + "statements: \"-- oxbow: model unchanged\", or a model's hash in place of "
          + "\"unchanged\"",
        at: location)
    }
    switch words.dropFirst().first ?? "" {
    case "model": return .model(try model(words.dropFirst(2), at: location))
    case "allow":
      let codes = words.dropFirst(2).joined(separator: " ")
      return .allow(try LintAllowance.all(codes, line: comment.line, at: location))
    case let word:
      let hint = didYouMean(word, among: Header.keys)
      throw .migrationFile(
        "\"\(word)\" is not a word of a script's header"
          + (hint.isEmpty ? "; it has \"model\" and \"allow\"" : hint), at: location)
    }
  }

  private static func model(
    _ words: ArraySlice<String>, at location: SourceLocation
  ) throws(PersistenceError) -> String? {
    guard words.count == 1, let hash = words.first,
      hash == "unchanged" || MigrationFile.isHash(hash)
    else {
      throw .migrationFile(
        "\"model\" wants one word: \"unchanged\", or the hash of the model that the script leaves "
          + "behind (64 hexadecimal digits)", at: location)
    }
    return hash == "unchanged" ? nil : hash
  }

  private static func scripts(
    _ bytes: [UInt8], _ start: Int, _ sections: [Section], _ scanner: ScriptScanner, _ file: String
  ) throws(PersistenceError) -> (up: MigrationScript, down: MigrationScript?) {
    func script(from start: Int, to end: Int, line: Int) -> MigrationScript {
      MigrationScript(
        file: file, text: String(decoding: bytes[start..<end], as: UTF8.self), firstLine: line)
    }
    guard let first = sections.first else {
      return (script(from: start, to: bytes.count, line: 1), nil)
    }
    if let statement = scanner.firstStatement, statement.offset < first.comment.lineStart {
      throw .migrationFile(
        "a statement comes before the section \"\(first.name)\"",
        at: SourceLocation(file: file, line: statement.line, column: 1))
    }
    var result: [String: MigrationScript] = [:]
    for (index, section) in sections.enumerated() {
      let end = index + 1 < sections.count ? sections[index + 1].comment.lineStart : bytes.count
      result[section.name] = script(
        from: section.comment.end, to: end, line: section.comment.line + 1)
    }
    guard let up = result["up"] else {
      throw .migrationFile("the script '\(file)' has a section \"down\" and none \"up\"")
    }
    return (up, result["down"])
  }
}
