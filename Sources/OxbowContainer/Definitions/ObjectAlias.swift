public import OxbowDocuments

/// Another name of an object.
///
/// One object has both names: it is built once, and disposed of once. What refers to either gets it.
public struct ObjectAlias: Sendable {
  /// The other name, unique in its container.
  public var name: String
  /// The name of the object, or another alias.
  public var target: String
  /// Where the alias stands.
  public var location: SourceLocation?

  /// Creates another name.
  public init(_ name: String, of target: String, at location: SourceLocation? = nil) {
    self.name = name
    self.target = target
    self.location = location
  }
}
