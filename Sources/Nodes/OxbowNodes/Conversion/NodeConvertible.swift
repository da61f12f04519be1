/// A type to which values of node files are converted: that of an attribute or of a function's
/// argument.
public protocol NodeConvertible: SendableMetatype {
  /// What is accepted, for messages.
  static var expected: String { get }

  /// Converts a value of a node file.
  ///
  /// - Throws: ``NodeError``, with the location of the value.
  static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> Self
}

/// The context that decides what a value means.
public struct NodeValueContext {
  /// The values of names in expressions.
  public var symbols: any NodeSymbols
  /// What is accepted so that old files load.
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
      .invalidValue, "\(value.shown) is not accepted here; expected: \(expected)",
      at: value.location)
  }
}

/// What is accepted so that files of SnowCat load.
public struct NodeCompatibility: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A word of an enumeration may be part of a longer text; the first in the order of the
  /// declaration is taken.
  public static let wordsBySubstring = NodeCompatibility(rawValue: 1)
  /// Unknown attributes and arguments are notes and not errors.
  public static let unknownAttributes = NodeCompatibility(rawValue: 2)
}
