public import OxbowDocuments

/// A look at a container's definitions that a program's record brings: a part of `build()`.
///
/// `@Repository` leaves one for the texts of a protocol; see ``RegistryEntry/check(_:)``.
public struct DefinitionCheck: Sendable {
  /// A definition as a check sees it.
  public struct DefinedObject {
    /// The name of the object.
    public let name: String
    /// The type that the definition declares.
    public let type: any Any.Type
    /// Where it is defined.
    public let location: SourceLocation?
  }

  private let find: @Sendable ([DefinedObject]) -> [ContainerError.Problem]

  /// Creates a check of all definitions of a container.
  public init(_ find: @escaping @Sendable ([DefinedObject]) -> [ContainerError.Problem]) {
    self.find = find
  }

  /// What is wrong with definitions.
  package func problems(of bindings: [AnyBinding]) -> [ContainerError.Problem] {
    find(
      bindings.map { DefinedObject(name: $0.shownName, type: $0.type, location: $0.location) })
  }
}
