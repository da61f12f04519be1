internal import OxbowContainer
internal import OxbowDocuments

/// Reads the expression of a joinpoint.
struct JoinPointParser {
  /// What is wrong with an expression, at which of its characters.
  struct Failure: Error {
    let what: String
    let position: Int
    let expected: String
  }

  private typealias Part = (text: Substring, position: Int)

  static func parse(
    _ expression: String, at location: SourceLocation
  ) throws(Failure) -> JoinPoint {
    let parts = parts(of: expression)
    guard parts.count == 3 else {
      throw Failure(
        what: parts.count == 1 ? "there is one part" : "there are \(parts.count) parts",
        position: parts.count > 3 ? parts[3].position : expression.count + 1,
        expected: "three parts: kind||targets||methods")
    }
    return JoinPoint(
      kind: try kind(parts[0]), targets: try targets(parts[1]), methods: try methods(parts[2]),
      expression: expression, location: location)
  }

  /// The texts between double bars, each with the number of its first character.
  private static func parts(of expression: String) -> [Part] {
    var parts: [Part] = []
    var rest = expression[...]
    var position = 1
    while let bar = rest.firstRange(of: "||") {
      let text = rest[..<bar.lowerBound]
      parts.append((text, position))
      position += text.count + 2
      rest = rest[bar.upperBound...]
    }
    return parts + [(rest, position)]
  }

  private static func kind(_ part: Part) throws(Failure) -> JoinPoint.Kind {
    let part = trim(part)
    if let kind = JoinPoint.Kind(rawValue: String(part.text)) { return kind }
    throw Failure(
      what: "there is no kind \"\(part.text)\"", position: part.position,
      expected: "\"object\" or \"class\"")
  }

  private static func targets(_ part: Part) throws(Failure) -> JoinPoint.Selection {
    var names: [JoinPoint.Name] = []
    for item in items(of: part) {
      guard !item.text.isEmpty else {
        throw Failure(
          what: "a target has no name", position: item.position, expected: "a name or \"*\"")
      }
      names.append(JoinPoint.Name(text: String(item.text), position: item.position))
    }
    return try selection(names, all: "*")
  }

  private static func methods(_ part: Part) throws(Failure) -> JoinPoint.Selection {
    var names: [JoinPoint.Name] = []
    for item in items(of: part) {
      let expected = "a method in parentheses like (attack) or (goToPlace:), or (*)"
      guard item.text.hasPrefix("("), item.text.hasSuffix(")"), item.text.count > 2 else {
        throw Failure(
          what: item.text.isEmpty
            ? "a method has no name" : "method \"\(item.text)\" is not in parentheses",
          position: item.position, expected: expected)
      }
      let name = trim((item.text.dropFirst().dropLast(), item.position + 1))
      guard name.text == "*" || MethodName(text: String(name.text)) != nil else {
        throw Failure(
          what: "\"\(name.text)\" is not a name of a method", position: name.position,
          expected: expected)
      }
      names.append(JoinPoint.Name(text: String(name.text), position: name.position))
    }
    return try selection(names, all: "(*)")
  }

  private static func selection(
    _ names: [JoinPoint.Name], all: String
  ) throws(Failure) -> JoinPoint.Selection {
    guard let star = names.first(where: { $0.text == "*" }) else { return .names(names) }
    guard names.count == 1 else {
      throw Failure(
        what: "\(all) is among names", position: star.position,
        expected: "either \(all) or names")
    }
    return .all
  }

  // MARK: - Texts

  private static func items(of part: Part) -> [Part] {
    var items: [Part] = []
    var position = part.position
    for text in part.text.split(separator: ",", omittingEmptySubsequences: false) {
      items.append(trim((text, position)))
      position += text.count + 1
    }
    return items
  }

  private static func trim(_ part: Part) -> Part {
    let start = part.text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return (
      end.map { start[...$0] } ?? start.prefix(0),
      part.position + part.text.count - start.count
    )
  }
}
