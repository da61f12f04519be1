internal import OxbowDocuments
internal import OxbowPlatform

/// What a builder knows when it makes a plan.
struct PlanInput: Unreflected {
  /// The definitions, each with its index as number.
  var definitions: [Definition]
  var classes = ClassRegistry(entries: [])
  var values = ValueConverters()
  var placeholders = Placeholders()
  var objectProcessors: [any ObjectPostProcessor] = []
  var definitionProcessors: [any DefinitionPostProcessor] = []
  var compatibility: Compatibility = []
  var aspects: [AspectBinding] = []
  var injections: [@Sendable () -> ContainerInjection] = []
  var problems: [ContainerError.Problem] = []
  var notes: [ContainerError.Note] = []
  /// Names that somebody else defines: nothing is known of their objects.
  var elsewhere: Set<String> = []
}

/// What a builder lets pass so that old definitions still load.
///
/// Empty by default: everything is checked.
public struct Compatibility: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Definitions whose initializers need each other in a circle are not a problem of `build()`.
  ///
  /// Asking for one of them throws the problem; everything else works.
  public static let brokenCircles = Compatibility(rawValue: 1)

  /// Aspects of files that are loaded from now on are noted, and not applied.
  public static let idleAspects = Compatibility(rawValue: 2)
}

/// One definition of a container, with its number in the builder.
struct Definition {
  /// What is defined.
  ///
  /// Indirect, because an `ObjectDefinition` has many parts: every phase hands definitions on, and
  /// copies a reference (`docs/performance.md`, K/xml).
  enum Content {
    /// An object whose class is named by text.
    indirect case object(ObjectDefinition)
    /// An object that Swift defines.
    case binding(AnyBinding)
    /// Another name of an object.
    indirect case alias(ObjectAlias)
  }

  /// The number among those of the builder; nil for what was added since.
  let number: Int?
  let content: Content

  init(_ content: Content, number: Int? = nil) {
    self.content = content
    self.number = number
  }

  var name: String {
    switch content {
    case .object(let object): object.name
    case .binding(let binding): binding.name
    case .alias(let alias): alias.name
    }
  }

  /// Where the definition is written.
  var location: SourceLocation? {
    switch content {
    case .object(let object): object.location
    case .binding(let binding): binding.location
    case .alias(let alias): alias.location
    }
  }

  /// What is said of the object, where its class is named by text.
  var object: ObjectDefinition? {
    if case .object(let object) = content { return object }
    return nil
  }

  /// The alias, where the definition is one.
  var alias: ObjectAlias? {
    if case .alias(let alias) = content { return alias }
    return nil
  }
}

/// All definitions as bindings, checked and put in order: what is linked.
///
/// Made by the `ContainerCompiler` alone.
struct ContainerPlan: Unreflected {
  /// What the plan was made from.
  let input: PlanInput
  /// The names of the definitions that are bootstrap objects.
  let bootstrapNames: Set<String>
  /// What a patch has changed in bindings.
  let changes: Changes
  /// What was defined, in order, whether it became a binding or not.
  let definitions: [Definition]
  /// For each definition of the builder the number of its binding; nil where it has none.
  let numbers: [Int?]
  let graph: DependencyGraph
  /// What texts in code mean.
  let texts: TextValues
  /// The names of the objects that requests by type find, by definition and request.
  let requests: [String: [String: [String]]]
  /// How types are tested where a request brings no test.
  let types: TypeIndex
  /// What asking for a binding throws that is on a circle of initializers.
  let broken: [Int: ContainerError]
  /// What every object goes through when it is complete, in order.
  let processors: [any ObjectPostProcessor]
  let problems: [ContainerError.Problem]
  let notes: [ContainerError.Note]
}

extension ContainerPlan {
  /// The names of definitions by their other names.
  var aliases: [String: String] { graph.aliases }

  /// The number of its object for each alias.
  var aliasNumbers: [(String, Int)] {
    aliases.keys.compactMap { name in graph.number(of: name).map { (name, $0) } }
  }
}

extension ContainerPlan {
  /// What a plan has otherwise than the one that it was made from.
  struct Changes: Unreflected {
    /// Another binding in place of one.
    struct Change {
      let name: String
      /// Whether the new object needs the one whose name it takes.
      let keepsOriginal: Bool
      /// Makes the binding, of the old one and the name that this has from now on.
      let make: (AnyBinding, String) -> AnyBinding
    }

    var bindings: [Change] = []
    var placeholders: [(key: String, value: String)] = []

    /// These changes, and then others.
    func followed(by others: Changes) -> Changes {
      var all = self
      all.bindings += others.bindings
      all.placeholders += others.placeholders
      return all
    }
  }
}
