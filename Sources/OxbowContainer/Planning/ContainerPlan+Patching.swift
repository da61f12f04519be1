package import OxbowDocuments

extension ContainerPlan {
  /// The same plan with other blueprints in the place of some, checked again.
  ///
  /// Of a lazy definition the object behind the proxy is replaced, and the proxy stays.
  ///
  /// - Throws: `unknownObject` for a name that is not defined.
  package func patched(
    _ replacements: [(name: String, make: (AnyBlueprint) -> AnyBlueprint)],
    at location: SourceLocation
  ) throws -> ContainerPlan {
    var nodes = graph.nodes
    for (name, make) in replacements {
      guard let number = graph.number(ofObject: aliases[name] ?? name) else {
        throw unknown(name, at: location)
      }
      nodes[number] = make(nodes[number])
    }
    let typesKept = zip(nodes, graph.nodes).map { $0.type == $1.type }
    return ContainerPlan(
      nodes, numbers: numbers.map { $0.flatMap { typesKept[$0] ? $0 : nil } }, like: self)
  }

  private func unknown(_ name: String, at location: SourceLocation) -> ContainerError {
    let names = graph.nodes.filter { !$0.isHidden }.map(\.name)
    return ContainerError(
      .unknownObject(
        name, near: nearNames(to: name, among: names), count: names.count, at: location),
      task: "patch the container")
  }
}

extension DependencyGraph {
  /// The node that makes the object of a name: the one behind its proxy, if there is one.
  fileprivate func number(ofObject name: String) -> Int? {
    number(of: AnyBlueprint.hiddenName(name)) ?? number(of: name)
  }
}
