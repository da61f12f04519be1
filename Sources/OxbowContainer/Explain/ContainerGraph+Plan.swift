internal import OxbowDocuments

extension ContainerGraph {
  /// Describes what definitions became: those that are abstract, or faulty, as they are written.
  package init(_ plan: ContainerPlan) {
    let parts = zip(plan.graph.nodes, plan.graph.dependencies).map { (node: $0, dependencies: $1) }
    let hidden = Dictionary(
      parts.filter(\.node.isHidden).map { ($0.node.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let heritage = Heritage(
      Dictionary(
        plan.entries.compactMap(\.definition).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }))
    self.init(
      summaries: plan.entries.filter { !HiddenName.isHidden($0.name) && $0.alias == nil }
        .compactMap { entry in
          let definition = entry.definition?.inheriting(heritage)
          guard let number = plan.graph.number(of: entry.name) else {
            return definition.map { DefinitionSummary(structureOf: $0) }
          }
          return DefinitionSummary(parts[number], defined: definition, hidden: hidden)
        }, aliases: plan.aliases)
  }
}

/// A binding, and what it needs.
private typealias PlannedNode = (node: AnyBinding, dependencies: [Dependency])

extension DefinitionSummary {
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
      needs: Self.needs(of: binding.name, dependencies, under: [], hidden), placesByType: [])
  }

  /// The arrows of a definition; those to hidden ones are replaced by what these need.
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
