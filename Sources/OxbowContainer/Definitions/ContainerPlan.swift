internal import OxbowDocuments

/// All definitions as blueprints, checked and put in order: what `build()` links.
package struct ContainerPlan {
  package let graph: DependencyGraph
  /// The strongly connected components, deepest first.
  package let components: [[Int]]
  package private(set) var problems: [ContainerError.Problem]
  package private(set) var notes: [ContainerError.Note]
  /// For each entry the number of its blueprint; nil where it has none.
  package let numbers: [Int?]
  /// What every object goes through when it is complete, in order.
  package let processors: [any ObjectPostProcessor]
  /// What was defined, in order, whether it became a blueprint or not.
  package let entries: [ContainerBuilder.Entry]

  package init(
    entries: [ContainerBuilder.Entry], classes: ClassRegistry, values: ValueConverters,
    problems: [ContainerError.Problem], notes: [ContainerError.Note],
    processors: [any ObjectPostProcessor] = []
  ) {
    var drafts = BlueprintDrafts(classes: classes, values: values)
    drafts.add(entries)
    graph = DependencyGraph(drafts.blueprints)
    components = graph.components()
    numbers = drafts.numbers
    self.processors = processors.sorted { $0.order < $1.order }
    self.entries = entries
    var checks = GraphChecks(graph, components: components, undefined: drafts.failed)
    checks.run()
    self.problems = problems + drafts.problems + checks.problems
    self.notes = notes + checks.notes
    addMissingReferences(of: drafts.failed, in: entries)
  }

  /// Checks blueprints in the place of another plan's.
  init(_ nodes: [AnyBlueprint], numbers: [Int?], like other: ContainerPlan) {
    graph = DependencyGraph(nodes)
    components = graph.components()
    self.numbers = numbers
    processors = other.processors
    entries = other.entries
    var checks = GraphChecks(graph, components: components)
    checks.run()
    problems = checks.problems
    notes = checks.notes
  }

  /// Reports the missing references of definitions that became no blueprint: the graph has no edges of
  /// theirs, and a second round only for these would not be "all problems at once".
  private mutating func addMissingReferences(
    of failed: Set<String>, in entries: [ContainerBuilder.Entry]
  ) {
    let names = Set(entries.map(\.name))
    for case .definition(let definition) in entries where failed.contains(definition.name) {
      for property in definition.properties + (definition.product?.properties ?? []) {
        guard let target = property.referencedObject, !names.contains(target) else { continue }
        let problem = ContainerError.Problem.missingReference(
          target, in: definition.name, role: "property \"\(property.name)\"", at: property.location,
          near: nearNames(to: target, among: names), count: names.count)
        let isKnown = problems.contains {
          $0.code == problem.code && $0.location == problem.location
        }
        if !isKnown { problems.append(problem) }
      }
    }
  }
}

extension ContainerBuilder.Entry {
  package var name: String {
    switch self {
    case .blueprint(let blueprint): blueprint.name
    case .definition(let definition): definition.name
    }
  }

  /// The definition, where its class is named by text.
  package var definition: ObjectDefinition? {
    if case .definition(let definition) = self { return definition }
    return nil
  }
}

/// Turns entries into blueprints: first those that stand for themselves, then the proxies of others.
private struct BlueprintDrafts {
  let classes: ClassRegistry
  let values: ValueConverters
  private(set) var blueprints: [AnyBlueprint] = []
  private(set) var numbers: [Int?] = []
  private(set) var problems: [ContainerError.Problem] = []
  /// The names of definitions whose problems are reported already.
  private(set) var failed: Set<String> = []
  private var byName: [String: AnyBlueprint] = [:]

  /// A definition that becomes a blueprint when the type of another one is known.
  private struct Waiting {
    let entry: Int
    let definition: ObjectDefinition
    let expansion: any DefinitionExpansion
  }

  init(classes: ClassRegistry, values: ValueConverters) {
    self.classes = classes
    self.values = values
  }

  mutating func add(_ entries: [ContainerBuilder.Entry]) {
    var waiting: [Waiting] =
      []
    for (number, entry) in entries.enumerated() {
      numbers.append(nil)
      switch entry {
      case .blueprint(let blueprint): add(blueprint, for: number)
      case .definition(let definition):
        if let expansion = expansion(of: definition) {
          waiting.append(Waiting(entry: number, definition: definition, expansion: expansion))
        } else {
          add(draft(definition), named: definition.name, for: number)
        }
      }
    }
    expand(&waiting)
  }

  private func expansion(of definition: ObjectDefinition) -> (any DefinitionExpansion)? {
    guard let name = definition.className, !classes.knows(name) else { return nil }
    return Self.expansions.first { $0.className == name }
  }

  private static var expansions: [any DefinitionExpansion] {
    [LazyProxyExpansion(), ThreadLocalProxyExpansion(), TaskLocalProxyExpansion()]
  }

