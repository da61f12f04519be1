internal import OxbowFoundation

extension FetchPredicate: CustomStringConvertible {
  /// The condition as format text, which ``init(format:_:)`` reads as an equal one.
  ///
  /// Four forms are Oxbow's own: a condition on members in parentheses (`any tags (label == "x")`),
  /// `a ?? b`, a Boolean path as a condition, and constants of other types than texts and numbers
  /// (`date("2001-01-01T00:00:00Z")`). An AND or OR of no or one part is written as what it means.
  /// A condition in SQL is shown, and cannot be read back.
  public var description: String {
    switch self {
    case .constant(let truth): return truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let a, let comparison, let b):
      return Self.written([a, b]) { "\($0[0]) \(comparison.rawValue)\($1) \($0[1])" }
    case .text(let text, let comparison, let part, let options):
      return "\(text) \(comparison.rawValue)\(options.brackets) \(part)"
    case .words(let texts, let query):
      return "\(texts.count == 1 ? "\(texts[0])" : Self.list(texts)) words \(query)"
    case .isIn(.folded(let expression, let options), let values)
    where !options.isEmpty && values.allSatisfy { $0 == $0.folded(options) }:
      return "\(expression) in\(options.brackets) \(Self.list(values))"
    case .isIn(let expression, let values): return "\(expression) in \(Self.list(values))"
    case .isBetween(let value, let low, let high):
      return Self.written([value, low, high]) { "\($0[0]) between\($1) {\($0[1]), \($0[2])}" }
    case .truth(let expression): return "\(expression)"
    case .and(let parts): return parts.isEmpty ? "TRUEPREDICATE" : joined(parts, " and ")
    case .or(let parts): return parts.isEmpty ? "FALSEPREDICATE" : joined(parts, " or ")
    case .not(let inner): return "not (\(inner))"
    case .any(let path, let inner): return "any \(path.formatText) (\(inner))"
    case .all(let path, let inner): return "all \(path.formatText) (\(inner))"
    case .quantified(let quantifier, let inner): return "\(quantifier.rawValue) \(inner)"
    case .sql(let sql): return "sql(\("\(sql)".quoted))"
    }
  }

  /// Expressions that are all folded alike are written bare, with the options as brackets.
  private static func written(
    _ expressions: [FetchExpression], _ text: ([FetchExpression], String) -> String
  ) -> String {
    guard case .folded(_, let options) = expressions[0], !options.isEmpty else {
      return text(expressions, "")
    }
    var inner: [FetchExpression] = []
    for case .folded(let expression, options) in expressions { inner.append(expression) }
    return inner.count == expressions.count
      ? text(inner, options.brackets) : text(expressions, "")
  }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    "{" + values.map(\.description).joined(separator: ", ") + "}"
  }

  private func joined(_ parts: [FetchPredicate], _ word: String) -> String {
    parts.map { part in
      switch part {
      case .and(let inner) where inner.count > 1, .or(let inner) where inner.count > 1: "(\(part))"
      default: "\(part)"
      }
    }
    .joined(separator: word)
  }

  /// Whether the text of the condition is that of a value alone.
  fileprivate var isWrittenAsValue: Bool {
    switch self {
    case .truth: true
    case .and(let parts), .or(let parts): parts.count == 1 && parts[0].isWrittenAsValue
    default: false
    }
  }
}

extension FetchExpression: CustomStringConvertible {
  /// The expression as format text.
  public var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .path(let path): path.formatText
    case .count(let path): path.formatText + ".@count"
    case .arithmetic(let a, let sign, let b): "(\(a) \(sign.rawValue) \(b))"
    case .negated(let inner): "-(\(inner))"
    case .coalesced(let a, let b): "(\(a) ?? \(b))"
    case .conditional(let test, let a, let b): "ternary(\(test), \(a), \(b))"
    case .condition(let predicate):
      predicate.isWrittenAsValue ? "ternary(\(predicate), true, false)" : "(\(predicate))"
    case .folded(let inner, let options): "folded(\(inner), \"\(options.letters)\")"
    case .aggregate(.average, let path): "average(\(path.formatText))"
    case .aggregate(let aggregate, let path): "\(aggregate.rawValue)(\(path.formatText))"
    case .subqueryCount(let path, let variable, let condition):
      "subquery(\(path.formatText), $\(variable), \(condition)).@count"
    case .now: "now()"
    }
  }
}

extension FetchValue: CustomStringConvertible {
  /// The constant as format text.
  public var description: String {
    switch self {
    case .null: "nil"
    case .object(let id): "object(\"\(id)\")"
    case .attribute(let value): value.formatText
    }
  }
}

extension TextOptions {
  fileprivate var brackets: String { isEmpty ? "" : "[\(letters)]" }
}

extension [String] {
  fileprivate var formatText: String {
    guard let first else { return "self" }
    let isReserved = FormatWords.reserved.contains(first.uppercased())
    let isVariable = first.hasPrefix("$") && String(first.dropFirst()).isName
    let head = isVariable ? first : isReserved ? "#\(first)" : first.formatName
    return ([head] + dropFirst().map(\.formatName)).joined(separator: ".")
  }
}

extension String {
  fileprivate var isName: Bool {
    unicodeScalars.first?.beginsName == true && unicodeScalars.allSatisfy(\.continuesName)
  }

  fileprivate var formatName: String { isName ? self : "#" + quoted }

  /// The text in quotes, as a format text has it.
  var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension AttributeValue {
  /// The value as a constant of a format text.
  fileprivate var formatText: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : "double(\"\(number)\")"
    case .boolean(let truth): truth ? "true" : "false"
    case .string(let text): text.quoted
    case .date(let date): date.formatText
    case .data(let data): "bytes(\"\(data.hexadecimal)\")"
    case .uuid(let uuid): "uuid(\"\(uuid.uuidString)\")"
    case .url(let url): "url(\(url.absoluteString.quoted))"
    case .decimal(let number): "decimal(\"\(number)\")"
    }
  }
}

extension Date {
  /// ISO form for whole seconds in years of four digits, otherwise the seconds since 2001.
  fileprivate var formatText: String {
    let seconds = timeIntervalSinceReferenceDate
    guard seconds == seconds.rounded(), let text = isoText else {
      return "date(\(AttributeValue.double(seconds).formatText))"
    }
    return "date(\"\(text)\")"
  }
}

extension Data {
  fileprivate var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
