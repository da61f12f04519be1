/// The declared graph: definitions by number, and who needs whom.
package struct DependencyGraph {
  package struct Arrow {
    package let target: Int
    package let edge: Edge
  }

  /// The arrows of all nodes, one after the other.
  package struct Arrows {
    private var all: [Arrow] = []
    private var starts = [0]

    fileprivate init(_ edges: [[Edge]], _ numbers: [String: Int]) {
      starts.reserveCapacity(edges.count + 1)
      for edges in edges {
        for edge in edges {
          if let target = numbers[edge.target] { all.append(Arrow(target: target, edge: edge)) }
        }
        starts.append(all.count)
      }
    }

    package subscript(node: Int) -> ArraySlice<Arrow> { all[starts[node]..<starts[node + 1]] }
  }

  package let nodes: [AnyBlueprint]
  /// What each node needs; references to nothing are left out.
  package let arrows: Arrows
  /// What each node needs, references to nothing included.
  package let edges: [[Edge]]
  /// Names that stand for those of definitions.
  package let aliases: [String: String]
  private let numbers: [String: Int]

  /// Creates the graph of definitions whose names are unique.
  ///
  /// - Parameters:
  ///   - nodes: The definitions.
  ///   - edges: What each needs, by name.
  ///   - aliases: Names that stand for those of definitions.
  package init(_ nodes: [AnyBlueprint], edges: [[Edge]], aliases: [String: String] = [:]) {
    var numbers: [String: Int] = [:]
    numbers.reserveCapacity(nodes.count)
    for (number, node) in nodes.enumerated() { numbers[node.name] = number }
    for (name, target) in aliases { numbers[name] = numbers[target] }
    self.aliases = aliases
    self.nodes = nodes
    self.edges = edges
    self.numbers = numbers
    arrows = Arrows(edges, numbers)
  }

  package func number(of name: String) -> Int? { numbers[name] }

  /// The strongly connected components of hard and soft arrows, deepest first.
  package func components() -> [[Int]] {
    Adjacency(nodes.count) { node in
      arrows[node].lazy.filter { $0.edge.strength != .late }.map(\.target)
    }.stronglyConnected()
  }

  /// Whether members of a component may need each other, or the only one itself.
  package func canHoldCircle(_ component: [Int]) -> Bool {
    guard component.count == 1, let only = component.first else { return true }
    return arrows[only].contains { $0.target == only }
  }

  /// The names of nodes whose objects reach others that are shared within a request, themselves included.
  ///
  /// The way leads through objects that are made for the request, not through those that are shared.
  package func requestSharers() -> Set<String> {
    var found = nodes.map { $0.scope.isSharedWithinRequest }
    guard found.contains(true) else { return [] }
    var users = [[Int]](repeating: [], count: nodes.count)
    for number in nodes.indices {
      for arrow in arrows[number] where arrow.edge.strength != .late {
        users[arrow.target].append(number)
      }
    }
    var queue = nodes.indices.filter { found[$0] }
    while let node = queue.popLast() {
      guard nodes[node].scope.sharing == .fresh else { continue }
      for user in users[node] where !found[user] {
        found[user] = true
        queue.append(user)
      }
    }
    return Set(nodes.indices.filter { found[$0] }.map { nodes[$0].name })
  }

  /// For each node the one before it on a shortest chain from a root.
  package func parents() -> [Int?] {
    Adjacency(nodes.count) { arrows[$0].lazy.map(\.target) }.parentsOnShortestChains()
  }
}
