/// Makes a container of definitions, in seven phases, each of which takes what the one before
/// gives.
///
/// The phases begin in `run` and `link`, and nowhere else; what each does is in
/// `ContainerCompiler+Phases.swift` and in the type that is named with it.
///
/// 1. **Bootstrap** (`BootstrapObjects`): the definitions of converters (text to value) and of
///    post-processors of both kinds are compiled for themselves, phases 3 to 7, and the objects are
///    made before any other. They can refer to each other and to values.
/// 2. **Post-process** (each `DefinitionGroup` and `DefinitionPostProcessor`): definitions that
///    files brought (`ObjectDefinition`) are changed, added and removed.
/// 3. **Prepare** (`DefinitionPreparation`): each `ObjectDefinition` is made whole, in this order:
///    what its parent definitions say; placeholders in the names of class, scope and factory; what
///    `@Component` noted at its class; placeholders in texts; definitions nested in it become ones
///    of their own, under hidden names. *Problems*: parents, placeholders, annotations.
/// 4. **Bind** (`BindingPlanner`, one `BindingContext` for each definition): a definition becomes a
///    binding (`AnyBinding`). Scope and class are found by their names, an initializer of the class
///    is chosen, and each `InjectedContent` becomes an `InjectionValue` whose type is checked where
///    it is known. What code defines is a binding already. Second names (aliases) are followed.
///    *Problems*: unknown classes, scopes, initializers and properties, texts that no value is.
///    Then **weave** (`AspectWeaver`): proxies take the names of the objects whose methods have
///    aspects.
///    *Problems*: objects that are not aspects, or that do not fit a method.
/// 5. **Resolve types** (`TypeResolution`): a request for a type (`TypeRequest`) gets the names of
///    the bindings that fit, and the `DependencyGraph` is drawn. *Problems*: none fits, or several.
/// 6. **Check** (`GraphChecks`): the graph as a whole. *Problems*: names that nothing defines, an
///    object of another type than a reference says, a shared object that needs one of a thread or
///    one that is not Sendable, circles of initializers (circles through properties and deferred
///    dependencies are allowed), chains too long for a stack.
/// 7. **Link** (`Engine`): each binding becomes a provider, made by its scope, over a construction,
///    which has the providers of what it needs. Eager objects are made.
///
/// No phase from 1 to 6 stops the next: each leaves out what an earlier one found faulty, and adds
/// its problems to one list. So the error of `build()` has the problems of all six, and phase 7
/// runs only when there are none. What eager objects throw is thrown as it is.
struct ContainerCompiler {
  /// What the builder was given.
  let source: PlanInput
  /// The same, with bootstrap objects installed.
  var input: PlanInput
  var bootstrapNames: Set<String> = []
  var definitions: [Definition]
  var preparation: DefinitionPreparation
  var bindings: [AnyBinding] = []
  /// For each definition of the builder the number of its binding; nil where it has none.
  var numbers: [Int?] = []
  /// The names of bindings by their other names.
  var aliases: [String: String] = [:]
  /// Names that have no object, each with the reason.
  var absent: [String: GraphChecks.UnavailableReason] = [:]
  /// Which classes have which types.
  let types: TypeIndex
  /// What texts in code mean.
  var texts: TextValues
  var graph = DependencyGraph([], dependencies: [])
  /// The names of the objects that requests by type find, by definition and request.
  var requests: [String: [String: [String]]] = [:]
  /// Where circles of initializers are allowed: what asking for a binding on one throws.
  var broken: [Int: ContainerError] = [:]
  var problems: [ContainerError.Problem] = []
  var notes: [ContainerError.Note] = []

  private init(_ input: PlanInput) {
    source = input
    self.input = input
    definitions = input.definitions
    preparation = DefinitionPreparation(input)
    types = TypeIndex(input.classes)
    texts = TextValues(input.placeholders, input.values)
  }

  /// Where a compilation starts.
  private enum Start {
    case withEverything, withDefinitions, withBindings
  }

  private mutating func run(
    from start: Start, changes: ContainerPlan.Changes = ContainerPlan.Changes()
  ) -> ContainerPlan {
    if start == .withEverything { installBootstrapObjects() }
    if start == .withEverything { processDefinitions() }
    if start != .withBindings { preparation.prepare(definitions) }
    if start != .withBindings { bind() }
    if start != .withBindings { weave() }
    resolveTypes()
    check()
    return ContainerPlan(
      input: source, bootstrapNames: bootstrapNames, changes: changes, definitions: definitions,
      numbers: numbers, graph: graph, texts: texts, requests: requests, types: types,
      broken: broken,
      processors: input.objectProcessors.sorted { $0.order < $1.order },
      problems: problems.joinedByReason(),
      notes: notes)
  }

  /// The last phase; `task` is what the error says could not be done.
  ///
  /// - Throws: ``ContainerError`` with the problems of the plan; what eager objects throw.
  static func link(
    _ plan: ContainerPlan, builder: UInt64, task: String = "build the container"
  ) throws -> Container {
    guard plan.problems.isEmpty else { throw ContainerError(task, plan.problems) }
    return try Container(plan: plan, builder: builder)
  }

  // MARK: - Starts

  /// A plan of everything that a builder knows.
  static func plan(_ input: PlanInput) -> ContainerPlan {
    var compiler = ContainerCompiler(input)
    compiler.problems = input.problems
    compiler.notes = input.notes
    return compiler.run(from: .withEverything)
  }

  /// A plan of bootstrap objects, which cannot refer to others: these do not exist yet.
  static func plan(_ bootstrap: PlanInput, before others: [String]) -> ContainerPlan {
    var compiler = ContainerCompiler(bootstrap)
    for name in others { compiler.absent[name] = .later }
    return compiler.run(from: .withDefinitions)
  }

  /// A plan like another one, which had no problems, with other bindings.
  static func plan(
    like plan: ContainerPlan, with bindings: [AnyBinding], numbers: [Int?],
    _ changes: ContainerPlan.Changes
  ) -> ContainerPlan {
    var compiler = ContainerCompiler(plan.input)
    compiler.input.objectProcessors = plan.processors
    compiler.bootstrapNames = plan.bootstrapNames
    compiler.definitions = plan.definitions
    compiler.bindings = bindings
    compiler.numbers = numbers
    compiler.aliases = plan.aliases
    compiler.texts = plan.texts
    return compiler.run(from: .withBindings, changes: changes)
  }
}
