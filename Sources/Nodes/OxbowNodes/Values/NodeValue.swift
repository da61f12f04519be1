public import OxbowDocuments

/// A value of a node file, with its location.
///
/// Two values are equal if their contents are, whatever their locations.
public struct NodeValue: Sendable {
  /// What a value can be.
  public indirect enum Content: Hashable, Sendable {
    /// JSON's `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number.
    case real(Double)
    /// A text.
    case text(String)
    /// A date of a property list, in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    /// Bytes of a property list.
    case data([UInt8])
    /// Values in order.
    case array([NodeValue])
    /// Values by name.
    case dictionary(NodeDictionary)
  }

  /// The value.
  public let content: Content

  /// Its location; nil for a value that a program has created.
  public let location: SourceLocation?

  /// Creates a value.
  public init(_ content: Content, at location: SourceLocation? = nil) {
    self.content = content
    self.location = location
  }
}

extension NodeValue: Hashable {
  /// Whether two values have the same content.
  public static func == (a: NodeValue, b: NodeValue) -> Bool { a.content == b.content }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension NodeValue {
  /// The text, if it is one.
  public var text: String? {
    guard case .text(let text) = content else { return nil }
    return text
  }

  /// The values in order, if it is an array.
  public var array: [NodeValue]? {
    guard case .array(let values) = content else { return nil }
    return values
  }

  /// The values by name, if it is a dictionary.
  public var dictionary: NodeDictionary? {
    guard case .dictionary(let dictionary) = content else { return nil }
    return dictionary
  }

  /// The value of a key, if it is a dictionary that has one.
  public subscript(key: String) -> NodeValue? { dictionary?[key] }

  /// A scalar as it is written in a file; nil for an array, a dictionary and `null`.
  public var scalarText: String? {
    switch content {
    case .text(let text): text
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    default: nil
    }
  }

  /// The kind of value, for messages.
  public var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a truth value"
    case .integer, .real: "a number"
    case .text: "a text"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The value for messages: a scalar itself, otherwise the kind.
  var shown: String { scalarText.map { "\"\($0)\"" } ?? kind }
}

extension NodeValue: CustomStringConvertible, CustomDebugStringConvertible {
  /// The value as JSON; a date is written as its seconds, and data as the number of its bytes.
  public var description: String {
    switch content {
    case .null: "null"
    case .text(let text): text.debugDescription
    case .date(let seconds): "date \(seconds)"
    case .data(let bytes): "\(bytes.count) bytes"
    case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .dictionary(let dictionary): dictionary.description
    case .boolean, .integer, .real: scalarText ?? ""
    }
  }

  /// The same.
  public var debugDescription: String { description }
}

extension NodeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self.init(.text(value)) }
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(.integer(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self.init(.real(value)) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  /// Values in order.
  public init(arrayLiteral elements: NodeValue...) { self.init(.array(elements)) }
  /// Values by name; the last one counts if a name is given twice.
  public init(dictionaryLiteral elements: (String, NodeValue)...) {
    var dictionary = NodeDictionary()
    for (key, value) in elements { dictionary.set(key, to: value) }
    self.init(.dictionary(dictionary))
  }
}

extension StringProtocol {
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
