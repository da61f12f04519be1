internal import OxbowDocuments

/// Definitions whose type follows from another one's.
extension BindingPlanner {
  /// A definition that becomes a binding when the type of another one is known.
  struct Waiting {
    let source: Definition
    let definition: ObjectDefinition
    let expansion: any DefinitionExpansion
  }

  func expansion(of definition: ObjectDefinition) -> (any DefinitionExpansion)? {
    if definition.factoryComponent != nil { return FactoryMethodExpansion() }
    guard let name = definition.className, !isClass(name) else { return nil }
    return Self.expansions.first { $0.className == name }
  }

  private static var expansions: [any DefinitionExpansion] {
    [LazyProxyExpansion(), ThreadLocalProxyExpansion(), TaskLocalProxyExpansion()]
  }

  /// Expands definitions that depend on the types of others, until no more can be.
  mutating func expand(_ waiting: inout [Waiting]) {
    let names = Set(waiting.map(\.definition.name))
    while !waiting.isEmpty {
      var rest: [Waiting] = []
      for item in waiting {
        let target = item.expansion.target(of: item.definition).map {
          AliasTable.end(of: $0, aliases)
        }
        if let target, names.contains(target), bindingsByName()[target] == nil,
          !failed.contains(target)
        {
          rest.append(item)
          continue
        }
        add(binding(of: item.definition, item.expansion), for: item.source)
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

  private mutating func binding(
    of definition: ObjectDefinition, _ expansion: any DefinitionExpansion
  ) -> AnyBinding? {
    checkRepeats(definition)
    guard let scope = scope(of: definition) else { return nil }
    return binding(of: definition, in: scope, canBeLazy: expansion.canBeLazy) { planner, context in
      expansion.binding(in: planner.expansionContext(context))
    }
  }

  private mutating func expansionContext(_ context: BindingContext) -> ExpansionContext {
    ExpansionContext(context, bindings: bindingsByName(), failed: failed, aliases: aliases)
  }

  // MARK: - Lazy proxies

  /// A binding under the definition's name, or under a hidden one behind a lazy proxy.
  mutating func binding(
    of definition: ObjectDefinition, in scope: any Scope, canBeLazy: Bool,
    _ make: (inout BindingPlanner, BindingContext) -> AnyBinding?
  ) -> AnyBinding? {
    guard definition.isLazy, canBeLazy else {
      let binding = binding(of: definition, named: definition.name, in: scope, make)
      if definition.isEager { binding?.isEager = true }
      if definition.isPrimary { binding?.isPrimary = true }
      return binding
    }
    let name = HiddenName.behindProxy(definition.name)
    let target = binding(of: definition, named: name, in: PrototypeScope(), make)
    guard let target else { return nil }
    let context = context(definition, named: definition.name, scope: scope)
    let proxy = expansionContext(context).proxy(for: target.type, named: nil)
    problems += context.problems
    guard let proxy else { return nil }
    add(target)
    let binding = proxy.body.lazyBinding(
      definition.name, of: name, scope: scope, at: definition.location)
    binding.isPrimary = definition.isPrimary
    return binding
  }
}
