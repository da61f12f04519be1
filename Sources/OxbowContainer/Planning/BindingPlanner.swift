internal import OxbowDocuments

/// Turns definitions into bindings: first those that stand for themselves, then those whose type
/// follows from another one's.
struct BindingPlanner {
  private let tools: PlanningTools
  private(set) var bindings: [AnyBinding] = []
  /// For each entry the number of its binding; nil where it has none.
  private(set) var numbers: [Int?] = []
  private(set) var problems: [ContainerError.Problem] = []
  /// The names of definitions whose problems are reported already.
  private(set) var failed: Set<String>
  /// The bindings by name, as far as somebody has asked.
  private var byName: [String: AnyBinding] = [:]
  private var indexed = 0
  /// The classes by the names that definitions have for them.
  private var components: [String: AnyComponent] = [:]

  /// A definition that becomes a binding when the type of another one is known.
  private struct Waiting {
    let entry: Int?
    let shared: SharedDefinition
    let expansion: any DefinitionExpansion

    var definition: ObjectDefinition { shared.definition }
  }

  /// What the other names of objects stand for, wherever that leads.
  private let aliases: [String: String]

  init(
    classes: ClassRegistry, values: ValueConverters, failed: Set<String>,
    aliases: [ObjectAlias] = []
  ) {
    self.aliases = Dictionary(
      aliases.map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first })
    tools = PlanningTools(classes: classes, values: values)
    self.failed = failed
  }

  mutating func add(_ entries: [PreparedEntry], count: Int) {
    numbers = Array(repeating: nil, count: count)
    add(entries[...])
  }

  /// Adds definitions that are in no list.
  mutating func add(_ entries: ArraySlice<PreparedEntry>) {
    var waiting: [Waiting] = []
    for entry in entries {
      switch entry.content {
      case .alias: break
      case .binding(let binding): add(binding, for: entry.number)
      case .definition(let shared):
        if let expansion = expansion(of: shared.definition) {
          waiting.append(Waiting(entry: entry.number, shared: shared, expansion: expansion))
        } else {
          add(draft(shared), named: shared.definition.name, for: entry.number)
        }
      }
    }
    expand(waiting)
  }

  // MARK: - Definitions whose type follows from others

  private func expansion(of definition: ObjectDefinition) -> (any DefinitionExpansion)? {
    if definition.factoryComponent != nil { return FactoryMethodExpansion() }
    guard let name = definition.className, components[name] == nil, !tools.classes.knows(name)
    else { return nil }
    return ProxyKind(rawValue: name)
  }

  /// Expands definitions that depend on the types of others, each after the one that it waits for.
  private mutating func expand(_ waiting: [Waiting]) {
    let rounds = rounds(of: waiting)
    let order = waiting.indices.filter { rounds[$0] > 0 }
      .sorted { (rounds[$0], $0) < (rounds[$1], $1) }
    for number in order {
      let item = waiting[number]
      add(draft(item.shared, item.expansion), named: item.definition.name, for: item.entry)
    }
    reportCircle(waiting.indices.filter { rounds[$0] == 0 }.map { waiting[$0] })
  }

  /// In which round each definition can be expanded, if every round goes through the list once; 0 for one
  /// that waits for itself in the end.
  private func rounds(of waiting: [Waiting]) -> [Int] {
    let numbers = Dictionary(
      zip(waiting.map(\.definition.name), waiting.indices), uniquingKeysWith: { first, _ in first })
    let targets = waiting.map { item -> Int? in
      item.expansion.target(of: item.definition)
        .flatMap { numbers[AliasTable.end(of: $0, aliases)] }
    }
    var rounds: [Int?] = Array(repeating: nil, count: waiting.count)
    for start in waiting.indices {
      var path: [Int] = []
      var next: Int? = start
      while let number = next, rounds[number] == nil {
        rounds[number] = 0
        path.append(number)
        next = targets[number]
      }
      // Where the path ends: at a definition that waits for nothing, or at one whose round is known.
      var last = next.map { (round: rounds[$0] ?? 0, number: $0) } ?? (round: 1, number: -1)
      for number in path.reversed() where last.round > 0 {
        last = (last.number < number ? last.round : last.round + 1, number)
        rounds[number] = last.round
      }
    }
    return rounds.map { $0 ?? 0 }
  }

  private mutating func reportCircle(_ waiting: [Waiting]) {
    for item in waiting {
      fail(item.definition.name)
      problems.append(
        item.expansion.circle(
          of: item.definition, target: item.expansion.target(of: item.definition) ?? ""))
    }
  }

  private mutating func draft(
    _ shared: SharedDefinition, _ expansion: any DefinitionExpansion
  ) -> AnyBinding? {
    checkRepeats(shared.definition)
    guard let scope = scope(of: shared.definition) else { return nil }
    return draft(shared, scope: scope, canBeLazy: expansion.canBeLazy) { drafts, context in
      expansion.binding(in: drafts.expansionContext(context))
    }
  }

  // MARK: - Definitions with a class

  private mutating func draft(_ shared: SharedDefinition) -> AnyBinding? {
    checkRepeats(shared.definition)
    guard let scope = scope(of: shared.definition), let component = component(of: shared.definition)
    else { return nil }
    return draft(shared, scope: scope, canBeLazy: true) { component.binding(in: $1) }
  }

  private mutating func component(of definition: ObjectDefinition) -> AnyComponent? {
    guard let className = definition.className else {
      problems.append(.noClass(definition.name, at: definition.location))
      return nil
    }
    if let known = components[className] { return known }
    let component = tools.classes.component(
      named: className, of: definition.name, at: definition.classLocation,
      report: { problems.append($0) }
    )?.body
    components[className] = component
    return component
  }

  /// A binding under the definition's name, or under a hidden one behind a lazy proxy.
  private mutating func draft(
    _ shared: SharedDefinition, scope: any Scope, canBeLazy: Bool,
    _ make: (inout BindingPlanner, BindingContext) -> AnyBinding?
  ) -> AnyBinding? {
    let definition = shared.definition
    guard definition.isLazy, canBeLazy else {
      let binding = draft(shared, named: definition.name, scope: scope, make)
      if definition.isEager { binding?.isEager = true }
      if definition.isPrimary { binding?.isPrimary = true }
      return binding
    }
    let name = HiddenName.behindProxy(definition.name)
    guard let target = draft(shared, named: name, scope: PrototypeScope(), make) else { return nil }
    let context = context(shared, named: definition.name, scope: scope)
    let proxy = expansionContext(context).proxy(for: target.type, named: nil)
    problems += context.problems
    guard let proxy else { return nil }
    append(target)
    let binding = proxy.binding(
      definition.name, .lazy, of: name, scope: scope, at: definition.location)
    binding.isPrimary = definition.isPrimary
    return binding
  }

  private mutating func draft(
    _ shared: SharedDefinition, named name: String, scope: any Scope,
    _ make: (inout BindingPlanner, BindingContext) -> AnyBinding?
  ) -> AnyBinding? {
    let context = context(shared, named: name, scope: scope)
    let binding = make(&self, context)
    problems += context.problems
    return context.isFaulty ? nil : binding
  }

  private func context(
    _ shared: SharedDefinition, named name: String, scope: any Scope
  ) -> BindingContext {
    BindingContext(shared, named: name, scope: scope, tools: tools)
  }

  private mutating func expansionContext(_ context: BindingContext) -> ExpansionContext {
    index()
    return ExpansionContext(context, bindings: byName, failed: failed, aliases: aliases)
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

  /// The names of what makes objects.
  var names: Set<String> { Set(bindings.map(\.name)) }

  private mutating func add(_ binding: AnyBinding?, named name: String, for entry: Int?) {
    guard let binding else { return fail(name) }
    add(binding, for: entry)
  }

  private mutating func add(_ binding: AnyBinding, for entry: Int?) {
    if let entry { numbers[entry] = bindings.count }
    append(binding)
  }

  private mutating func append(_ binding: AnyBinding) { bindings.append(binding) }

  private mutating func binding(named name: String) -> AnyBinding? {
    index()
    return byName[name]
  }

  private mutating func index() {
    for binding in bindings[indexed...] { byName[binding.name] = binding }
    indexed = bindings.count
  }

  private mutating func fail(_ name: String) { failed.insert(name) }
}
