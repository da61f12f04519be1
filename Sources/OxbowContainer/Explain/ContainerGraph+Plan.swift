internal import OxbowDocuments

extension ContainerGraph {
  /// Describes what definitions became: those that are abstract, or faulty, as they are written.
  package init(_ plan: ContainerPlan) {
    let parts = zip(plan.graph.nodes, plan.graph.edges).map { (node: $0, edges: $1) }
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

/// A blueprint, and what it needs.
private typealias PlannedNode = (node: AnyBlueprint, edges: [Edge])

extension DefinitionSummary {
  /// Describes a blueprint; hidden ones are parts of those that lead to them.
  fileprivate init(
    _ part: PlannedNode, defined definition: ObjectDefinition?, hidden: [String: PlannedNode]
  ) {
    let (blueprint, edges) = part
    let behind = edges.lazy.filter { $0.use == .lazySource }
      .compactMap { hidden[$0.target]?.node }.first
    self.init(
      name: blueprint.name, className: definition?.className,
      typeName: "\((behind ?? blueprint).type)", scope: blueprint.scope.name,
      scopeMeaning: blueprint.scope.meaning, sharing: blueprint.scope.sharing,
      isSendable: blueprint.isSendable, isLazy: behind != nil,
      isEager: blueprint.isBuiltWithContainer,
      isPrimary: blueprint.isPrimary, isAbstract: false, parent: definition?.parent,
      summary: definition?.summary,
      location: blueprint.location,
      needs: Self.needs(of: blueprint.name, edges, under: [], hidden), placesByType: [])
  }

  /// The arrows of a definition; those to hidden ones are replaced by what these need.
  private static func needs(
    of owner: String, _ edges: [Edge], under roles: [String], _ hidden: [String: PlannedNode]
  ) -> [Need] {
    edges.flatMap { edge -> [Need] in
      let part = hidden[edge.target]
      let roles = edge.use == .lazySource && part != nil ? roles : roles + [edge.role]
      if let part { return needs(of: owner, part.edges, under: roles, hidden) }
      return [
        Need(
          owner: owner, role: roles.joined(separator: ", "), target: edge.target, how: How(edge),
          location: edge.location)
      ]
    }
  }
}

extension DefinitionSummary.How {
  fileprivate init(_ edge: Edge) {
    switch edge.use {
    case .object, .constant: self = edge.strength == .hard ? .constructor : .property
    case .provider: self = .provider
    case .factory: self = .factory
    case .lazy: self = .lazy
    case .lazySource: self = .lazyProxy
    case .threadSource: self = .threadProxy
    case .taskSource: self = .taskProxy
    }
  }
}
