internal import OxbowDocuments

/// A colour; its parts are between 0 and 1.
public struct NodeColor: Hashable, Sendable {
  /// How red it is.
  public var red: Double
  /// How green it is.
  public var green: Double
  /// How blue it is.
  public var blue: Double
  /// How opaque it is.
  public var alpha: Double

  /// Creates a colour from parts between 0 and 1.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// No colour.
  public static let clear = NodeColor(red: 0, green: 0, blue: 0, alpha: 0)
}

extension NodeColor: NodeConvertible {
  /// What is accepted.
  public static var expected: String {
    "a colour: {red, green, blue[, alpha]} of 0 to 255, 0xRRGGBB[, alpha], clear, or a dictionary"
  }

  /// Converts a value to a colour.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodeColor {
    if let dictionary = value.dictionary { return try color(of: dictionary, value, context) }
    guard let text = value.text?.trimmed else { throw context.mismatch(value, expected) }
    if ["clear", "clearcolor"].contains(text.lowercased()) { return .clear }
    if context.compatibility.contains(.wordsBySubstring), text.lowercased().contains("clear") {
      return .clear
    }
    if text.hasPrefix("0x") || text.hasPrefix("0X") { return try hexadecimal(text, value, context) }
    guard text.contains(",") else { throw context.mismatch(value, expected) }
    let tuple = try TupleText(text, counts: [3, 4], at: value.location)
    var parts: [Double] = []
    for index in tuple.components.indices {
      parts.append(try tuple.number(index, context.symbols, along: nil))
    }
    return try color(parts, value)
  }

  private static func hexadecimal(
    _ text: String, _ value: NodeValue, _ context: NodeValueContext
  ) throws(NodeError) -> NodeColor {
    let parts = text.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false)
    let digits = parts.first?.trimmed ?? ""
    guard digits.count == 6, digits.allSatisfy(\.isHexDigit), parts.count <= 2,
      let number = Int(digits, radix: 16)
    else { throw context.mismatch(value, expected) }
    var channels = [16, 8, 0].map { Double(number >> $0 & 0xFF) }
    if parts.count == 2 {
      channels.append(
        try NumericExpression.value(
          of: parts[1], in: text, symbols: context.symbols, along: nil, at: value.location))
    }
    return try color(channels, value)
  }

  private static func color(
    of dictionary: NodeDictionary, _ value: NodeValue, _ context: NodeValueContext
  ) throws(NodeError) -> NodeColor {
    let names = ["red", "green", "blue", "alpha"]
    if let other = dictionary.entries.first(where: { !names.contains($0.key) }) {
      throw NodeError(
        .invalidValue, "a colour has no part \"\(other.key)\"", at: other.location,
        nearNames: nearNames(to: other.key, among: names))
    }
    var parts: [Double] = []
    for name in names {
      guard let part = dictionary[name] else {
        if name == "alpha" { break }
        throw NodeError(.invalidValue, "the colour has no part \"\(name)\"", at: value.location)
      }
      parts.append(try Double.convert(part, in: context))
    }
    return try color(parts, value)
  }

  /// A colour with channels up to 255; an alpha above 1 is also out of 255.
  private static func color(_ parts: [Double], _ value: NodeValue) throws(NodeError) -> NodeColor {
    for part in parts where !(0...255).contains(part) {
      throw NodeError(
        .invalidValue, "\(part) is out of range; the parts of a colour are between 0 and 255",
        at: value.location)
    }
    let alpha = parts.count > 3 ? parts[3] : 1
    return NodeColor(
      red: parts[0] / 255, green: parts[1] / 255, blue: parts[2] / 255,
      alpha: alpha > 1 ? alpha / 255 : alpha)
  }
}
