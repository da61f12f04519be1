import OxbowContainer
import OxbowTestSupport
import Testing

/// 300 random graphs with circles, entered by eight threads from every end.
@Suite struct RandomGraphTests {
  @Test func `in random cyclic graphs nothing is built twice and no one sees half an object`()
    throws
  {
    let seed = UInt64.random(in: 1...UInt64.max / 2)
    print("random graphs: seed \(seed)")
    var generator = SeededRandom(seed: seed)
    for number in 0..<300 {
      let graph = RandomGraph(using: &generator)
      let faults = try graph.run()
      #expect(faults.isEmpty, "seed \(seed), graph \(number): \(faults)")
    }
  }
}

/// Objects of all scopes that leave their container: initializers point down, so that they make no
/// circle; properties point anywhere.
private struct RandomGraph {
  enum Kind: CaseIterable { case singleton, weak, prototype, objectGraph }

  let size: Int
  let kinds: [Kind]
  let needs: [[Int]]
  let properties: [[Int]]

  init(using generator: inout SeededRandom) {
    let size = Int.random(in: 2...12, using: &generator)
    self.size = size
    kinds = Self.kinds(size, using: &generator)
    var needs: [[Int]] = []
    var properties: [[Int]] = []
    for number in 0..<size {
      needs.append((0..<number).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
      properties.append((0..<size).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
    }
    self.needs = needs
    self.properties = properties
  }

  /// Mostly shared: objects that are made anew on every way to them grow with the number of ways.
  private static func kinds(_ size: Int, using generator: inout SeededRandom) -> [Kind] {
    var fresh = 0
    return (0..<size).map { _ in
      let kind = Kind.allCases.randomElement(using: &generator) ?? .singleton
      guard kind == .prototype || kind == .objectGraph else { return kind }
      fresh += 1
      return fresh > 4 ? .singleton : kind
    }
  }

  func run() throws -> [String] {
    let made = (0..<size).map { _ in Tally() }
    let container = try makeContainer(made)
    let faults = Collected<String>()
    onThreads(8) { thread in
      for step in 0..<size { check((thread + step) % size, in: container, faults) }
    }
    let counts = made.map(\.count)
    if zip(counts, kinds).contains(where: { $1 == .singleton && $0 != 1 }) {
      faults.append("built \(counts) of \(kinds)")
    }
    return faults.all
  }

  private func makeContainer(_ made: [Tally]) throws -> Container {
    let builder = ContainerBuilder()
    for number in 0..<size {
      let tally = made[number]
      let needs = needs[number].map { Ref<Node?>("\($0)") }
      define(number, needs, tally, on: builder)
    }
    return try builder.build()
  }

  /// Up to two references through the initializer, the rest through properties.
  private func define(
    _ number: Int, _ needs: [Ref<Node?>], _ tally: Tally, on builder: ContainerBuilder
  ) {
    let make: @Sendable (Node?, Node?) -> Node = { _, _ in
      tally.add()
      return Node("\(number)")
    }
    let configure: (inout Injections<Node>) -> Void = { injections in
      for property in properties[number] {
        injections.set(Ref<Node>("\(property)")) { $0.neighbours.append($1) }
      }
      injections.set(\.isComplete, to: true)
    }
    let first = needs.first ?? .value(nil)
    let second = needs.dropFirst().first ?? .value(nil)
    let name = "\(number)"
    switch kinds[number] {
    case .singleton: builder.singleton(named: name, make, first, second, configure: configure)
    case .weak:
      builder.singleton(named: name, traits: .weak, make, first, second, configure: configure)
    case .prototype: builder.prototype(named: name, make, first, second, configure: configure)
    case .objectGraph:
      builder.prototype(named: name, in: .objectGraph, make, first, second, configure: configure)
    }
  }

  private func check(_ number: Int, in container: Container, _ faults: Collected<String>) {
    do {
      let node = try container.object("\(number)", as: Node.self)
      for half in reachable(from: node) where !half.isComplete {
        faults.append("\(number) leads to half-injected \(half.name)")
      }
      if node.neighbours.map(\.name) != properties[number].map(String.init) {
        faults.append("\(number) refers to \(node.neighbours.map(\.name))")
      }
    } catch {
      faults.append("\(error)")
    }
  }

  private func reachable(from node: Node) -> [Node] {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(node)]
    var found = [node]
    var next = 0
    while next < found.count {
      for neighbour in found[next].neighbours
      where seen.insert(ObjectIdentifier(neighbour)).inserted { found.append(neighbour) }
      next += 1
    }
    return found
  }
}
