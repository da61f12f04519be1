import OxbowContainer
import Testing

/// Lazy and thread-local objects as files ask for them.
@Suite struct FileProxyTests {
  private func builder(_ tally: Tally) -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.registerProxy(GreeterProxy.self)
    builder.register(
      ComponentDescriptor(
        SharedGreeter.self, name: "SharedGreeter", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { SharedGreeter(tally: tally) }]))
    builder.register(
      ComponentDescriptor(
        ThreadGreeter.self, name: "ThreadGreeter", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { ThreadGreeter(tally: tally) }]))
    return builder
  }

  @Test func `OX-05 lazy gives a proxy of the class's protocol`() throws {
    let tally = Tally()
    let builder = builder(tally)
    builder.add(ObjectDefinition("greeter", class: "SharedGreeter", isLazy: true))
    let container = try builder.build()
    let greeter = try container.object("greeter", as: (any Greeter & Sendable).self)
    #expect(tally.count == 0)
    #expect(try greeter.greet("Ada") == "Hello Ada")
    #expect(tally.count == 1)
    #expect(container.names == ["greeter"])
    #expect((greeter as? GreeterProxy)?.isTargetMaterialized == true)
  }

  @Test func `OX-20 LazyProxyFactory gives a proxy of what it refers to`() throws {
    let tally = Tally()
    let builder = builder(tally)
    builder.add(
      ObjectDefinition(
        "greeter", class: "LazyProxyFactory",
        properties: [.reference("factoryObject", to: "target")]))
    builder.add(ObjectDefinition("target", class: "SharedGreeter"))
    let container = try builder.build()
    let greeter = try container.object("greeter", as: (any Greeter).self)
    #expect(tally.count == 0)
    #expect(try greeter.name() == "shared greeter")
    #expect(tally.count == 1)
  }

  @Test func `OX-22 ThreadLocalProxyFactory gives each thread its own`() throws {
    let tally = Tally()
    let builder = builder(tally)
    builder.add(
      ObjectDefinition(
        "greeter", class: "ThreadLocalProxyFactory",
        properties: [.reference("factoryObject", to: "target"), .value("name", "greeter")]))
    builder.add(
      ObjectDefinition(
        "same", class: "ThreadLocalProxyFactory",
        properties: [
          .reference("factoryObject", to: "target"), .value("name", "greeter"),
          .value("protocol", "Greeter"),
        ]))
    builder.add(ObjectDefinition("target", class: "ThreadGreeter", scope: "prototype"))
    let container = try builder.build()
    let greeter = try container.object("greeter", as: GreeterProxy.self)
    onThreads(4) { _ in _ = try? greeter.greet("Ada") }
    #expect(tally.count == 4)
    _ = try greeter.greet("Ada")
    #expect(try container.object("same", as: GreeterProxy.self).count == 1)
  }

  @Test func `a proxy of a proxy is found whatever the order`() throws {
    let builder = builder(Tally())
    builder.add(
      ObjectDefinition(
        "outer", class: "LazyProxyFactory", properties: [.reference("factoryObject", to: "inner")]))
    builder.add(
      ObjectDefinition(
        "inner", class: "LazyProxyFactory", properties: [.reference("factoryObject", to: "target")]
      ))
    builder.add(ObjectDefinition("target", class: "SharedGreeter"))
    let outer = try builder.build().object("outer", as: (any Greeter).self)
    #expect(try outer.greet("Ada") == "Hello Ada")
  }

  @Test func `a long chain of proxies keeps the order of the definitions`() throws {
    let builder = builder(Tally())
    for number in 0..<400 {
      builder.add(
        ObjectDefinition(
          "proxy \(number)", class: "LazyProxyFactory",
          properties: [.reference("factoryObject", to: "proxy \(number + 1)")]))
    }
    builder.add(ObjectDefinition("proxy 400", class: "SharedGreeter"))
    let container = try builder.build()
    #expect(try container.object("proxy 300", as: (any Greeter).self).greet("Ada") == "Hello Ada")
    #expect(container.names == ["proxy 400"] + (0..<400).reversed().map { "proxy \($0)" })
  }

  @Test func `a missing proxy class, an ambiguous one and a missing reference are named`() throws {
    let builder = builder(Tally())
    builder.register(Grail.self)
    builder.registerProxy(NamedProxy.self)
    builder.add(ObjectDefinition("grail", class: "Grail", isLazy: true))
    builder.add(ObjectDefinition("greeter", class: "SharedGreeter", isLazy: true))
    builder.add(ObjectDefinition("empty", class: "LazyProxyFactory"))
    builder.add(
      ObjectDefinition(
        "lost", class: "LazyProxyFactory", properties: [.reference("factoryObject", to: "targit")]))
    builder.add(
      ObjectDefinition(
        "circle", class: "LazyProxyFactory", properties: [.reference("factoryObject", to: "circle")]
      ))
    builder.add(
      ObjectDefinition(
        "chosen", class: "LazyProxyFactory",
        properties: [.reference("factoryObject", to: "target"), .value("protocol", "Named")]))
    builder.add(ObjectDefinition("target", class: "SharedGreeter"))
    let report = builder.check()
    #expect(
      report.problems.map(\.code) == [
        .noProxy, .ambiguousProxy, .factoryIncomplete, .missingReference, .cyclicProxies,
      ])
    #expect(report.problems[3].nearNames == ["target"])
    #expect(
      report.graph.definitions.filter { $0.typeName != nil }.map(\.name) == ["chosen", "target"])
  }

  @Test func `a lazy object must be Sendable`() throws {
    let builder = builder(Tally())
    builder.add(ObjectDefinition("greeter", class: "ThreadGreeter", isLazy: true))
    #expect(builder.check().problems.map(\.code) == [.sharedNotSendable])
  }
}
