/// A method or property of a protocol or class, as a macro describes it for aspects.
public struct ForwardedMethod: Sendable {
  /// How a method may end, which says the aspects that fit it.
  public enum Kind: Sendable {
    /// It may throw any error.
    case throwing
    /// It does not throw.
    case nonThrowing
    /// It is async and may throw any error.
    case async
    /// Aspects cannot run around it: it takes what cannot be stored, or has other effects.
    case closed
  }

  /// The name, of a method with its labels.
  public let name: String
  /// What calls look their aspects up by: unique in a program.
  public let key: Int
  /// How it may end.
  public let kind: Kind

  /// Whether it is read or assigned, and not called.
  var isProperty: Bool { !name.contains("(") }

  /// Describes a method.
  public init(_ name: String, key: Int, _ kind: Kind) {
    self.name = name
    self.key = key
    self.kind = kind
  }
}
