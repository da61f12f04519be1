/// The declared graph: definitions by number, and who needs whom.
package struct DependencyGraph {
  package struct Arrow {
    package let target: Int
    package let dependency: Dependency
  }

  /// The arrows of all nodes, one after the other.
  package struct Arrows {
    private var all: [Arrow] = []
    private var starts = [0]

    fileprivate init(_ dependencies: [[Dependency]], _ numbers: [String: Int]) {
      starts.reserveCapacity(dependencies.count + 1)
      for dependencies in dependencies {
        for dependency in dependencies {
          if let target = numbers[dependency.target] {
            all.append(Arrow(target: target, dependency: dependency))
          }
        }
        starts.append(all.count)
      }
    }

    package subscript(node: Int) -> ArraySlice<Arrow> { all[starts[node]..<starts[node + 1]] }
  }

  package let nodes: [AnyBinding]
  /// What each node needs; references to nothing are left out.
  package let arrows: Arrows
  /// What each node needs, references to nothing included.
  package let dependencies: [[Dependency]]
  /// Names that stand for those of definitions.
  package let aliases: [String: String]
  private let numbers: [String: Int]

  /// Creates the graph of definitions whose names are unique.
  ///
  /// - Parameters:
  ///   - nodes: The definitions.
  ///   - dependencies: What each needs, by name.
  ///   - aliases: Names that stand for those of definitions.
  package init(_ nodes: [AnyBinding], dependencies: [[Dependency]], aliases: [String: String] = [:])
  {
    var numbers: [String: Int] = [:]
    numbers.reserveCapacity(nodes.count)
    for (number, node) in nodes.enumerated() { numbers[node.name] = number }
    for (name, target) in aliases { numbers[name] = numbers[target] }
    self.aliases = aliases
    self.nodes = nodes
    self.dependencies = dependencies
    self.numbers = numbers
    arrows = Arrows(dependencies, numbers)
  }

  package func number(of name: String) -> Int? { numbers[name] }

  /// The strongly connected components of hard and soft arrows, deepest first.
  package func components() -> [[Int]] {
    Adjacency(nodes.count) { node in
      arrows[node].lazy.filter { $0.dependency.when != .later }.map(\.target)
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
      for arrow in arrows[number] where arrow.dependency.when != .later {
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
