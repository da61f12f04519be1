internal import OxbowDocuments

/// Values in the text of an include: JSON, or `key: value; key: value`.
enum NodePairs {
  static func dictionary(
    of text: String, at location: SourceLocation?, limits: DocumentLimits,
    notes: inout [DocumentNote]
  ) throws(NodeError) -> NodeDictionary {
    let trimmed = text.trimmed
    if trimmed.hasPrefix("{"),
      let json = try? JSONReader.parse(Array(trimmed.utf8), file: "", limits: limits),
      let dictionary = try? NodeValue(json).dictionary
    {
      return moved(dictionary, to: location)
    }
    var result = NodeDictionary()
    for pair in split(trimmed) where !pair.allSatisfy(\.isWhitespace) {
      guard let colon = pair.firstIndex(of: ":"), !pair[..<colon].trimmed.isEmpty else {
        notes.append(
          DocumentNote(
            "\"\(pair.trimmed)\" does not have a name and a colon, and is left out", at: location))
        continue
      }
      let key = pair[..<colon].trimmed
      guard result[key] == nil else {
        throw NodeError(.invalidInclude, "an include gives \"\(key)\" twice", at: location)
      }
      let value = unquoted(pair[pair.index(after: colon)...].trimmed)
      result.set(key, to: NodeValue(.text(value), at: location))
    }
    return result
  }

  /// The values of variables, as texts.
  static func variables(of values: NodeDictionary) throws(NodeError) -> [String: String] {
    var result: [String: String] = [:]
    for entry in values.entries {
      guard let text = entry.value.text else {
        throw NodeError(
          .invalidInclude,
          "variable \"\(entry.key)\" is \(entry.value.kind); a variable is a text",
          at: entry.value.location)
      }
      result[entry.key] = text
    }
    return result
  }

  /// The parts between semicolons that are not inside braces or single quotes.
  private static func split(_ text: String) -> [Substring] {
    var depth = 0
    var isQuoted = false
    let parts = text.split(omittingEmptySubsequences: false) { character in
      switch character {
      case "'": isQuoted.toggle()
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      default: break
      }
      return character == ";" && depth <= 0 && !isQuoted
    }
    // A single quote without its partner is an apostrophe and does not quote anything.
    return isQuoted ? text.split(separator: ";") : parts
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Values of a text inside a file, with the location of that text.
  private static func moved(
    _ dictionary: NodeDictionary, to location: SourceLocation?
  ) -> NodeDictionary {
    var result = NodeDictionary()
    for entry in dictionary.entries {
      result.set(entry.key, to: moved(entry.value, to: location), at: location)
    }
    return result
  }

  private static func moved(_ value: NodeValue, to location: SourceLocation?) -> NodeValue {
    switch value.content {
    case .array(let values): NodeValue(.array(values.map { moved($0, to: location) }), at: location)
    case .dictionary(let inner): NodeValue(.dictionary(moved(inner, to: location)), at: location)
    default: NodeValue(value.content, at: location)
    }
  }
}
