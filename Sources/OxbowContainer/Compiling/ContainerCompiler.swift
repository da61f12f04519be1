/// Makes a container of definitions, in seven phases.
///
/// No other file starts a phase.
///
/// 1. **Bootstrap objects** (`BootstrapObjects`): converters and post-processors that are
///    themselves defined are made and installed. Their definitions go through phases 3 to 7 on
///    their own.
/// 2. **Post-process** (`DefinitionPostProcessor`): these change, add and remove definitions from
///    files.
/// 3. **Prepare** (`DefinitionPreparation`): a definition takes over what its parents and the
///    annotations of its class say; placeholders are replaced; a definition in place becomes one of
///    its own.
/// 4. **Plan** (`BindingPlanner`): a definition becomes a binding. Its scope and its class are
///    found by their names, its initializer is chosen, and each injection point gets a value whose
///    type is checked. What code defines is a binding already. Aliases are followed.
/// 5. **Resolve types** (`TypeResolution`): requests by type find their objects.
/// 6. **Check** (`GraphChecks`): references, types, sharing between threads, circles, long chains.
/// 7. **Link** (`Container`): a binding becomes a provider, made by its scope, and a construction,
///    which has the providers of what it needs. Eager objects are built.
///
/// Phases 1 to 6 collect problems: each runs to its end, and leaves out what an earlier one found
/// faulty. So the error of `build()` has the problems of all six. Phase 7 runs only when there are
/// none.
struct ContainerCompiler {
  /// What the builder knows, and the same with bootstrap objects installed.
  let source: PlanInput
  var input: PlanInput
  var bootstrapNames: Set<String> = []
  var definitions: [Definition]
  var preparation: DefinitionPreparation
  var bindings: [AnyBinding] = []
  var numbers: [Int?] = []
  var aliases: [String: String] = [:]
  /// Names that have no object, each with the reason.
  var absent: [String: GraphChecks.UnavailableReason] = [:]
  let types: TypeIndex
  var graph = DependencyGraph([], dependencies: [])
  var requests: [String: [String: [String]]] = [:]
  var broken: [Int: ContainerError] = [:]
  var problems: [ContainerError.Problem] = []
  var notes: [ContainerError.Note] = []

  private init(_ input: PlanInput) {
    source = input
    self.input = input
    definitions = input.definitions
    preparation = DefinitionPreparation(input)
    types = TypeIndex(input.classes)
  }

  /// Where a compilation starts.
  private enum Start {
    case withEverything, withDefinitions, withBindings
  }

  private mutating func run(
    from start: Start, changes: ContainerPlan.Changes = ContainerPlan.Changes()
  ) -> ContainerPlan {
    if start == .withEverything { installBootstrapObjects() }
    if start == .withEverything { problems += definitions.process(by: input.definitionProcessors) }
    if start != .withBindings { preparation.prepare(definitions) }
    if start != .withBindings { planBindings() }
    resolveTypes()
    check()
    return ContainerPlan(
      input: source, bootstrapNames: bootstrapNames, changes: changes, definitions: definitions,
      numbers: numbers, graph: graph, requests: requests, types: types, broken: broken,
      processors: input.objectProcessors.sorted { $0.order < $1.order }, problems: problems,
      notes: notes)
  }

  /// The last phase.
  ///
  /// - Throws: The problems of the plan, as those of a task; what eager objects throw.
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

  /// A plan like another one, with other bindings.
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
    return compiler.run(from: .withBindings, changes: changes)
  }
}
