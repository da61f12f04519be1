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

extension DefinitionGroup: DefinitionPostProcessor {
  package var order: Int { .min }

  package func process(_ definitions: inout [ObjectDefinition]) {
    definitions = definitions.flatMap { $0.className == className ? parts($0) : [$0] }
  }

  /// Whether one of the definitions is of the group.
  func isNeeded(for definitions: [Definition]) -> Bool {
    definitions.contains { definition in
      if case .object(let object) = definition.content {
        object.className == className
      } else {
        false
      }
    }
  }
}
