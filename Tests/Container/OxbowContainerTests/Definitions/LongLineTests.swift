import OxbowContainer
import Testing

/// What is long takes its time once, and no stack (review D11, D36).
@Suite struct LongLineTests {
  @Test func `review D11: ten thousand parents are taken over, drawn and checked`() throws {
    let builder = ContainerBuilder.ofTests()
    var first = ObjectDefinition("p0", class: "Knight", scope: "prototype")
    first.properties = [.value("title", "Sir"), .value("age", "1")]
    builder.add(first)
    var definitions = [first]
    for number in 1...10_000 {
      var next = ObjectDefinition("p\(number)", scope: "prototype")
      next.parent = "p\(number - 1)"
      next.properties = [.value("age", "\(number)")]
      builder.add(next)
      definitions.append(next)
    }
    let container = try builder.build()
    let knight = try container.object("p10000", as: Knight.self)
    #expect(knight.title == "Sir")
    #expect(knight.age == 10_000)
    #expect(container.graph["p10000"]?.className == "Knight")
    #expect(ContainerGraph(definitions)["p10000"]?.className == "Knight")
  }

  @Test func `review D11: a long line of parents that ends nowhere is one problem`() {
    let builder = ContainerBuilder.ofTests()
    for number in 0...10_000 {
      var next = ObjectDefinition("p\(number)", scope: "prototype")
      next.parent = "p\(number - 1)"
      builder.add(next)
    }
    #expect(builder.faults == ["object \"p0\": there is no parent \"p-1\""])
    let circle = ContainerBuilder.ofTests()
    for number in 0...10_000 {
      var next = ObjectDefinition("p\(number)", scope: "prototype")
      next.parent = number == 0 ? "p2" : "p\(number - 1)"
      circle.add(next)
    }
    #expect(circle.faults == ["object \"p0\" is its own parent"])
  }

  @Test func `review D36: a chain of prototypes ends where a small stack would`() throws {
    func chain(_ count: Int) -> ContainerBuilder {
      let builder = ContainerBuilder()
      var last = builder.prototype(named: "n1", { 1 })
      for number in 2...count { last = builder.prototype(named: "n\(number)", { $0 + 1 }, last) }
      return builder
    }
    #expect(chain(201).check().problems.map(\.code) == [.chainTooLong])
    let container = try chain(200).build()
    #expect(try container.object("n200", as: Int.self) == 200)
  }

  @Test func `a chain of weak singletons ends where one of prototypes does`() throws {
    func chain(_ count: Int) -> ContainerBuilder {
      let builder = ContainerBuilder()
      builder.singleton(named: "n1", traits: .weak) { Node("1") }
      for number in 2...count {
        builder.singleton(
          named: "n\(number)", traits: .weak, { (_: Node) in Node("\(number)") },
          Ref<Node>("n\(number - 1)"))
      }
      return builder
    }
    #expect(chain(201).check().problems.map(\.code) == [.chainTooLong])
    #expect(try chain(200).build().object("n200", as: Node.self).name == "200")
  }

  @Test func `ten thousand aliases in a line lead to one object`() throws {
    let builder = ContainerBuilder()
    var last = builder.singleton(named: "a0") { Node("0") }
    for number in 1...10_000 { last = builder.alias("a\(number)", of: last) }
    let container = try builder.build()
    #expect(try container.object("a10000", as: Node.self) === container.object("a0", as: Node.self))
    let circle = ContainerBuilder()
    for number in 0..<10_000 {
      circle.add(ObjectAlias("a\(number)", of: "a\((number + 1) % 10_000)"))
    }
    #expect(circle.check().problems.map(\.message) == ["alias \"a0\" is its own alias"])
  }

  @Test func `a thousand circles that may stay are found`() throws {
    let builder = ContainerBuilder()
    builder.compatibility = .brokenCircles
    for number in 0..<1_000 {
      builder.singleton(named: "a\(number)", { (_: Node) in Node("a") }, Ref<Node>("b\(number)"))
      builder.singleton(named: "b\(number)", { (_: Node) in Node("b") }, Ref<Node>("a\(number)"))
    }
    let report = builder.check()
    #expect(report.problems.isEmpty)
    #expect(report.notes.count == 1_000)
  }

  @Test func `an unknown name of a million letters is reported at once`() throws {
    let name = String(repeating: "x", count: 1_000_000)
    let builder = ContainerBuilder()
    builder.singleton(named: name) { Node("x") }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object(name + "y", as: Node.self)
    }
    #expect(error?.problems.first?.nearNames == [])
  }
}
