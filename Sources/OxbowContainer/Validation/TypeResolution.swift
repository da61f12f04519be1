internal import OxbowDocuments

/// Finds the objects for places that ask by type.
package struct TypeResolution {
  private let nodes: [AnyBlueprint]
  private let index: TypeIndex
  /// The names of the objects for each request.
  package private(set) var names: [String: [String]] = [:]
  /// What each node needs, by name.
  package private(set) var edges: [[Edge]] = []
  package private(set) var problems: [ContainerError.Problem] = []
  /// The numbers of the nodes whose requests have a problem.
  private var users: [String: Set<String>] = [:]

  package init(_ nodes: [AnyBlueprint], index: TypeIndex) {
    self.nodes = nodes
    self.index = index
    for node in nodes {
      for edge in node.edges {
        if let request = edge.request { users[request.token, default: []].insert(node.name) }
      }
    }
    edges = nodes.map { $0.edges }
    guard !users.isEmpty else { return }
    edges = nodes.map { node in node.edges.flatMap { resolve($0, of: node) } }
  }

  private mutating func resolve(_ edge: Edge, of node: AnyBlueprint) -> [Edge] {
    guard let request = edge.request else { return [edge] }
    guard let found = candidates(for: request, edge) else {
      problems.append(.cannotTestType(of: node.name, edge: edge))
      return []
    }
    guard request.wantsAll || found.count == 1 else {
      problems.append(
        .notOneObject(
          of: node.name, edge: edge, typeName: request.typeName,
          candidates: found.map {
            ($0.name, "\($0.type)", $0.location)
          }))
      return []
    }
    names[request.token] = found.map(\.name)
    return found.map { edge.directed(to: $0.name) }
  }

  /// The described classes that places ask for and that nothing defines, each with such a place.
  package static func undefinedClasses(
    _ nodes: [AnyBlueprint], index: TypeIndex, _ classes: ClassRegistry
  ) -> [(component: ComponentDescriptor, edge: Edge)] {
    var found: [(component: ComponentDescriptor, edge: Edge)] = []
    for (owner, edge) in nodes.lazy.flatMap({ node in node.edges.lazy.map { (node, $0) } }) {
      guard let request = edge.request, !request.wantsAll,
        let component = classes.component(of: request.type), component.asksByType,
        !found.contains(where: { $0.component.type == component.type })
      else { continue }
      let fits = request.accepts ?? index.test(for: request.type) ?? { $0 == request.type }
      if !nodes.contains(where: { $0 !== owner && fits($0.type) }) {
        found.append((component, edge))
      }
    }
    return found
  }

  /// The definitions that surely fit; nil when nobody can tell.
  private func candidates(for request: TypeRequest, _ edge: Edge) -> [AnyBlueprint]? {
    guard let fits = request.accepts ?? index.test(for: request.type) else { return nil }
    let asking = users[request.token, default: []]
    var found: [AnyBlueprint] = []
    for node in nodes where !node.isHidden {
      if asking.contains(node.name) || asking.contains(HiddenName.behindProxy(node.name))
        || asking.contains(HiddenName.original(node.name))
      {
        continue
      }
      if edge.requiresSendable, !node.isSendable, node.scope.sharing != .shared { continue }
      if fits(node.type) { found.append(node) }
    }
    return found
  }
}

extension ComponentDescriptor {
  /// Whether the annotations of the class mark properties or arguments to be filled by type.
  fileprivate var asksByType: Bool {
    annotations.assignments.contains { if case .byType = $0.content { true } else { false } }
  }
}
