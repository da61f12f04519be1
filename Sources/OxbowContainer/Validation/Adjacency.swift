/// Which nodes of a graph lead to which, by number.
package struct Adjacency {
  private let count: Int
  /// The targets of all nodes, one after the other.
  private var all: [Int] = []
  private var starts = [0]

  /// Creates the graph of some nodes and their targets.
  package init(_ count: Int, _ targets: (Int) -> some Sequence<Int>) {
    self.count = count
    starts.reserveCapacity(count + 1)
    for node in 0..<count {
      for target in targets(node) { all.append(target) }
      starts.append(all.count)
    }
  }

  /// Where the targets of a node stand.
  fileprivate func range(of node: Int) -> Range<Int> { starts[node]..<starts[node + 1] }

  fileprivate func target(at place: Int) -> Int { all[place] }
}

extension Adjacency {
  /// For each node the one before it on a shortest chain from a node that is nobody's target.
  ///
  /// - Complexity: O(nodes + arrows).
  package func parentsOnShortestChains() -> [Int?] {
    var parents = [Int?](repeating: nil, count: count)
    var reached = [Bool](repeating: true, count: count)
    for target in all { reached[target] = false }
    var queue = reached.indices.filter { reached[$0] }
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for target in all[range(of: node)] where !reached[target] {
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
  package func stronglyConnected() -> [[Int]] {
    var search = ComponentSearch(self, count)
    for root in 0..<count where search.index[root] < 0 { search.run(from: root) }
    return search.components
  }
}

private struct ComponentSearch {
  var index: [Int]
  var components: [[Int]] = []
  private let graph: Adjacency
  private var low: [Int]
  private var onPath: [Bool]
  private var path: [Int] = []
  private var calls: [(node: Int, targets: Range<Int>)] = []
  private var counter = 0

  init(_ graph: Adjacency, _ count: Int) {
    self.graph = graph
    index = Array(repeating: -1, count: count)
    low = Array(repeating: 0, count: count)
    onPath = Array(repeating: false, count: count)
    components.reserveCapacity(count)
  }

  mutating func run(from root: Int) {
    enter(root)
    while let (node, targets) = calls.last {
      guard let place = targets.first else {
        leave(node)
        continue
      }
      calls[calls.count - 1].targets = targets.dropFirst()
      let target = graph.target(at: place)
      if index[target] < 0 {
        enter(target)
      } else if onPath[target] {
        low[node] = min(low[node], index[target])
      }
    }
  }

  private mutating func enter(_ node: Int) {
    index[node] = counter
    low[node] = counter
    counter += 1
    path.append(node)
    onPath[node] = true
    calls.append((node, graph.range(of: node)))
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
