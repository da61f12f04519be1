internal import OxbowDocuments

/// Definitions whose type follows from another one's.
extension BindingPlanner {
  /// How a type follows from another one's.
  enum Expansion {
    case proxy(ProxyKind)
    case factoryMethod
  }

  /// A definition that becomes a binding when the type of another one is known.
  struct Waiting {
    let source: Definition
    let definition: ObjectDefinition
    let expansion: Expansion

    /// The definition whose type has to be known first.
    var target: String? {
      guard case .proxy = expansion else { return definition.factoryComponent }
      return definition.property("factoryObject")?.referencedObject
    }
  }

  /// How the type of a definition follows; nil for one that names a class.
  ///
  /// A class of the program goes before a kind of proxies with its name.
  func expansion(of definition: ObjectDefinition) -> Expansion? {
    if definition.factoryComponent != nil { return .factoryMethod }
    guard let name = definition.className, !isClass(name) else { return nil }
    return ProxyKind(rawValue: name).map { .proxy($0) }
  }

  /// Expands definitions that depend on the types of others, each after the one that it waits for.
  mutating func expand(_ waiting: [Waiting]) {
    let rounds = rounds(of: waiting)
    let order = waiting.indices.filter { rounds[$0] > 0 }
      .sorted { (rounds[$0], $0) < (rounds[$1], $1) }
    for index in order {
      let item = waiting[index]
      add(binding(of: item.definition, item.expansion), for: item.source)
    }
    reportCircle(waiting.indices.filter { rounds[$0] == 0 }.map { waiting[$0] })
  }

  /// In which round each definition can be expanded, if every round goes through the list once; 0
  /// for one that waits for itself in the end.
  private func rounds(of waiting: [Waiting]) -> [Int] {
    let indices = Dictionary(
      zip(waiting.map(\.definition.name), waiting.indices), uniquingKeysWith: { first, _ in first })
    let targets = waiting.map { item in
      item.target.flatMap { indices[aliases[$0] ?? $0] }
    }
    var rounds: [Int?] = Array(repeating: nil, count: waiting.count)
    for start in waiting.indices {
      var path: [Int] = []
      var next: Int? = start
      while let index = next, rounds[index] == nil {
        rounds[index] = 0
        path.append(index)
        next = targets[index]
      }
      // Where the path ends: at a definition that waits for nothing, or at one whose round is
      // known.
      var last = next.map { (round: rounds[$0] ?? 0, index: $0) } ?? (round: 1, index: -1)
      for index in path.reversed() where last.round > 0 {
        last = (last.index < index ? last.round : last.round + 1, index)
        rounds[index] = last.round
      }
    }
    return rounds.map { $0 ?? 0 }
  }

  private mutating func reportCircle(_ waiting: [Waiting]) {
    for item in waiting {
      let (name, target) = (item.definition.name, item.target ?? "")
      fail(name)
      switch item.expansion {
      case .proxy:
        problems.append(.cyclicProxies(name, of: target).at(item.definition.location))
      case .factoryMethod:
        let path = name == target ? [name, name] : [name, target, name]
        problems.append(.cyclicInitializers(path).at(item.definition.location))
      }
    }
  }

  private mutating func binding(
    of definition: ObjectDefinition, _ expansion: Expansion
  ) -> AnyBinding? {
    checkRepeats(definition)
    guard let scope = scope(of: definition) else { return nil }
    switch expansion {
    case .proxy(let kind):
      return binding(of: definition, in: scope, canBeLazy: false) { planner, context in
        context.planned = planner.planned()
        return context.binding(ofProxy: kind)
      }
    case .factoryMethod:
      return binding(of: definition, in: scope, canBeLazy: true) { planner, context in
        context.planned = planner.planned()
        return context.bindingOfMethod()
      }
    }
  }

  private mutating func planned() -> BindingContext.Planned {
    BindingContext.Planned(bindings: bindingsByName(), failed: failed, aliases: aliases)
  }

  // MARK: - Lazy proxies

  /// A binding under the definition's name, or under a hidden one behind a lazy proxy.
  mutating func binding(
    of definition: ObjectDefinition, in scope: any Scope, canBeLazy: Bool,
    _ make: (inout BindingPlanner, BindingContext) -> AnyBinding?
  ) -> AnyBinding? {
    let isLazy = definition.isLazy && canBeLazy
    let context = context(
      definition, named: isLazy ? HiddenName.behindProxy(definition.name) : definition.name,
      scope: isLazy ? PrototypeScope() : scope)
    let binding = make(&self, context)
    report(context.problems, of: definition)
    guard let binding, !context.isFaulty else { return nil }
    if isLazy { return lazyProxy(of: binding, definition, in: scope) }
    if definition.isEager { binding.isEager = true }
    if definition.isPrimary { binding.isPrimary = true }
    return binding
  }

  /// The lazy proxy of an object that has a hidden name.
  private mutating func lazyProxy(
    of target: AnyBinding, _ definition: ObjectDefinition, in scope: any Scope
  ) -> AnyBinding? {
    let context = context(definition, named: definition.name, scope: scope)
    let proxy = context.proxy(for: target.type, named: nil)
    problems += context.problems
    guard let proxy else { return nil }
    add(target)
    let binding = proxy.binding(
      definition.name, .lazy, of: target.name, scope: scope, at: definition.location)
    binding.isPrimary = definition.isPrimary
    return binding
  }
}
