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

  /// The number of a component.
  func number(
    _ index: Int, _ symbols: any NodeSymbols, along axis: NodeAxis?
  ) throws(NodeError) -> Double {
    try NumericExpression.value(
      of: components[index], in: text, symbols: symbols, along: axis, at: location)
  }

  private static func components(
    of text: String, at location: SourceLocation?
  ) throws(NodeError) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    // Where a closing brace ended the component.
    var end: String.Index?
    var braces = 0
    var parentheses = 0
    func fail(_ message: String, _ index: String.Index) -> NodeError {
      let column = text.distance(from: text.startIndex, to: index) + 1
      return NodeError(
        .invalidExpression, "\"\(text)\", column \(column): \(message)", at: location)
    }
    for index in text.indices {
      switch text[index] {
      case "{":
        guard end == nil, text[start..<index].allSatisfy(\.isWhitespace) else {
          throw fail("\"{\" stands behind a number", index)
        }
        braces += 1
        start = text.index(after: index)
      case "}":
        braces -= 1
        guard braces >= 0 else { throw fail("\"}\" closes nothing", index) }
        end = end ?? index
      case "(": parentheses += 1
      case ")": parentheses -= 1
      case "," where parentheses <= 0:
        parts.append(text[start..<(end ?? index)])
        start = text.index(after: index)
        end = nil
      case let character where end != nil && !character.isWhitespace:
        throw fail("\",\" is expected, not \"\(character)\"", index)
      default: break
      }
    }
    guard braces == 0 else { throw fail("a brace is not closed", text.endIndex) }
    return parts + [text[start..<(end ?? text.endIndex)]]
  }
}
