internal import OxbowDocuments

// MARK: - Definitions that are planned

extension ContainerGraph {
  /// Describes what definitions became: those that are abstract, or faulty, as they are written.
  init(_ plan: ContainerPlan) {
    let parts = zip(plan.graph.nodes, plan.graph.dependencies).map { (node: $0, dependencies: $1) }
    let hidden = Dictionary(
      parts.filter(\.node.isHidden).map { ($0.node.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let inheritance = Inheritance(plan.definitions.compactMap(\.object))
    self.init(
      summaries: plan.definitions.filter { !HiddenName.isHidden($0.name) && $0.alias == nil }
        .compactMap { definition in
          let object = definition.object.map { inheritance.complete($0) }
          guard let number = plan.graph.number(of: definition.name) else {
            return object.map { DefinitionSummary(structureOf: $0) }
          }
          return DefinitionSummary(parts[number], defined: object, hidden: hidden)
        }, aliases: plan.aliases)
  }
}

extension DefinitionSummary {
  /// A binding, and what it needs.
  fileprivate typealias PlannedNode = (node: AnyBinding, dependencies: [Dependency])

  /// Describes a binding; hidden ones are parts of those that lead to them.
  fileprivate init(
    _ part: PlannedNode, defined definition: ObjectDefinition?, hidden: [String: PlannedNode]
  ) {
    let (binding, dependencies) = part
    let behind = dependencies.lazy.filter { $0.use == .lazySource }
      .compactMap { hidden[$0.target]?.node }.first
    self.init(
      name: binding.name, className: definition?.className,
      typeName: "\((behind ?? binding).type)", scope: binding.scope.name,
      scopeMeaning: binding.scope.meaning, sharing: binding.scope.sharing,
      isSendable: binding.isSendable, isLazy: behind != nil,
      isEager: binding.isBuiltWithContainer,
      isPrimary: binding.isPrimary, isAbstract: false, parent: definition?.parent,
      summary: definition?.summary,
      location: binding.location,
      needs: Self.needs(of: binding.name, dependencies, under: [], hidden),
      surrounded: binding.surrounded, placesByType: [])
  }

  /// What a definition needs; a hidden one is replaced by what it needs itself.
  private static func needs(
    of owner: String, _ dependencies: [Dependency], under roles: [String],
    _ hidden: [String: PlannedNode]
  ) -> [Need] {
    dependencies.flatMap { dependency -> [Need] in
      let part = hidden[dependency.target]
      let roles = dependency.use == .lazySource && part != nil ? roles : roles + [dependency.role]
      if let part { return needs(of: owner, part.dependencies, under: roles, hidden) }
      return [
        Need(
          owner: owner, role: roles.joined(separator: ", "), target: dependency.target,
          how: How(dependency),
          location: dependency.location)
      ]
    }
  }
}

extension DefinitionSummary.How {
  fileprivate init(_ dependency: Dependency) {
    switch dependency.use {
    case .object, .constant: self = dependency.when == .construction ? .constructor : .property
    case .provider: self = .provider
    case .factory: self = .factory
    case .lazy: self = .lazy
    case .lazySource: self = .lazyProxy
    case .threadSource: self = .threadProxy
    case .taskSource: self = .taskProxy
    }
  }
}

// MARK: - Definitions as they are written

extension DefinitionSummary {
  /// What a definition says itself, its class not looked at.
  init(structureOf definition: ObjectDefinition) {
    let scope = Scopes.named(definition.scope)
    self.init(
      name: definition.name, className: definition.className, typeName: nil,
      scope: definition.scope, scopeMeaning: scope?.meaning ?? "a scope that does not exist",
      sharing: scope?.sharing, isSendable: nil, isLazy: definition.isLazy,
      isEager: definition.isEager, isPrimary: definition.isPrimary,
      isAbstract: definition.isAbstract, parent: definition.parent,
      summary: definition.summary, location: definition.location, needs: [], placesByType: [])
    readNeeds(of: definition, under: nil)
  }

  /// Reads what a definition refers to, or one in place inside of it.
  private mutating func readNeeds(of definition: ObjectDefinition, under outer: InjectionSite.Path?)
  {
    if let target = definition.factoryComponent {
      let own = InjectionSite.Path.other { "factory component" }
      let site = InjectionSite(
        outer.map { .inner(own, of: $0) } ?? own,
        at: definition.initializer?.location ?? definition.location)
      addNeed(target, .constructor, role: site.path.text, at: site.location)
    }
    let proxy = How.ofProxy(className: definition.className)
    definition.visit(under: outer) { content, site in
      switch content {
      case .reference(let name):
        if let proxy, site.path.isProperty("factoryObject") {
          let role = [outer?.text, "proxy"].compactMap(\.self).joined(separator: ", ")
          addNeed(name, proxy, role: role, at: site.location)
        } else {
          let how: How = site.path.isArgument ? .constructor : .property
          addNeed(name, how, role: site.path.text, at: site.location)
        }
      case .byType: placesByType.append(site.path.text)
      case .definition(let inner): readNeeds(of: inner, under: site.path)
      case .text, .null, .collection, .dictionary: break
      }
    }
  }

  private mutating func addNeed(
    _ target: String, _ how: How, role: String, at location: SourceLocation?
  ) {
    needs.append(Need(owner: name, role: role, target: target, how: how, location: location))
  }
}

extension DefinitionSummary.How {
  /// How the object behind a proxy arrives, for the class names that mean a proxy.
  fileprivate static func ofProxy(className: String?) -> Self? {
    switch className {
    case ProxyKind.lazy.rawValue: .lazyProxy
    case ProxyKind.threadLocal.rawValue: .threadProxy
    case ProxyKind.taskLocal.rawValue: .taskProxy
    default: nil
    }
  }
}
