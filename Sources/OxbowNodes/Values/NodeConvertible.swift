internal import OxbowDocuments

/// A type that values of node files become: of attributes, and of the arguments of functions.
public protocol NodeConvertible: SendableMetatype {
  /// What is accepted, for messages.
  static var expected: String { get }

  /// The value that a node file says.
  ///
  /// - Throws: ``NodeError``, with the place of the value.
  static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Self
}

/// What a value's meaning depends on.
public struct NodeValueContext {
  /// What names in expressions stand for.
  public var symbols: any NodeSymbols
  /// What passes so that old files load.
  public var compatibility: NodeCompatibility

  /// Creates a context.
  public init(
    symbols: any NodeSymbols = NoSymbols(), compatibility: NodeCompatibility = []
  ) {
    self.symbols = symbols
    self.compatibility = compatibility
  }

  /// The error for a value of another kind.
  public func mismatch(_ value: NodeValue, _ expected: String) -> NodeError {
    NodeError(
      .invalidValue, "\(value.shown) is not what is expected here: \(expected)", at: value.location)
  }
}

/// What passes so that files load that SnowCat reads.
public struct NodeCompatibility: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A word of an enumeration may be part of a longer text; the first in the order of the
  /// declaration counts.
  public static let wordsBySubstring = NodeCompatibility(rawValue: 1)
  /// Attributes and arguments that nobody knows are notes and no errors.
  public static let unknownAttributes = NodeCompatibility(rawValue: 2)
}

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
  /// The text; of a number or a truth value how it is written.
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
  /// The truth value; `yes`, `no`, 1 and 0 are such as well.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Bool {
    switch value.scalarText?.trimmed.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: throw context.mismatch(value, expected)
    }
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
    var result: [Element] = []
    for value in values { result.append(try Element.convert(value, in: context)) }
    return result
  }
}

extension NodePoint: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a point {x, y}" }
  /// The point.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodePoint {
    let (x, y) = try context.pair(value, expected)
    return NodePoint(x: x, y: y)
  }
}

extension NodeSize: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a size {width, height}" }
  /// The size; neither width nor height is negative.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodeSize {
    let (width, height) = try context.pair(value, expected)
    guard width >= 0, height >= 0 else {
      throw NodeError(
        .invalidValue, "{\(width), \(height)} is no size; it would be negative", at: value.location)
    }
    return NodeSize(width: width, height: height)
  }
}

extension NodeRect: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a rectangle {{x, y}, {width, height}}" }
  /// The rectangle.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodeRect {
    guard let text = value.text else { throw context.mismatch(value, expected) }
    let tuple = try TupleText(text, counts: [4], at: value.location)
    let origin = NodePoint(
      x: try tuple.number(0, context.symbols, along: .horizontal),
      y: try tuple.number(1, context.symbols, along: .vertical))
    let size = NodeSize(
      width: try tuple.number(2, context.symbols, along: .horizontal),
      height: try tuple.number(3, context.symbols, along: .vertical))
    guard size.width >= 0, size.height >= 0 else { throw context.mismatch(value, expected) }
    return NodeRect(origin: origin, size: size)
  }
}

extension NodeValueContext {
  fileprivate func pair(
    _ value: NodeValue, _ expected: String
  ) throws(NodeError) -> (Double, Double) {
    guard let text = value.text else { throw mismatch(value, expected) }
    let tuple = try TupleText(text, counts: [2], at: value.location)
    return (
      try tuple.number(0, symbols, along: .horizontal),
      try tuple.number(1, symbols, along: .vertical)
    )
  }
}

extension NodeConvertible where Self: RawRepresentable<String> & CaseIterable {
  /// What is accepted.
  public static var expected: String {
    "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  /// The case whose raw value a text is; in compatibility also the first that is part of the text.
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
      .invalidValue, "\(value.shown) is not what is expected here: \(expected)", at: value.location,
      nearNames: nearNames(to: text, among: allCases.map(\.rawValue)))
  }
}
