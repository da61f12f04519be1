package import OxbowDocuments
internal import OxbowPlatform

/// What a builder knows when it makes a plan.
package struct PlanInput: Unreflected {
  /// The definitions, each with its index as number.
  package var definitions: [Definition]
  package var classes = ClassRegistry(entries: [])
  package var values = ValueConverters()
  package var placeholders = Placeholders()
  package var objectProcessors: [any ObjectPostProcessor] = []
  package var definitionProcessors: [any DefinitionPostProcessor] = []
  package var compatibility: Compatibility = []
  package var aspects: [AspectBinding] = []
  package var injections: [@Sendable () -> GraphLinker.ContainerInjection] = []
  package var problems: [ContainerError.Problem] = []
  package var notes: [ContainerError.Note] = []
  /// Names that somebody else defines: nothing is known of their objects.
  package var elsewhere: Set<String> = []

  package init(definitions: [Definition]) { self.definitions = definitions }
}

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

  /// Aspects of files that are loaded from now on are noted, and not applied.
  public static let idleAspects = Compatibility(rawValue: 2)
}

/// One definition of a container, with its number in the builder.
package struct Definition {
  /// What is defined.
  ///
  /// Indirect, because an `ObjectDefinition` has many parts: every phase hands definitions on, and
  /// copies a reference (`docs/performance.md`, K/xml).
  package enum Content {
    /// An object whose class is named by text.
    indirect case object(ObjectDefinition)
    /// An object that Swift defines.
    case binding(AnyBinding)
    /// Another name of an object.
    indirect case alias(ObjectAlias)
  }

  /// The number among those of the builder; nil for what was added since.
  package let number: Int?
  package let content: Content

  package init(_ content: Content, number: Int? = nil) {
    self.content = content
    self.number = number
  }

  package var name: String {
    switch content {
    case .object(let object): object.name
    case .binding(let binding): binding.name
    case .alias(let alias): alias.name
    }
  }

  /// Where the definition is written.
  package var location: SourceLocation? {
    switch content {
    case .object(let object): object.location
    case .binding(let binding): binding.location
    case .alias(let alias): alias.location
    }
  }

  /// What is said of the object, where its class is named by text.
  package var object: ObjectDefinition? {
    if case .object(let object) = content { return object }
    return nil
  }

  /// The alias, where the definition is one.
  package var alias: ObjectAlias? {
    if case .alias(let alias) = content { return alias }
    return nil
  }
}

/// All definitions as bindings, checked and put in order: what is linked.
///
/// Made by the `ContainerCompiler`, and by nobody else.
package struct ContainerPlan: Unreflected {
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
  /// What texts in code stand for.
  package let texts: TextValues
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
  package struct Changes: Unreflected {
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
