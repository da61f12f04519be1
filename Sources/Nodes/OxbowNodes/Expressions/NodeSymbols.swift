/// The direction in which a component of a tuple is measured.
public enum NodeAxis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical
}

/// The values of names in expressions.
public protocol NodeSymbols {
  /// Returns the value of a name (`center`, `parent.width`) along an axis, which is nil for a
  /// number that is not part of a tuple; nil if it does not have one.
  ///
  /// - Throws: Why a known name has no number.
  func value(of name: String, along axis: NodeAxis?) throws -> Double?

  /// The names that have values, for messages.
  func names(along axis: NodeAxis?) -> [String]
}

/// No names: expressions consist of numbers only.
public struct NoSymbols: NodeSymbols, Sendable {
  /// Creates no names.
  public init() {}
  /// Nil.
  public func value(of name: String, along axis: NodeAxis?) -> Double? { nil }
  /// None.
  public func names(along axis: NodeAxis?) -> [String] { [] }
}
