/// Nodes by number, and which of them lead to which.
struct DirectedGraph {
  private let count: Int
  /// The targets of all nodes, one after the other.
  private var all: [Int] = []
  private var starts = [0]

  /// Creates the graph of some nodes and their targets.
  init(_ count: Int, _ targets: (Int) -> some Sequence<Int>) {
    self.count = count
    starts.reserveCapacity(count + 1)
    for node in 0..<count {
      for target in targets(node) { all.append(target) }
      starts.append(all.count)
    }
  }

  /// The indices in `all` of a node's targets.
  private func range(of node: Int) -> Range<Int> { starts[node]..<starts[node + 1] }
}

// MARK: - Chains

extension DirectedGraph {
  /// Shortest chains from nodes that are not a target.
  struct Chains {
    /// For each node the one before it; nil for the first of a chain.
    fileprivate var previous: [Int?]

    /// The nodes from the first of a chain to one, which is the last.
    func chain(to node: Int) -> [Int] {
      var chain = [node]
      var current = node
      while let step = previous[current] {
        chain.append(step)
        current = step
      }
      return chain.reversed()
    }
  }

  /// Finds a shortest chain to each node.
  ///
  /// - Complexity: O(nodes + arrows).
  func shortestChains() -> Chains {
    var previous = [Int?](repeating: nil, count: count)
    var reached = [Bool](repeating: true, count: count)
    for target in all { reached[target] = false }
    var queue = reached.indices.filter { reached[$0] }
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for target in all[range(of: node)] where !reached[target] {
        reached[target] = true
        previous[target] = node
        queue.append(target)
      }
    }
    return Chains(previous: previous)
  }
}

// MARK: - Order

extension DirectedGraph {
  /// Nodes with those first that others lead to, or a circle among them.
  enum Order {
    case order([Int])
    /// A circle: each leads to the next, the last to the first again.
    case circle([Int])
  }

  /// Puts nodes in order; targets outside of them are ignored.
  ///
  /// - Complexity: O(nodes + arrows).
  static func sort(_ nodes: [Int], _ targets: (Int) -> [Int]) -> Order {
    enum Mark { case entered, left }
    let members = Set(nodes)
    var marks: [Int: Mark] = [:]
    var order: [Int] = []
    for root in nodes where marks[root] == nil {
      marks[root] = .entered
      var calls = [(node: root, targets: targets(root), next: 0)]
      while let call = calls.last {
        guard call.next < call.targets.count else {
          marks[call.node] = .left
          order.append(call.node)
          calls.removeLast()
          continue
        }
        calls[calls.count - 1].next += 1
        let target = call.targets[call.next]
        guard members.contains(target) else { continue }
        switch marks[target] {
        case .left: continue
        case .entered: return .circle(Array(calls.map(\.node).drop { $0 != target }))
        case nil:
          marks[target] = .entered
          calls.append((target, targets(target), 0))
        }
      }
    }
    return .order(order)
  }
}

// MARK: - Components

extension DirectedGraph {
  /// Tarjan's strongly connected components, callees before callers.
  ///
  /// With a stack of its own, so that a long chain of definitions does not become a deep recursion.
  ///
  /// - Complexity: O(nodes + arrows).
  func stronglyConnected() -> [[Int]] {
    var search = ComponentSearch(self)
    for root in 0..<count where search.index[root] < 0 { search.run(from: root) }
    return search.components
  }

  private struct ComponentSearch {
    var index: [Int]
    var components: [[Int]] = []
    private let graph: DirectedGraph
    private var low: [Int]
    private var onPath: [Bool]
    private var path: [Int] = []
    private var calls: [(node: Int, targets: Range<Int>)] = []
    private var counter = 0

    init(_ graph: DirectedGraph) {
      self.graph = graph
      index = Array(repeating: -1, count: graph.count)
      low = Array(repeating: 0, count: graph.count)
      onPath = Array(repeating: false, count: graph.count)
      components.reserveCapacity(graph.count)
    }

    mutating func run(from root: Int) {
      enter(root)
      while let (node, targets) = calls.last {
        guard let first = targets.first else {
          leave(node)
          continue
        }
        calls[calls.count - 1].targets = targets.dropFirst()
        let target = graph.all[first]
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
}
