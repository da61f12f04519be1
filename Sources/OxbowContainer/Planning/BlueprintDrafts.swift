internal import OxbowDocuments

/// Turns definitions into blueprints: first those that stand for themselves, then those whose type
/// follows from another one's.
struct BlueprintDrafts {
  private let classes: ClassRegistry
  private let values: ValueConverters
  private(set) var blueprints: [AnyBlueprint] = []
  /// For each entry the number of its blueprint; nil where it has none.
  private(set) var numbers: [Int?] = []
  private(set) var problems: [ContainerError.Problem] = []
  /// The names of definitions whose problems are reported already.
  private(set) var failed: Set<String>
  private var byName: [String: AnyBlueprint] = [:]

  /// A definition that becomes a blueprint when the type of another one is known.
  private struct Waiting {
    let entry: Int?
    let definition: ObjectDefinition
    let expansion: any DefinitionExpansion
  }

  init(classes: ClassRegistry, values: ValueConverters, failed: Set<String>) {
    self.classes = classes
    self.values = values
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
      case .blueprint(let blueprint): add(blueprint, for: entry.number)
      case .definition(let definition):
        if let expansion = expansion(of: definition) {
          waiting.append(
            Waiting(entry: entry.number, definition: definition, expansion: expansion))
        } else {
          add(draft(definition), named: definition.name, for: entry.number)
        }
      }
    }
    expand(&waiting)
  }

  // MARK: - Definitions whose type follows from others

  private func expansion(of definition: ObjectDefinition) -> (any DefinitionExpansion)? {
    if definition.factoryComponent != nil { return FactoryMethodExpansion() }
    guard let name = definition.className, !classes.knows(name) else { return nil }
    return Self.expansions.first { $0.className == name }
  }

  private static var expansions: [any DefinitionExpansion] {
    [LazyProxyExpansion(), ThreadLocalProxyExpansion(), TaskLocalProxyExpansion()]
  }

  /// Expands definitions that depend on the types of others, until no more can be.
  private mutating func expand(_ waiting: inout [Waiting]) {
    let names = Set(waiting.map(\.definition.name))
    while !waiting.isEmpty {
      var rest: [Waiting] = []
      for item in waiting {
        let target = item.expansion.target(of: item.definition)
        if let target, names.contains(target), byName[target] == nil, !failed.contains(target) {
          rest.append(item)
          continue
        }
        add(draft(item.definition, item.expansion), named: item.definition.name, for: item.entry)
      }
      if rest.count == waiting.count {
        reportCircle(rest)
        rest = []
      }
      waiting = rest
    }
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
    _ definition: ObjectDefinition, _ expansion: any DefinitionExpansion
  ) -> AnyBlueprint? {
    checkRepeats(definition)
    guard let scope = scope(of: definition) else { return nil }
    return draft(definition, scope: scope, canBeLazy: expansion.canBeLazy) { drafts, name, scope in
      let context = drafts.context(definition, named: name, scope: scope)
      let blueprint = expansion.blueprint(
        in: ExpansionContext(context, blueprints: drafts.byName, failed: drafts.failed))
      drafts.problems += context.problems
      return context.isFaulty ? nil : blueprint
    }
  }

  // MARK: - Definitions with a class

  private mutating func draft(_ definition: ObjectDefinition) -> AnyBlueprint? {
    checkRepeats(definition)
    guard let scope = scope(of: definition) else { return nil }
    guard let className = definition.className else {
      problems.append(.noClass(definition.name, at: definition.location))
      return nil
    }
    guard
      let component = classes.component(
        named: className, of: definition.name, at: definition.classLocation,
        report: { problems.append($0) })
    else { return nil }
    return draft(definition, scope: scope, canBeLazy: true) { drafts, name, scope in
      let context = drafts.context(definition, named: name, scope: scope)
      let blueprint = component.body.blueprint(in: context)
      drafts.problems += context.problems
      return context.isFaulty ? nil : blueprint
    }
  }

  private func context(
    _ definition: ObjectDefinition, named name: String, scope: any Scope
  ) -> BlueprintContext {
    BlueprintContext(definition, named: name, scope: scope, classes: classes, values: values)
  }

  /// A blueprint under the definition's name, or under a hidden one behind a lazy proxy.
  private mutating func draft(
    _ definition: ObjectDefinition, scope: any Scope, canBeLazy: Bool,
    _ make: (inout BlueprintDrafts, String, any Scope) -> AnyBlueprint?
  ) -> AnyBlueprint? {
    guard definition.isLazy, canBeLazy else {
      let blueprint = make(&self, definition.name, scope)
      blueprint?.isEager = definition.isEager
      return blueprint
    }
    let name = AnyBlueprint.hiddenName(definition.name)
    guard let target = make(&self, name, PrototypeScope()) else { return nil }
    let context = context(definition, named: definition.name, scope: scope)
    let proxy = ExpansionContext(context, blueprints: byName, failed: failed)
      .proxy(for: target.type, named: nil)
    problems += context.problems
    guard let proxy else { return nil }
    append(target)
    return proxy.body.lazyBlueprint(
      definition.name, of: name, scope: scope, at: definition.location)
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

  private mutating func add(_ blueprint: AnyBlueprint?, named name: String, for entry: Int?) {
    guard let blueprint else { return fail(name) }
    add(blueprint, for: entry)
  }

  private mutating func add(_ blueprint: AnyBlueprint, for entry: Int?) {
    if let entry { numbers[entry] = blueprints.count }
    append(blueprint)
  }

  private mutating func append(_ blueprint: AnyBlueprint) {
    blueprints.append(blueprint)
    byName[blueprint.name] = blueprint
  }

  private mutating func fail(_ name: String) { failed.insert(name) }
}
