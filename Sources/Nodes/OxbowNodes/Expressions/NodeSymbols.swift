/// The direction that a component of a tuple is measured in.
public enum NodeAxis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical
}

/// What names in expressions stand for.
public protocol NodeSymbols {
  /// The number that a name stands for; nil where it stands for none.
  ///
  /// - Parameters:
  ///   - name: The name: `center`, `parent.width`.
  ///   - axis: The direction that is measured in; nil for a number that is not part of a tuple.
  /// - Returns: The number.
  /// - Throws: Why a known name has no number.
  func value(of name: String, along axis: NodeAxis?) throws -> Double?

  /// The names that stand for something, for messages.
  func names(along axis: NodeAxis?) -> [String]
}

/// No names: expressions are of numbers alone.
public struct NoSymbols: NodeSymbols, Sendable {
  /// Creates no names.
  public init() {}
  /// Nil.
  public func value(of name: String, along axis: NodeAxis?) -> Double? { nil }
  /// None.
  public func names(along axis: NodeAxis?) -> [String] { [] }
}
