internal import OxbowDocuments

extension ContainerCompiler {
  mutating func installBootstrapObjects() {
    let bootstrap = BootstrapObjects(input)
    bootstrapNames = bootstrap.names
    input.values = bootstrap.values
    texts = TextValues(input.placeholders, input.values)
    input.objectProcessors = bootstrap.objectProcessors
    input.definitionProcessors = bootstrap.definitionProcessors
    problems += bootstrap.problems
    for name in bootstrapNames { absent[name] = .bootstrap }
    if !bootstrapNames.isEmpty { definitions.removeAll { bootstrapNames.contains($0.name) } }
  }

  mutating func processDefinitions() {
    let groups = input.classes.groups.filter { $0.isNeeded(for: definitions) }
    problems += definitions.process(by: groups + input.definitionProcessors)
  }

  mutating func bind() {
    let others = definitions.compactMap(\.alias)
    var planner = BindingPlanner(
      classes: input.classes, values: input.values, hiddenTexts: preparation.hiddenTexts,
      failed: preparation.failed.union(input.elsewhere), aliases: others,
      count: source.definitions.count)
    planner.plan(preparation.prepared[...])
    planner.planClasses(askedForIn: types, &preparation)
    bindings = planner.bindings
    numbers = planner.numbers
    for name in planner.failed { absent[name] = .faulty }
    for name in preparation.abstract { absent[name] = .abstract }
    problems += preparation.problems + planner.problems
    if !others.isEmpty { followAliases(others, names: planner.names) }
    definitions = inOrder(definitions) + preparation.classesAskedFor
  }

  private mutating func followAliases(_ others: [ObjectAlias], names: Set<String>) {
    let targets = others.targets(among: names, absent: absent)
    aliases = targets.names
    problems += targets.problems
    let indices = Dictionary(
      bindings.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { $1 })
    for definition in definitions {
      guard let number = definition.number, let alias = definition.alias else { continue }
      numbers[number] = aliases[alias.name].flatMap { indices[$0] }
    }
  }

  /// Definitions as the builder has them, bootstrap objects among them, then those that were added.
  private func inOrder(_ own: [Definition]) -> [Definition] {
    if bootstrapNames.isEmpty { return own }
    let all = own + source.definitions.filter { bootstrapNames.contains($0.name) }
    let numbered = all.compactMap { definition in definition.number.map { ($0, definition) } }
    return numbered.sorted { $0.0 < $1.0 }.map(\.1) + all.filter { $0.number == nil }
  }

  mutating func weave() {
    if input.aspects.isEmpty { return }
    var weaver = AspectWeaver(input.aspects, bindings, input.classes, aliases: aliases)
    weaver.weave()
    bindings = weaver.bindings
    problems += weaver.problems
    notes += weaver.notes
    numbers = numbers.map { number in number.flatMap { weaver.replaced.contains($0) ? nil : $0 } }
  }

  mutating func resolveTypes() {
    let resolution = TypeResolution(bindings, index: types)
    requests = resolution.names
    problems += resolution.problems
    notes += resolution.notes
    graph = DependencyGraph(bindings, dependencies: resolution.dependencies, aliases: aliases)
  }

  mutating func check() {
    if input.compatibility.contains(.brokenCircles) {
      let circles = graph.breakCircles()
      broken = circles.errors
      notes += circles.notes
    }
    var checks = GraphChecks(graph, absent: absent)
    checks.run()
    problems += checks.problems
    notes += checks.notes
    checkTexts()
    for check in input.classes.checks { problems += check.problems(of: graph) }
    let faulty = preparation.prepared.filter { absent[$0.name] == .faulty }
    if !faulty.isEmpty { checkReferences(of: faulty.compactMap(\.object)) }
  }

  /// Checks the texts that code injects, before the container is linked with them.
  private mutating func checkTexts() {
    for binding in bindings {
      for text in binding.texts {
        text.check(
          texts, of: binding.shownName, problem: { problems.append($0) },
          note: { notes.append($0) })
      }
    }
  }

  /// Reports the missing references of definitions that became no binding, one for each location
  /// that has none yet.
  ///
  /// The graph has no dependencies of theirs, and a second round only for these would not be "all
  /// problems at once".
  private mutating func checkReferences(of faulty: [ObjectDefinition]) {
    let names = Set(preparation.prepared.map(\.name)).union(absent.keys).union(aliases.keys)
    let visible = names.filter { !HiddenName.isHidden($0) }
    let known = Set(problems.filter { $0.code == .missingReference }.map(\.location))
    var budget = NearNamesBudget()
    var found: [ContainerError.Problem] = []
    var unlisted = 0
    for definition in faulty {
      definition.visit { content, site in
        guard case .reference(let target) = content, target != PlaceholderText.unresolved,
          !names.contains(target), !known.contains(site.location)
        else { return }
        guard found.count < ContainerError.Problem.mostListed else { return unlisted += 1 }
        found.append(
          .missingReference(
            target, in: definition.name, role: site.path.text,
            near: budget.nearNames(to: target, among: visible), count: visible.count
          ).at(site.location))
      }
    }
    problems += found
    if unlisted > 0 {
      problems.append(.unlisted(unlisted, .missingReference, after: problems.last?.location))
    }
  }
}
