import OxbowContainer
import Testing

@Suite struct CompatibilityTests {
  private final class Witness: ContainerBuildingDelegate {
    var container: Container?
    var errors: [any Error] = []
    var calls = 0
    func containerBuildingFinished(_ container: Container) {
      calls += 1
      self.container = container
    }
    func containerBuildingFailed(_ error: any Error) {
      calls += 1
      errors.append(error)
    }
  }

  private func circle() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.singleton(
      named: "a", { (_: Node) in Node("a") }, Ref<Node>("b"), file: "W/App.swift", line: 1)
    builder.singleton(named: "b", { (_: Node) in Node("b") }, Ref<Node>("a"))
    builder.singleton(named: "user", { (_: Node) in Node("user") }, Ref<Node>("b"))
    builder.singleton(named: "grail", Grail.init)
    return builder
  }

  @Test func `TY-11 broken circles may stay: only who asks for one gets the error`() throws {
    #expect(circle().check().problems.map(\.code) == [.cyclicInitializers])
    let builder = circle()
    builder.compatibility.insert(.brokenCircles)
    #expect(
      builder.check().notes.map(\.text) == [
        "the initializers of \"a\" → \"b\" → \"a\" need each other: asking for one of them fails"
      ])
    let container = try builder.build()
    #expect(try container.object("grail", as: Grail.self).goal == "grail")
    let error = #expect(throws: ContainerError.self) { try container.object("a", as: Node.self) }
    #expect(
      "\(error.map { "\($0)" } ?? "")" == """
        cannot get object "a": object "a" cannot be constructed: the circle of its initializers never ends
           at: W/App.swift:1
           seen: "a" → "b" → "a"
           expected: at least one arrow of the circle that is not an initializer argument
           next: inject one of them through a property, a Provider or a lazy proxy
        """)
    let user = #expect(throws: ContainerError.self) { try container.object("user", as: Node.self) }
    #expect(user?.problems.first?.seen == "\"b\" → \"a\" → \"b\"")
    #expect(user?.problems.first?.requestedBy == ["\"user\""])
    let injected = #expect(throws: ContainerError.self) {
      try container.inject(into: Node("c"), as: "a")
    }
    #expect(injected?.problems.first?.code == .cyclicInitializers)
  }

  @Test func `OX-25 a delegate gets exactly one call`() {
    let good = Witness()
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    builder.build(reportingTo: good)
    #expect(good.calls == 1)
    #expect(good.container?.names == ["grail"])
    let bad = Witness()
    circle().build(reportingTo: bad)
    #expect(bad.calls == 1)
    #expect((bad.errors.first as? ContainerError)?.code == .cyclicInitializers)
  }
}
