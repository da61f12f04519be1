extension Engine {
  /// Whose matter the end of objects is that are defined in place of kept ones.
  ///
  /// What is defined in place of an object is reached from that one alone. A proxy in place belongs
  /// to its owner and keeps its target, as every proxy does.
  static func ownerships(
    in graph: DependencyGraph, _ disposals: Disposals
  ) -> [String: Ownership] {
    let nodes = graph.nodes
    guard nodes.contains(where: { HiddenName.isInPlace($0.name) }) else { return [:] }
    var found: [String: Ownership] = [:]
    var stack = nodes.indices.filter {
      nodes[$0].scope.sharing != .fresh || HiddenName.isBehindProxy(nodes[$0].name)
    }
    while let number = stack.popLast() {
      for arrow in graph.arrows(of: number) {
        let target = nodes[arrow.target]
        guard HiddenName.isInPlace(target.name), found[target.name] == nil else { continue }
        found[target.name] =
          arrow.dependency.when == .later
          ? .kept : .belonging(target: targetSearch(of: target.type, disposals))
        stack.append(arrow.target)
      }
    }
    return found
  }

  /// Finds what ends in place of a proxy; nil for the type of objects that end themselves.
  private static func targetSearch(
    of type: any Any.Type, _ disposals: Disposals
  ) -> Belongings.TargetSearch? {
    guard type is any ForwardingProxy.Type else { return nil }
    return { proxy, name in
      guard let proxy = proxy as? any ForwardingProxy else { return [] }
      proxy.sealTarget(keptBy: disposals)
      guard let target = proxy.target(keptBy: disposals) ?? nil else { return [] }
      return [(name, target)] + proxy.belongings(keptBy: disposals).endings
    }
  }
}
