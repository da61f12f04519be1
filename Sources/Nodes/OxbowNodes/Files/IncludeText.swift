internal import OxbowDocuments

/// The parts of an include: `include file="…" replace="…" merge="deep" attributes="…"`.
struct IncludeText {
  let file: String
  var replacements: [String: String] = [:]
  var attributes: NodeDictionary?
  var isDeep = false
  var notes: [DocumentNote] = []

  /// Reads a text; nil if it does not have `include file="`.
  init?(_ text: String, at location: SourceLocation?, limits: DocumentLimits) throws(NodeError) {
    guard let marker = Self.marker(in: text) else { return nil }
    let before = text[..<marker.lowerBound]
    if !before.allSatisfy(\.isWhitespace) {
      notes.append(
        DocumentNote("the text before \"include file=\" is ignored: \"\(before)\"", at: location))
    }
    var rest = text[marker.upperBound...]
    let name = try Self.untilQuote(&rest, of: "file", at: location)
    file = name.trimmed
    guard !file.isEmpty else {
      throw NodeError(.invalidInclude, "an include does not name a file: \"\(text)\"", at: location)
    }
    try readParts(&rest, at: location, limits)
  }

  private mutating func readParts(
    _ rest: inout Substring, at location: SourceLocation?, _ limits: DocumentLimits
  ) throws(NodeError) {
    var seen: Set<String> = []
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return }
      let name = try Self.partName(&rest, at: location)
      guard seen.insert(name).inserted else {
        throw NodeError(.invalidInclude, "an include has \"\(name)\" twice", at: location)
      }
      let text = try Self.untilQuote(&rest, of: name, at: location)
      if name == "merge" {
        try merge(text, at: location)
        continue
      }
      let values = try NodePairs.dictionary(of: text, at: location, limits: limits, notes: &notes)
      if name == "replace" {
        replacements = try NodePairs.variables(of: values)
      } else {
        attributes = values
      }
    }
  }

  private mutating func merge(_ text: String, at location: SourceLocation?) throws(NodeError) {
    guard ["deep", "shallow"].contains(text) else {
      throw NodeError(
        .invalidInclude,
        "\"\(text)\" is not a way to merge attributes; write \"deep\" or \"shallow\"",
        at: location, nearNames: OxbowDocuments.nearNames(to: text, among: ["deep", "shallow"]))
    }
    isDeep = text == "deep"
  }

  // MARK: - Tokens

  /// The range of `include file="`, in any case and with any white space.
  private static func marker(in text: String) -> Range<String.Index>? {
    // Most texts are not includes, and this test is quick.
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return nil }
    var start = text.startIndex
    while start < text.endIndex {
      var rest = text[start...]
      if rest.first == "i" || rest.first == "I", take("include", &rest), skipBlanks(&rest) > 0,
        take("file", &rest), skipBlanks(&rest) >= 0, take("=", &rest), skipBlanks(&rest) >= 0,
        take("\"", &rest)
      {
        return start..<rest.startIndex
      }
      start = text.index(after: start)
    }
    return nil
  }

  private static func take(_ word: String, _ rest: inout Substring) -> Bool {
    guard rest.prefix(word.count).lowercased() == word else { return false }
    rest = rest.dropFirst(word.count)
    return true
  }

  private static func skipBlanks(_ rest: inout Substring) -> Int {
    let blanks = rest.prefix(while: \.isWhitespace)
    rest = rest[blanks.endIndex...]
    return blanks.count
  }

  private static func partName(
    _ rest: inout Substring, at location: SourceLocation?
  ) throws(NodeError) -> String {
    let word = rest.prefix { !$0.isWhitespace && $0 != "=" && $0 != "\"" }
    var tail = rest[word.endIndex...]
    let name = word.lowercased()
    guard ["replace", "merge", "attributes"].contains(name), skipBlanks(&tail) >= 0,
      take("=", &tail), skipBlanks(&tail) >= 0, take("\"", &tail)
    else {
      throw NodeError(
        .invalidInclude,
        "an include continues with \"\(rest.prefix(40))\"; after the file come replace=\"…\","
          + " merge=\"deep\" and, last, attributes=\"…\"", at: location,
        nearNames: nearNames(to: name, among: ["replace", "merge", "attributes"]))
    }
    rest = tail
    return name
  }

  /// The text of a part; that of the attributes, which are last, may have quotes in it.
  private static func untilQuote(
    _ rest: inout Substring, of part: String, at location: SourceLocation?
  ) throws(NodeError) -> String {
    let quote = part == "attributes" ? rest.lastIndex(of: "\"") : rest.firstIndex(of: "\"")
    guard let quote else {
      throw NodeError(
        .invalidInclude, "the \(part) of an include has no closing quote", at: location)
    }
    defer { rest = rest[rest.index(after: quote)...] }
    return String(rest[..<quote])
  }
}
