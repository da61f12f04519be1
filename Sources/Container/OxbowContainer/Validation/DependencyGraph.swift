internal import OxbowDocuments

/// The declared graph: bindings by number, and who needs whom.
struct DependencyGraph {
  /// A dependency on a definition that exists.
  struct Arrow {
    let target: Int
    let dependency: Dependency
  }

  let nodes: [AnyBinding]
  /// What each node needs, references to names that nothing has included.
  let dependencies: [[Dependency]]
  /// The names of definitions by their other names.
  let aliases: [String: String]
  /// The strongly connected components of what is not needed later, deepest first.
  let components: [[Int]]
  private let numbers: [String: Int]
  /// The arrows of all nodes, one after the other.
  private let all: [Arrow]
  private let starts: [Int]

  /// Creates the graph of definitions whose names are unique.
  init(_ nodes: [AnyBinding], dependencies: [[Dependency]], aliases: [String: String] = [:]) {
    var numbers: [String: Int] = [:]
    numbers.reserveCapacity(nodes.count)
    for (number, node) in nodes.enumerated() { numbers[node.name] = number }
    for (name, target) in aliases { numbers[name] = numbers[target] }
    var (all, starts) = ([Arrow](), [0])
    starts.reserveCapacity(nodes.count + 1)
    for dependencies in dependencies {
      for dependency in dependencies {
        if let target = numbers[dependency.target] {
          all.append(Arrow(target: target, dependency: dependency))
        }
      }
      starts.append(all.count)
    }
    self.nodes = nodes
    self.dependencies = dependencies
    self.aliases = aliases
    self.numbers = numbers
    self.all = all
    self.starts = starts
    components =
      DirectedGraph(nodes.count) { node in
        all[starts[node]..<starts[node + 1]].lazy.filter { $0.dependency.when != .later }
          .map(\.target)
      }.stronglyConnected()
  }

  func number(of name: String) -> Int? { numbers[name] }

  /// What a node needs; references to names that nothing has are left out.
  func arrows(of node: Int) -> ArraySlice<Arrow> { all[starts[node]..<starts[node + 1]] }

  /// The numbers of what nodes need and of what these need, each once, without their own.
  func reached(from nodes: [Int]) -> [Int] {
    var found: [Int] = []
    var seen = Set(nodes)
    var open = nodes
    while let next = open.popLast() {
      for arrow in arrows(of: next) where seen.insert(arrow.target).inserted {
        found.append(arrow.target)
        open.append(arrow.target)
      }
    }
    return found
  }

  /// The members of a component with those first that constructors need, or a circle of
  /// constructors.
  func constructionOrder(of component: [Int]) -> DirectedGraph.Order {
    DirectedGraph.sort(component) { node in
      arrows(of: node).filter { $0.dependency.when == .construction }.map(\.target)
    }
  }

  /// Whether members of a component may need each other, or the only one itself.
  func canHoldCircle(_ component: [Int]) -> Bool {
    guard component.count == 1, let only = component.first else { return true }
    return arrows(of: only).contains { $0.target == only }
  }

  /// Shortest chains from definitions that are not needed.
  func shortestChains() -> DirectedGraph.Chains {
    DirectedGraph(nodes.count) { arrows(of: $0).lazy.map(\.target) }.shortestChains()
  }

  /// The names along a chain, as people see them.
  func shownNames(along chain: [Int]) -> [String] {
    var names: [String] = []
    // A proxy and what is behind it are one object for a reader of this.
    for node in chain where names.last != nodes[node].shownName {
      names.append(nodes[node].shownName)
    }
    return names
  }

  /// The names of nodes whose objects reach others that are shared within a request, themselves
  /// included.
  ///
  /// Only through objects that are made for the request, not through those that are shared.
  func requestSharers() -> Set<String> {
    var found = nodes.map { $0.scope.isSharedWithinRequest }
    guard found.contains(true) else { return [] }
    var users = [[Int]](repeating: [], count: nodes.count)
    for number in nodes.indices {
      for arrow in arrows(of: number) where arrow.dependency.when != .later {
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
}

// MARK: - Circles that may stay

extension DependencyGraph {
  /// A circle of constructors; nil when there is none.
  func circleOfConstructors(in component: [Int]) -> [Int]? {
    guard canHoldCircle(component),
      case .circle(let circle) = constructionOrder(of: component.sorted())
    else { return nil }
    return circle
  }

  /// A circle of constructors of each component that has one.
  private var circlesOfConstructors: [[Int]] {
    components.compactMap { circleOfConstructors(in: $0) }
  }

  /// The names along a circle, the first again at the end.
  func names(along circle: [Int]) -> [String] {
    (circle + circle.prefix(1)).map { nodes[$0].name }
  }

  /// Takes away what the members of circles of constructors need, until there is no such circle.
  ///
  /// - Returns: For each member what asking for it throws; and a note for each circle.
  mutating func breakCircles() -> (errors: [Int: ContainerError], notes: [ContainerError.Note]) {
    var errors: [Int: ContainerError] = [:]
    var notes: [ContainerError.Note] = []
    while case let circles = circlesOfConstructors, !circles.isEmpty {
      var dependencies = dependencies
      for circle in circles {
        for (member, error) in self.errors(along: circle) {
          errors[member] = error
          dependencies[member] = []
        }
        notes.append(note(on: circle))
      }
      self = DependencyGraph(nodes, dependencies: dependencies, aliases: aliases)
    }
    return (errors, notes)
  }

  /// For each member of a circle what asking for it throws: the circle from there on.
  private func errors(along circle: [Int]) -> [(member: Int, error: ContainerError)] {
    circle.enumerated().map { index, member in
      let turned = Array(circle[index...] + circle[..<index])
      return (
        member,
        ContainerError(
          .cyclicInitializers(names(along: turned)).at(nodes[member].location),
          getting: nodes[member].name)
      )
    }
  }

  private func note(on circle: [Int]) -> ContainerError.Note {
    ContainerError.Note(
      "the initializers of "
        + quoted(names(along: circle), by: " → ")
        + " need each other: asking for one of them fails", at: nodes[circle[0]].location)
  }
}

extension DefinitionCheck {
  /// What is wrong with definitions.
  func problems(of graph: DependencyGraph) -> [ContainerError.Problem] {
    find(
      graph.nodes.enumerated().map { number, node in
        DefinedObject(
          name: node.shownName, type: node.type, location: node.location,
          reached: { graph.reached(from: [number]).map { graph.nodes[$0] } })
      })
  }
}
