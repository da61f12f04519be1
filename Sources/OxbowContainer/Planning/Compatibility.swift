/// What a builder lets pass so that old definitions still load.
///
/// Empty by default: everything is checked.
public struct Compatibility: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Definitions whose initializers need each other in a circle are no problem of `build()`.
  ///
  /// Asking for one of them throws the problem; everything else works.
  public static let brokenCircles = Compatibility(rawValue: 1)
}
