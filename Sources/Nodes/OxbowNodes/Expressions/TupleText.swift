internal import OxbowDocuments

/// A text of numbers in braces: `{a, b}`, `{{a, b}, {c, d}}`.
struct TupleText {
  let text: String
  let location: SourceLocation?
  let components: [Substring]

  /// Reads a text with a number of components that is one of `counts`.
  init(_ text: String, counts: [Int], at location: SourceLocation?) throws(NodeError) {
    self.text = text
    self.location = location
    components = try Self.components(of: text, at: location)
    guard counts.contains(components.count) else {
      let wanted = counts.map(String.init).joined(separator: " or ")
      throw NodeError(
        .invalidValue, "\"\(text)\" has \(components.count) components; \(wanted) are expected",
        at: location)
    }
  }

  func number(
    _ index: Int, _ symbols: any NodeSymbols, along axis: NodeAxis?
  ) throws(NodeError) -> Double {
    try NumericExpression.value(
      of: components[index], in: text, symbols: symbols, along: axis, at: location)
  }

  private static func components(
    of text: String, at location: SourceLocation?
  ) throws(NodeError) -> [Substring] {
    var splitting = TupleSplitting(text)
    for index in text.indices {
      if let message = splitting.read(text[index], at: index) {
        throw unreadable(text, at: index, message, location)
      }
    }
    guard splitting.braces == 0 else {
      throw unreadable(text, at: text.endIndex, "a brace is not closed", location)
    }
    return splitting.parts + [splitting.part(until: text.endIndex)]
  }

  private static func unreadable(
    _ text: String, at index: String.Index, _ message: String, _ location: SourceLocation?
  ) -> NodeError {
    let column = text.distance(from: text.startIndex, to: index) + 1
    return NodeError(
      .invalidExpression, "\"\(text)\", column \(column): \(message)", at: location)
  }
}

/// Splits a tuple, one character after the other.
private struct TupleSplitting {
  let text: String
  private(set) var parts: [Substring] = []
  private(set) var braces = 0
  private var parentheses = 0
  /// Where the current component begins.
  private var start: String.Index
  /// Where a closing brace ended it.
  private var end: String.Index?

  init(_ text: String) {
    self.text = text
    start = text.startIndex
  }

  /// The current component, if it ends here.
  func part(until index: String.Index) -> Substring { text[start..<(end ?? index)] }

  /// Reads a character; returns what is wrong with it.
  mutating func read(_ character: Character, at index: String.Index) -> String? {
    switch character {
    case "{": return open(at: index)
    case "}": return close(at: index)
    case "," where parentheses <= 0: separate(at: index)
    case _ where end != nil && !character.isWhitespace:
      return "\",\" is expected, not \"\(character)\""
    case "(": parentheses += 1
    case ")": parentheses -= 1
    default: break
    }
    return nil
  }

  private mutating func open(at index: String.Index) -> String? {
    guard end == nil, text[start..<index].allSatisfy(\.isWhitespace) else {
      return "\"{\" follows a number"
    }
    braces += 1
    start = text.index(after: index)
    return nil
  }

  private mutating func close(at index: String.Index) -> String? {
    guard braces > 0 else { return "\"}\" closes nothing" }
    braces -= 1
    end = end ?? index
    return nil
  }

  private mutating func separate(at index: String.Index) {
    parts.append(part(until: index))
    start = text.index(after: index)
    end = nil
  }
}
