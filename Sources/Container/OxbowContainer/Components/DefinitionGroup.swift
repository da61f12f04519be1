/// A class name whose definition in a file is several definitions, made before any other is
/// changed.
package struct DefinitionGroup: Sendable {
  package let className: String
  package let parts: @Sendable (ObjectDefinition) -> [ObjectDefinition]

  /// Creates a group; one of the parts has the name of the whole.
  package init(
    _ className: String, parts: @escaping @Sendable (ObjectDefinition) -> [ObjectDefinition]
  ) {
    (self.className, self.parts) = (className, parts)
  }
}