  /// Expands definitions that depend on the types of others, until no more can be.
  private mutating func expand(
    _ waiting:
      inout [Waiting]
  ) {
    let names = Set(waiting.map(\.definition.name))
    while !waiting.isEmpty {
      var rest: [Waiting] =
        []
      let before = waiting.count
      for item in waiting {
        let target = item.expansion.target(of: item.definition)
        if let target, names.contains(target), byName[target] == nil, !failed.contains(target) {
          rest.append(item)
          continue
        }
        expand(item.definition, item.expansion, for: item.entry)
      }
      if rest.count == before {
        reportCircle(rest)
        rest = []
      }
      waiting = rest
    }
  }

  private mutating func reportCircle(_ proxies: [Waiting]) {
    for proxy in proxies {
      fail(proxy.definition.name)
      problems.append(
        .cyclicProxies(
          proxy.definition.name, of: proxy.expansion.target(of: proxy.definition) ?? "",
          at: proxy.definition.location))
    }
  }

  private mutating func expand(
    _ definition: ObjectDefinition, _ expansion: any DefinitionExpansion, for entry: Int
  ) {
    guard let scope = scope(of: definition) else { return fail(definition.name) }
    let context = ExpansionContext(
      definition, scope: scope, classes: classes, blueprints: byName, failed: failed)
    let blueprint = expansion.blueprint(in: context)
    problems += context.problems
    add(blueprint, named: definition.name, for: entry)
  }

  private mutating func draft(_ definition: ObjectDefinition) -> AnyBlueprint? {
    checkRepeats(definition)
    guard let scope = scope(of: definition) else { return nil }
    guard
      let component = classes.component(
        named: definition.className ?? "", of: definition.name, at: definition.classLocation,
        report: { problems.append($0) })
    else { return nil }
    if definition.isLazy { return lazyDraft(definition, scope: scope, component) }
    return draft(definition, named: definition.name, scope: scope, component)
  }

  /// A lazy definition is two: the hidden object, and its proxy under the definition's name.
  private mutating func lazyDraft(
    _ definition: ObjectDefinition, scope: any Scope, _ component: ComponentDescriptor
  ) -> AnyBlueprint? {
    let name = AnyBlueprint.hiddenName(definition.name)
    guard let target = draft(definition, named: name, scope: PrototypeScope(), component) else {
      return nil
    }
    let context = ExpansionContext(
      definition, scope: scope, classes: classes, blueprints: byName, failed: failed)
    let proxy = context.proxy(for: target.type, named: nil)
    problems += context.problems
    guard let proxy else { return nil }
    append(target)
    return proxy.body.lazyBlueprint(
      definition.name, of: name, scope: scope, at: definition.location)
  }

  private mutating func draft(
    _ definition: ObjectDefinition, named name: String, scope: any Scope,
    _ component: ComponentDescriptor
  ) -> AnyBlueprint? {
    let context = BlueprintContext(
      definition, named: name, scope: scope, classes: classes, values: values)
    let blueprint = component.body.blueprint(in: context)
    problems += context.problems
    return context.problems.isEmpty ? blueprint : nil
  }

  private mutating func scope(of definition: ObjectDefinition) -> (any Scope)? {
    if let scope = Scopes.named(definition.scope) { return scope }
    problems.append(
      .unknownScope(
        definition.scope, of: definition.name, at: definition.location, known: Scopes.names,
        near: Scopes.near(definition.scope)))
    return nil
  }

  private mutating func checkRepeats(_ definition: ObjectDefinition) {
    let properties = definition.properties
    guard properties.count > 16 else {
      // So few that comparing each with each costs less than a set.
      for (number, property) in properties.enumerated()
      where properties[..<number].contains(where: { $0.name == property.name }) {
        report(repeated: property, of: definition)
      }
      return
    }
    var seen: Set<String> = []
    for property in properties where !seen.insert(property.name).inserted {
      report(repeated: property, of: definition)
    }
  }

  private mutating func report(
    repeated property: PropertyAssignment, of definition: ObjectDefinition
  ) {
    problems.append(.repeatedProperty(property.name, of: definition.name, at: property.location))
  }

  // MARK: - Results

  private mutating func add(_ blueprint: AnyBlueprint?, named name: String, for entry: Int) {
    guard let blueprint else { return fail(name) }
    add(blueprint, for: entry)
  }

  private mutating func add(_ blueprint: AnyBlueprint, for entry: Int) {
    numbers[entry] = blueprints.count
    append(blueprint)
  }

  private mutating func append(_ blueprint: AnyBlueprint) {
    blueprints.append(blueprint)
    byName[blueprint.name] = blueprint
  }

  private mutating func fail(_ name: String) { failed.insert(name) }
}
