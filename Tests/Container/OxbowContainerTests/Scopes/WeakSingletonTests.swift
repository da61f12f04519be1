import OxbowContainer
import Testing

@Suite struct WeakSingletonTests {
  @Test func `TY-18 a weak singleton is one object while somebody holds it, then another one`()
    throws
  {
    let tally = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.singleton(
      named: "greeter", traits: .weak, SharedGreeter.init(tally:), Ref.value(tally))
    let container = try builder.build()
    do {
      let first = try container.object(greeter)
      let second = try container.object(greeter)
      #expect(first === second)
      #expect(tally.count == 1)
    }
    _ = try container.object(greeter)
    #expect(tally.count == 2)
  }

  @Test func `a weak singleton of a value type is refused before anybody asks`() {
    let builder = ContainerBuilder()
    builder.singleton(named: "limit", traits: .weak, { 7 }, file: "W/App.swift", line: 3)
    #expect(
      builder.failure == """
        cannot build the container: object "limit" cannot be held weakly
           at: W/App.swift:3
           seen: a Int, which is not an object of a class
           expected: an object of a class for scope "weakSingleton"
           next: use scope "singleton", or make the type a class
        """)
  }

  @Test func `a singleton that refers to a weak one keeps it`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.singleton(
      named: "greeter", traits: .weak, SharedGreeter.init(tally:), Ref.value(tally))
    let user = builder.singleton(
      named: "user", { (greeter: SharedGreeter) in User(greeter) }, greeter)
    let container = try builder.build()
    _ = try container.object(user)
    _ = try container.object(greeter)
    _ = try container.object(greeter)
    #expect(tally.count == 1)
  }

  @Test func `a prototype in a circle with a weak singleton gets the one that is held`() throws {
    let builder = ContainerBuilder()
    let weak = builder.singleton(named: "weak", traits: .weak, { Node("weak") }) {
      $0.set(Ref<Node>("part")) { $0.neighbours.append($1) }
    }
    builder.prototype(named: "part", { Node("part") }) { $0.set(weak) { $0.neighbours.append($1) } }
    let container = try builder.build()
    let part = try container.object("part", as: Node.self)
    #expect(try part.neighbours[0] === container.object(weak))
    #expect(try container.object("part", as: Node.self).neighbours[0] === part.neighbours[0])
  }

  @Test func `a circle with a weak singleton is built as a unit, and again when it has ended`()
    throws
  {
    let builder = ContainerBuilder()
    builder.singleton(named: "strong") {
      Node("strong")
    } configure: {
      $0.set(Ref<Node>("weak")) { $0.neighbours.append($1) }
    }
    builder.singleton(named: "weak", traits: .weak) {
      Node("weak")
    } configure: {
      $0.set(Ref<Node>("strong")) { $0.neighbours.append($1) }
    }
    let container = try builder.build()
    let weak = try container.object("weak", as: Node.self)
    let strong = try container.object("strong", as: Node.self)
    #expect(weak.neighbours[0] === strong)
    #expect(strong.neighbours[0] === weak)
    strong.neighbours = []
  }

  @Test func `eight threads get one weak singleton while one of them holds it`() throws {
    for _ in 0..<50 {
      let tally = Tally()
      let builder = ContainerBuilder()
      let greeter = builder.singleton(
        named: "greeter", traits: .weak, SharedGreeter.init(tally:), Ref.value(tally))
      let container = try builder.build()
      let held = Collected<SharedGreeter>()
      onThreads(8) { _ in
        if let greeter = try? container.object(greeter) { held.append(greeter) }
      }
      #expect(held.all.count == 8)
      #expect(Set(held.all.map { ObjectIdentifier($0) }).count == 1)
      #expect(tally.count == 1)
    }
  }

  @Test func `a weak singleton behind a protocol that is not an object of a class is refused`()
    throws
  {
    let builder = ContainerBuilder()
    let number = builder.singleton(named: "number", traits: .weak) { 7 as any Sendable }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.object(number) }
    #expect("\(error, default: "")".contains("cannot be held weakly"))
  }
}

final class User: Sendable {
  let greeter: SharedGreeter
  init(_ greeter: SharedGreeter) { self.greeter = greeter }
}
