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
