import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct FactoryComponentTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "forge.xml", line: line, column: 5)
  }

  private func builder(
    _ method: String?, _ arguments: [PropertyAssignment] = [], forge: String = "Forge",
    component: String = "forge", _ change: (inout ObjectDefinition) -> Void = { _ in }
  ) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    var definition = ObjectDefinition("blade", scope: "prototype", at: place(1))
    definition.factoryComponent = component
    definition.initializer = method.flatMap { MethodName(text: $0) }
      .map { InitializerCall($0, arguments: arguments, at: place(2)) }
    change(&definition)
    builder.add(definition)
    builder.add(
      ObjectDefinition(
        "forge", class: forge, scope: "prototype", properties: [.value("smith", "Wayland")],
        at: place(5)))
    return builder
  }

  @Test func `TY-17 a method of another object makes the object, which is then injected`() throws {
    let container = try builder("bladeWithLength:", [.value("length", "80")]) {
      $0.properties = [.value("owner", "Arthur")]
      $0.methodAfterInjection = "polish"
    }.build()
    let blade = try container.object("blade", as: Blade.self)
    #expect(blade.maker == "Wayland")
    #expect(blade.length == 80)
    #expect(blade.owner == "Arthur")
    #expect(blade.log.last == "polish, owner \"Arthur\"")
  }

  @Test func `TY-17 inherited methods count, properties can be arguments, the class may be named`()
    throws
  {
    let container = try builder("blade(length:)", forge: "RoyalForge") {
      $0.className = "Blade"
      $0.properties = [.value("length", "70"), .value("owner", "Kay")]
    }.build()
    let blade = try container.object("blade", as: Blade.self)
    #expect(blade.length == 70)
    #expect(blade.owner == "Kay")
  }

  @Test func `TY-17 the product's sharing is the method's, and scope is the product's`() throws {
    let shared = builder("grail") { $0.scope = "singleton" }
    let container = try shared.build()
    #expect(
      try container.object("blade", as: Grail.self) === container.object("blade", as: Grail.self))
    let unshared = builder("blade(length:)", [.value("length", "1")]) { $0.scope = "singleton" }
    #expect(
      unshared.faults == [
        "object \"blade\" would be used by several threads, but its type is not Sendable"
      ])
  }

  @Test func `TY-17 wrong methods, classes and combinations are problems`() {
    #expect(
      builder("bladeWithSize:", [.value("size", "1")]).failure == """
        cannot build the container: object "blade": object "forge" has no method "bladeWithSize:"
           at: forge.xml:2:5
           seen: method "bladeWithSize:" of a Forge
           expected: one of "blade(length:)", "grail"
           next: correct the labels, or describe the method
        """)
    #expect(builder(nil).faults == ["object \"blade\": nothing says which method makes it"])
    #expect(
      builder("grail") { $0.initializer?.isStatic = true }.faults == [
        "object \"blade\": a static method cannot belong to object \"forge\""
      ])
    #expect(
      builder("grail") { $0.className = "Blade" }.faults == [
        "object \"blade\": its method makes no \"Blade\""
      ])
    #expect(
      builder("grail", component: "frge").faults == [
        "object \"blade\", factory component: there is no object named \"frge\""
      ])
    #expect(
      builder("grail", component: "blade").faults == [
        "object \"blade\" cannot be constructed: the circle of its initializers never ends"
      ])
  }

  @Test func `TY-17 a lazy product waits behind its proxy, and a product can make another one`()
    throws
  {
    let lazy = builder("host", forge: "Inn") {
      $0.scope = "singleton"
      $0.isLazy = true
    }
    lazy.register(Inn.self)
    lazy.registerProxy(GreeterProxy.self)
    var chained = ObjectDefinition("second", at: place(9))
    chained.factoryComponent = "inns"
    chained.initializer = InitializerCall(MethodName("host"), arguments: [])
    lazy.add(chained)
    var inns = ObjectDefinition("inns", scope: "prototype", at: place(10))
    inns.factoryComponent = "forge"
    inns.initializer = InitializerCall(MethodName("branch"), arguments: [])
    lazy.add(inns)
    let container = try lazy.build()
    let host = try container.object("blade", as: (any Greeter).self)
    #expect(host is GreeterProxy)
    #expect(try host.greet("Kay") == "Hello Kay")
    #expect(try container.object("second", as: SharedGreeter.self).name() == "shared greeter")
  }
}

private final class Inn: Component {
  var smith = ""
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Inn.self, name: "Inn", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Inn() }],
      properties: [
        .property(
          "smith", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.smith = $1 })
      ],
      methods: [
        MethodDescriptor("host", sendability: .of()) { _ in SharedGreeter(tally: Tally()) },
        MethodDescriptor("branch", sendability: .of()) { _ in Inn() },
      ])
  }
}
