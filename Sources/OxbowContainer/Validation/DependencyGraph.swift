/// The declared graph: definitions by number, and who needs whom.
package struct DependencyGraph {
  package struct Arrow {
    package let target: Int
    package let edge: Edge
  }

  package let nodes: [AnyBlueprint]
  /// What each node needs; references to nothing are left out.
  package let arrows: [[Arrow]]
  /// What each node needs, references to nothing included.
  package let edges: [[Edge]]
  private let numbers: [String: Int]

  /// Creates the graph of definitions whose names are unique.
  ///
  /// - Parameters:
  ///   - nodes: The definitions.
  ///   - edges: What each needs, by name; by default what it says itself.
  package init(_ nodes: [AnyBlueprint], edges: [[Edge]]? = nil) {
    let edges = edges ?? nodes.map(\.edges)
    self.nodes = nodes
    self.edges = edges
    let numbers = Dictionary(
      nodes.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { a, _ in a })
    self.numbers = numbers
    arrows = edges.map { edges in
      edges.compactMap { edge in
        numbers[edge.target].map { Arrow(target: $0, edge: edge) }
      }
    }
  }

  package func number(of name: String) -> Int? { numbers[name] }

  /// The strongly connected components of hard and soft arrows, deepest first.
  package func components() -> [[Int]] {
    stronglyConnected(nodes.count) { node in
      arrows[node].compactMap { $0.edge.strength == .late ? nil : $0.target }
    }
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
    for (number, arrows) in arrows.enumerated() {
      for arrow in arrows where arrow.edge.strength != .late { users[arrow.target].append(number) }
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
    parentsOnShortestChains(nodes.count) { arrows[$0].map(\.target) }
  }
}

/// For each node the one before it on a shortest chain from a node that is nobody's target.
///
/// - Complexity: O(nodes + arrows).
package func parentsOnShortestChains(_ count: Int, _ targets: (Int) -> [Int]) -> [Int?] {
  let targets = (0..<count).map(targets)
  var parents = [Int?](repeating: nil, count: count)
  var reached = [Bool](repeating: true, count: count)
  for target in targets.joined() { reached[target] = false }
  var queue = reached.indices.filter { reached[$0] }
  var next = 0
  while next < queue.count {
    let node = queue[next]
    next += 1
    for target in targets[node] where !reached[target] {
      reached[target] = true
      parents[target] = node
      queue.append(target)
    }
  }
  return parents
}

/// Tarjan's strongly connected components, callees before callers.
///
/// With a stack of its own, so that a long chain of definitions does not become a deep recursion.
///
/// - Complexity: O(nodes + arrows).
package func stronglyConnected(_ count: Int, _ targets: (Int) -> [Int]) -> [[Int]] {
  var search = ComponentSearch(count)
  for root in 0..<count where search.index[root] < 0 { search.run(from: root, targets) }
  return search.components
}

private struct ComponentSearch {
  var index: [Int]
  var components: [[Int]] = []
  private var low: [Int]
  private var onPath: [Bool]
  private var path: [Int] = []
  private var calls: [(node: Int, targets: [Int], next: Int)] = []
  private var counter = 0

  init(_ count: Int) {
    index = Array(repeating: -1, count: count)
    low = Array(repeating: 0, count: count)
    onPath = Array(repeating: false, count: count)
  }

  mutating func run(from root: Int, _ targets: (Int) -> [Int]) {
    enter(root, targets)
    while let call = calls.last {
      guard call.next < call.targets.count else {
        leave(call.node)
        continue
      }
      calls[calls.count - 1].next += 1
      let target = call.targets[call.next]
      if index[target] < 0 {
        enter(target, targets)
      } else if onPath[target] {
        low[call.node] = min(low[call.node], index[target])
      }
    }
  }

  private mutating func enter(_ node: Int, _ targets: (Int) -> [Int]) {
    index[node] = counter
    low[node] = counter
    counter += 1
    path.append(node)
    onPath[node] = true
    calls.append((node, targets(node), 0))
  }

  private mutating func leave(_ node: Int) {
    calls.removeLast()
    if let caller = calls.last?.node { low[caller] = min(low[caller], low[node]) }
    guard low[node] == index[node] else { return }
    var members: [Int] = []
    while let last = path.popLast() {
      onPath[last] = false
      members.append(last)
      if last == node { break }
    }
    components.append(members)
  }
}
