/// All definitions as bindings, checked and put in order: what is linked.
///
/// Made by the `ContainerCompiler`, and by nobody else.
package struct ContainerPlan {
  /// What the plan was made from.
  package let input: PlanInput
  /// The names of the definitions that are bootstrap objects.
  package let bootstrapNames: Set<String>
  /// What a patch has changed in bindings.
  package let changes: Changes
  /// What was defined, in order, whether it became a binding or not.
  package let definitions: [Definition]
  /// For each definition of the builder the number of its binding; nil where it has none.
  package let numbers: [Int?]
  package let graph: DependencyGraph
  /// The names of the objects that requests by type find, by definition and request.
  package let requests: [String: [String: [String]]]
  /// How types are tested where a request brings no test.
  package let types: TypeIndex
  /// What asking for a binding throws that lies on a circle of initializers.
  package let broken: [Int: ContainerError]
  /// What every object goes through when it is complete, in order.
  package let processors: [any ObjectPostProcessor]
  package let problems: [ContainerError.Problem]
  package let notes: [ContainerError.Note]
}

extension ContainerPlan {
  /// The names of definitions by their other names.
  package var aliases: [String: String] { graph.aliases }

  /// The number of its object for each alias.
  package var aliasNumbers: [(String, Int)] {
    aliases.keys.compactMap { name in graph.number(of: name).map { (name, $0) } }
  }
}

extension ContainerPlan {
  /// What a plan has otherwise than the one that it was made from.
  package struct Changes {
    /// Another binding in place of one.
    package struct Change {
      package let name: String
      /// Whether the new object needs the one whose name it takes.
      package let keepsOriginal: Bool
      /// Makes the binding, of the old one and the name that this has from now on.
      package let make: (AnyBinding, String) -> AnyBinding
    }

    package var bindings: [Change] = []
    package var placeholders: [(key: String, value: String)] = []

    package init() {}

    /// These changes, and then others.
    package func followed(by others: Changes) -> Changes {
      var all = self
      all.bindings += others.bindings
      all.placeholders += others.placeholders
      return all
    }
  }
}
