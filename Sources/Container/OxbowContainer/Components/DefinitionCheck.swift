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

  private let find: @Sendable ([DefinedObject]) -> [ContainerError.Problem]

  /// Creates a check of all definitions of a container.
  public init(_ find: @escaping @Sendable ([DefinedObject]) -> [ContainerError.Problem]) {
    self.find = find
  }

  /// What is wrong with definitions.
  package func problems(of graph: DependencyGraph) -> [ContainerError.Problem] {
    find(
      graph.nodes.enumerated().map { number, node in
        DefinedObject(
          name: node.shownName, type: node.type, location: node.location,
          reached: { graph.reached(from: number).map { graph.nodes[$0] } })
      })
  }
}
