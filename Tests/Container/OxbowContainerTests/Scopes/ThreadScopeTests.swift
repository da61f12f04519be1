import OxbowContainer
import Testing

@Suite struct ThreadScopeTests {
  @Test func `each thread has its own object, dropped when the thread ends`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    builder.prototype(named: "greeter", in: .thread, ThreadGreeter.init(tally:), Ref.value(tally))
    let container = try builder.build()
    let counts = Collected<Int>()
    onThreads(4) { _ in
      for _ in 0..<3 {
        _ = try? container.withObject("greeter", as: ThreadGreeter.self) { try $0.greet("x") }
      }
      let count = try? container.withObject("greeter", as: (any Greeter).self) { try $0.count }
      counts.append(count ?? -1)
    }
    #expect(counts.all == [3, 3, 3, 3])
    #expect(tally.count == 4)
    #expect(tally.endedCount == 4)
  }

  @Test func `a scope of work has its own objects and drops them at its end`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.prototype(
      named: "greeter", in: .thread, ThreadGreeter.init(tally:), Ref.value(tally))
    let container = try builder.build()
    try container.withObject(greeter) { _ = try $0.greet("outside") }
    try container.withThreadScope {
      try container.withObject(greeter) { _ = try $0.greet("inside") }
      try container.withObject(greeter) { #expect($0.count == 1) }
      try container.withThreadScope {
        try container.withObject(greeter) { #expect($0.count == 0) }
      }
      #expect(tally.endedCount == 1)
    }
    #expect(tally.endedCount == 2)
    try container.withObject(greeter) { #expect($0.count == 1) }
    #expect(tally.count == 3)
  }

  @Test func `the objects of threads that live on end with the container`() throws {
    let tally = Tally()
    do {
      let builder = ContainerBuilder()
      builder.prototype(named: "greeter", in: .thread, ThreadGreeter.init(tally:), Ref.value(tally))
      let container = try builder.build()
      try container.withObject("greeter", as: ThreadGreeter.self) { _ = try $0.greet("x") }
    }
    #expect(tally.endedCount == 1)
  }

  @Test func `objects of a thread may refer to each other in a circle`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "a", in: .thread) {
      Node("a")
    } configure: {
      $0.set(Ref<Node>("b")) { $0.neighbours.append($1) }
      $0.set(\.isComplete, to: true)
    }
    builder.prototype(named: "b", in: .thread) {
      Node("b")
    } configure: {
      $0.set(Ref<Node>("a")) { $0.neighbours.append($1) }
    }
    let container = try builder.build()
    try container.withObject("b", as: Node.self) { b in
      #expect(b.neighbours[0].name == "a")
      #expect(b.neighbours[0].isComplete)
      #expect(b.neighbours[0].neighbours[0] === b)
    }
  }

  @Test func `an object of a thread cannot be asked for`() throws {
    let builder = ContainerBuilder()
    let knight = builder.prototype(named: "knight", in: .thread, Knight.init)
    builder.prototype(named: "node", in: .thread) { Node("node") }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { _ = try container.object(knight) }
    #expect(error?.code == .confinedEscapes)
    #expect(
      "\(error?.problems.first?.nextStep ?? "")"
        == "use withObject(\"knight\") { … }, or a thread-local proxy")
    #expect(throws: ContainerError.self) { try container.object("node", as: Node.self) }
  }

  @Test func `a constructor that asks for what it makes on its thread gets an error`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let proxy = Ref<GreeterProxy>("proxy")
    let target = builder.prototype(
      named: "target", in: .thread,
      { (proxy: GreeterProxy) in
        _ = try proxy.greet("myself")
        return ThreadGreeter(tally: tally)
      }, proxy)
    builder.proxy(named: "proxy", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.withObject(target) { _ in }
    }
    #expect(error?.problems.first?.code == .constructionDeadlock)
  }

  @Test func `a container without thread scope runs a scope of work as it is`() throws {
    let container = try ContainerBuilder().build()
    #expect(container.withThreadScope { 7 } == 7)
  }
}
