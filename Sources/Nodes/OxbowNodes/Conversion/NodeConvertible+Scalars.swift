internal import OxbowDocuments

extension NodeValue: NodeConvertible {
  /// Anything.
  public static var expected: String { "anything" }
  /// The value itself.
  public static func convert(_ value: NodeValue, in context: NodeValueContext) -> NodeValue {
    value
  }
}

extension String: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a text" }
  /// The text; a number or a truth value as it is written.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> String {
    guard let text = value.scalarText else { throw context.mismatch(value, expected) }
    return text
  }
}

extension Bool: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "true or false" }
  /// The truth value; `yes`, `no`, 1 and 0 are accepted too.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Bool {
    guard let truth = (value.scalarText?.trimmed).flatMap(ScalarText.truth) else {
      throw context.mismatch(value, expected)
    }
    return truth
  }
}

extension Double: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a number" }
  /// The number; a text is an expression.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Double {
    switch value.content {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case .text(let text):
      return try NumericExpression.value(of: text, symbols: context.symbols, at: value.location)
    default: throw context.mismatch(value, expected)
    }
  }
}

extension Float: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a number" }
  /// The number; a text is an expression.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Float {
    Float(try Double.convert(value, in: context))
  }
}

extension Int: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a whole number" }
  /// The number; a text is an expression whose value is whole.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Int {
    if case .integer(let number) = value.content { return number }
    guard let whole = Int(exactly: try Double.convert(value, in: context)) else {
      throw context.mismatch(value, expected)
    }
    return whole
  }
}

extension Array: NodeConvertible where Element: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "an array, each element \(Element.expected)" }
  /// The elements.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> [Element] {
    guard let values = value.array else { throw context.mismatch(value, expected) }
    return try values.map { (value) throws(NodeError) in try Element.convert(value, in: context) }
  }
}

extension NodeConvertible where Self: RawRepresentable<String> & CaseIterable {
  /// What is accepted.
  public static var expected: String {
    "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  /// The case whose raw value the text is; for compatibility, also the first that is part of the
  /// text.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Self {
    let text = value.text ?? ""
    if let exact = Self(rawValue: text) { return exact }
    if context.compatibility.contains(.wordsBySubstring),
      let part = allCases.first(where: { text.contains($0.rawValue) })
    {
      return part
    }
    throw NodeError(
      .invalidValue, "\(value.shown) is not accepted here; expected: \(expected)",
      at: value.location,
      nearNames: nearNames(to: text, among: allCases.map(\.rawValue)))
  }
}
