internal import OxbowDocuments

/// All definitions as bindings, checked and put in order: what `build()` links.
package struct ContainerPlan {
  package let graph: DependencyGraph
  /// The strongly connected components, deepest first.
  package let components: [[Int]]
  package private(set) var problems: [ContainerError.Problem]
  package private(set) var notes: [ContainerError.Note]
  /// For each entry the number of its binding; nil where it has none.
  package private(set) var numbers: [Int?]
  /// What every object goes through when it is complete, in order.
  package let processors: [any ObjectPostProcessor]
  /// What was defined, in order, whether it became a binding or not.
  package let entries: [PlanEntry]
  /// The names of the objects for places that ask by type, by definition and request.
  package let requests: [String: [String: [String]]]
  /// How types are tested where a request brings no test.
  package let types: TypeIndex
  /// What asking for a binding throws that lies on a circle of initializers.
  package let broken: [Int: ContainerError]
  private let compatibility: Compatibility
  /// What the plan was made from; nil for a plan of the container's own parts.
  package internal(set) var input: PlanInput?
  /// The names of the definitions that are parts of the container itself.
  package internal(set) var parts: Set<String> = []
  /// What a patch has changed in bindings.
  package internal(set) var changes = PlanChanges()

  /// Makes a plan of definitions that are taken as they are.
  init(_ input: PlanInput, absent: [String: UnavailableReason]) {
    self.init(
      input, input.entries.enumerated().map { PreparedEntry(number: $0, content: $1) },
      parts: [], absent: absent)
  }

  /// Makes a plan of definitions that were processed.
  ///
  /// - Parameters:
  ///   - input: What the builder knows.
  ///   - entries: What its definitions became.
  ///   - parts: The definitions of parts of the container itself.
  ///   - absent: Names that have no object.
  init(
    _ input: PlanInput, _ entries: [PreparedEntry], parts: [PreparedEntry],
    absent: [String: UnavailableReason]
  ) {
    let others = entries.compactMap(\.content.alias)
    var preparation = DefinitionPreparation(
      entries, classes: input.classes, placeholders: input.placeholders)
    preparation.run()
    var drafts = BindingPlanner(
      classes: input.classes, values: input.values,
      failed: preparation.failed.union(input.elsewhere),
      aliases: others)
    drafts.add(preparation.prepared, count: input.entries.count)
    let types = TypeIndex(input.classes)
    preparation.defineWanted(by: &drafts, types)
    var absent = absent
    for name in drafts.failed { absent[name] = .faulty }
    for name in preparation.abstract { absent[name] = .abstract }
    let aliases =
      others.isEmpty ? AliasTable.none : AliasTable(others, names: drafts.names, absent: absent)
    self.init(
      drafts.bindings, numbers: drafts.numbers, aliases: aliases.targets,
      entries: Self.inOrder(entries, parts) + preparation.wanted,
      processors: input.objectProcessors.sorted { $0.order < $1.order },
      types: types, compatibility: input.compatibility, absent: absent)
    if !others.isEmpty { numbers = numbers(with: entries) }
    problems =
      input.problems + preparation.problems + drafts.problems + aliases.problems + problems
    notes = input.notes + notes
    addMissingReferences(of: drafts.failed, in: preparation.prepared, absent: absent)
  }

  /// Entries as the builder has them, then those that were added.
  private static func inOrder(_ own: [PreparedEntry], _ parts: [PreparedEntry]) -> [PlanEntry] {
    if parts.isEmpty { return own.map(\.content) }
    let entries = own + parts
    let numbered = entries.compactMap { entry in entry.number.map { ($0, entry.content) } }
    return numbered.sorted { $0.0 < $1.0 }.map(\.1)
      + entries.filter { $0.number == nil }.map(\.content)
  }

  /// The numbers of bindings by entry, an alias with that of its object.
  private func numbers(with entries: [PreparedEntry]) -> [Int?] {
    var numbers = numbers
    for entry in entries {
      guard let number = entry.number, let alias = entry.content.alias else { continue }
      numbers[number] = graph.number(of: alias.name)
    }
    return numbers
  }

  /// The names that stand for those of definitions.
  package var aliases: [String: String] { graph.aliases }

  /// The number of its object for each alias.
  package var aliasNumbers: [(String, Int)] {
    aliases.keys.compactMap { name in graph.number(of: name).map { (name, $0) } }
  }

  /// Checks bindings in the place of another plan's.
  init(_ nodes: [AnyBinding], numbers: [Int?], like other: ContainerPlan) {
    self.init(
      nodes, numbers: numbers, aliases: other.aliases, entries: other.entries,
      processors: other.processors,
      types: other.types, compatibility: other.compatibility, absent: [:])
    input = other.input
    parts = other.parts
  }

  private init(
    _ nodes: [AnyBinding], numbers: [Int?], aliases: [String: String], entries: [PlanEntry],
    processors: [any ObjectPostProcessor], types: TypeIndex, compatibility: Compatibility,
    absent: [String: UnavailableReason]
  ) {
    let resolution = TypeResolution(nodes, index: types)
    var circles = BrokenCircles(nodes, dependencies: resolution.dependencies, aliases: aliases)
    if compatibility.contains(.brokenCircles) { circles.open() }
    graph = circles.graph
    components = circles.components
    broken = circles.broken
    requests = resolution.names
    self.numbers = numbers
    self.entries = entries
    self.processors = processors
    self.types = types
    self.compatibility = compatibility
    var checks = GraphChecks(graph, components: components, absent: absent)
    checks.run()
    let eager = EagerChecks(nodes)
    problems = resolution.problems + checks.problems + eager.problems
    notes = circles.notes + resolution.notes + checks.notes + eager.notes
  }

  /// Reports the missing references of definitions that became no binding: the graph has no dependencies of
  /// theirs, and a second round only for these would not be "all problems at once".
  private mutating func addMissingReferences(
    of failed: Set<String>, in entries: [PreparedEntry], absent: [String: UnavailableReason]
  ) {
    guard !failed.isEmpty else { return }
    let names = Set(entries.map(\.content.name)).union(absent.keys).union(aliases.keys)
    let visible = names.filter { !HiddenName.isHidden($0) }
    let known = Set(problems.filter { $0.code == .missingReference }.map(\.location))
    let missing = entries.compactMap(\.content.definition).filter { failed.contains($0.name) }
      .flatMap { definition in definition.placedReferences.map { (definition.name, $0) } }
      .filter { !names.contains($1.target) && !known.contains($1.location) }
      .filter { $1.target != PlaceholderText.unresolved }
    var budget = NearNamesBudget()
    for (owner, reference) in missing.prefix(ContainerError.Problem.mostListed) {
      problems.append(
        .missingReference(
          reference.target, in: owner, role: reference.role, at: reference.location,
          near: budget.nearNames(to: reference.target, among: visible), count: visible.count))
    }
    let unlisted = missing.count - ContainerError.Problem.mostListed
    if unlisted > 0 {
      problems.append(.unlisted(unlisted, .missingReference, after: problems.last?.location))
    }
  }
}
