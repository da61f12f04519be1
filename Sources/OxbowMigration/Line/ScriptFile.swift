internal import OxbowDocuments
internal import OxbowModel
internal import OxbowSQL

/// A script: a header of comments, then statements, in sections "up" and "down" or without any.
///
/// ```sql
/// -- oxbow: model unchanged
/// -- up
/// UPDATE "File" SET "name" = lower("name");
/// -- down
/// ```
struct ScriptFile {
  let model: String?
  let up: MigrationScript
  let down: MigrationScript?

  private static let keys = ["model"]

  init(_ bytes: [UInt8], file: String) throws(PersistenceError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .migrationFile("the script '\(file)' is not in UTF-8")
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
    var model: String?
    var hasModel = false
    var sections: [(name: String, start: Int)] = []
    for (index, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
      guard words.first == "--" else { continue }
      let place = SourceLocation(file: file, line: index + 1, column: 1)
      if words.count >= 2, words[1] == "oxbow:" {
        guard !hasModel else { throw .migrationFile("the header is said twice", at: place) }
        model = try Self.header(Array(words.dropFirst(2)), at: place)
        hasModel = true
      } else if words.count == 2, ["up", "down"].contains(words[1].lowercased()) {
        let name = words[1].lowercased()
        guard !sections.contains(where: { $0.name == name }) else {
          throw .migrationFile("the section \"\(name)\" begins twice", at: place)
        }
        sections.append((name, index + 1))
      }
    }
    self.model = model
    (up, down) = try Self.scripts(lines, sections, file)
  }

  private static func header(
    _ words: [String], at place: SourceLocation
  ) throws(PersistenceError) -> String? {
    guard let key = words.first, keys.contains(key) else {
      let near = nearNames(to: words.first ?? "", among: keys).first
      throw .migrationFile(
        "\"\(words.first ?? "")\" is no word of a script's header"
          + (near.map { "; did you mean \"\($0)\"?" } ?? "; it has \"model\""), at: place)
    }
    guard words.count == 2, words[1] == "unchanged" || MigrationFile.isHash(words[1]) else {
      throw .migrationFile(
        "\"model\" wants one word: \"unchanged\", or the hash of the model that the script leaves "
          + "behind (64 hexadecimal digits)", at: place)
    }
    return words[1] == "unchanged" ? nil : words[1]
  }

  private static func scripts(
    _ lines: [String], _ sections: [(name: String, start: Int)], _ file: String
  ) throws(PersistenceError) -> (up: MigrationScript, down: MigrationScript?) {
    func script(from start: Int, to end: Int) -> MigrationScript {
      MigrationScript(
        file: file, text: lines[start..<end].joined(separator: "\n"), firstLine: start + 1)
    }
    guard let first = sections.first else { return (script(from: 0, to: lines.count), nil) }
    for (index, line) in lines[..<(first.start - 1)].enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.isEmpty || text.hasPrefix("--") else {
        throw .migrationFile(
          "a statement stands before the section \"\(first.name)\"",
          at: SourceLocation(file: file, line: index + 1, column: 1))
      }
    }
    var result: [String: MigrationScript] = [:]
    for (index, section) in sections.enumerated() {
      let end = index + 1 < sections.count ? sections[index + 1].start - 1 : lines.count
      result[section.name] = script(from: section.start, to: end)
    }
    guard let up = result["up"] else {
      throw .migrationFile("the script '\(file)' has a section \"down\" and none \"up\"")
    }
    return (up, result["down"])
  }
}
