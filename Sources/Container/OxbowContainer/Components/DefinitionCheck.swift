public import OxbowDocuments

/// A look at a container's definitions: a part of `build()`.
///
/// `@Repository` leaves one in the program's record for the texts of a protocol; see
/// ``RegistryEntry/check(_:)``.
public struct DefinitionCheck: Sendable {
  /// A definition as a check sees it.
  public struct DefinedObject {
    /// The name of the object.
    public let name: String
    /// The type that the definition declares.
    public let type: any Any.Type
    /// Where it is defined.
    public let location: SourceLocation?
    /// What the object needs, and what these need, each once.
    package let reached: () -> [AnyBinding]
  }

  let find: @Sendable ([DefinedObject]) -> [ContainerError.Problem]

  /// Creates a check of all definitions of a container.
  public init(_ find: @escaping @Sendable ([DefinedObject]) -> [ContainerError.Problem]) {
    self.find = find
  }
}
