/// The graph of a plan, and what becomes of its circles of initializers where these may stay.
struct BrokenCircles {
  private(set) var graph: DependencyGraph
  private(set) var components: [[Int]]
  /// What asking for a member of a circle throws.
  private(set) var broken: [Int: ContainerError] = [:]
  private(set) var notes: [ContainerError.Note] = []

  init(_ nodes: [AnyBinding], dependencies: [[Dependency]], aliases: [String: String]) {
    graph = DependencyGraph(nodes, dependencies: dependencies, aliases: aliases)
    components = graph.components()
  }

  /// Takes the arrows of all members of circles away until there is none.
  mutating func open() {
    while let circle = circle() {
      let names = (circle + circle.prefix(1)).map { graph.nodes[$0].name }
      var dependencies = graph.dependencies
      for (place, member) in circle.enumerated() {
        let turned = Array(names.dropLast()[place...] + names.dropLast()[..<place])
        let node = graph.nodes[member]
        broken[member] = ContainerError(
          .cyclicInitializers(turned + [node.name], at: node.location),
          task: "get object \"\(node.name)\"")
        dependencies[member] = []
      }
      notes.append(
        ContainerError.Note(
          "the initializers of " + names.map { "\"\($0)\"" }.joined(separator: " → ")
            + " need each other: asking for one of them fails",
          at: graph.nodes[circle[0]].location))
      graph = DependencyGraph(graph.nodes, dependencies: dependencies, aliases: graph.aliases)
      components = graph.components()
    }
  }

  private func circle() -> [Int]? {
    for members in components.map({ $0.sorted() }) {
      let sorted = TopologicalSort.sort(members) { node in
        graph.arrows[node].filter { $0.dependency.when == .construction }.map(\.target)
      }
      if case .circle(let circle) = sorted { return circle }
    }
    return nil
  }
}
