internal import OxbowDocuments

/// The tests of types that descriptions and proxies spell, for places that bring none.
package struct TypeIndex: Sendable {
  private var tests: [ObjectIdentifier: @Sendable (any Any.Type) -> Bool] = [:]

  package init() {}

  package init(_ classes: ClassRegistry) {
    for component in classes.all {
      for place in component.body.places { tests[ObjectIdentifier(place.type)] = place.accepts }
    }
    for proxy in classes.proxies {
      tests[ObjectIdentifier(proxy.targetType)] = { proxy.accepts($0) }
    }
  }

  /// Whether objects of a type surely fit where another type is wanted; nil when nobody can tell.
  package func fits(_ type: any Any.Type, wanted: any Any.Type) -> Bool? {
    if type == wanted { return true }
    if let test = tests[ObjectIdentifier(wanted)] { return test(type) }
    if TypeNames.isOpen(wanted) { return nil }
    return fitsConcrete(type, wanted)
  }

  private func fitsConcrete(_ type: any Any.Type, _ wanted: any Any.Type) -> Bool {
    func test<Wanted>(_ wanted: Wanted.Type) -> Bool { TypeFit.of(type, in: wanted) == .fits }
    return _openExistential(wanted, do: test)
  }
}

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
    edges = nodes.map(\.edges)
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

  /// The definitions that surely fit; nil when nobody can tell.
  private func candidates(for request: TypeRequest, _ edge: Edge) -> [AnyBlueprint]? {
    let asking = users[request.token, default: []]
    var found: [AnyBlueprint] = []
    for node in nodes where !node.isHidden {
      if asking.contains(node.name) || asking.contains(AnyBlueprint.hiddenName(node.name)) {
        continue
      }
      if edge.requiresSendable, !node.isSendable, node.scope.sharing != .shared { continue }
      let fits =
        request.accepts.map { $0(node.type) } ?? index.fits(node.type, wanted: request.type)
      guard let fits else { return nil }
      if fits { found.append(node) }
    }
    return found
  }
}
