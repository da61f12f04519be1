import OxbowContainer
import OxbowDocuments
import Testing

// What `@Component("…", …)`, `@Inject` and `@Autowired` emit, written by hand.

private class Rider: Component {
  var quest: (any Quest)?
  var title = ""
  let name: String
  init(name: String) { self.name = name }
  nonisolated class var componentDescriptor: ComponentDescriptor { riderDescriptor }
}

private final class Scout: Rider {
  var age = 0
  override nonisolated class var componentDescriptor: ComponentDescriptor { scoutDescriptor }
}

private let nameParameter = ParameterDescriptor(
  "name", String.self, typeName: "String", sendability: .of(), accepts: { $0 is String.Type })

private let riderDescriptor = ComponentDescriptor(
  Rider.self, name: "Rider", sendability: .of(), product: .of(),
  initializers: [InitializerDescriptor(nameParameter) { Rider(name: $0) }],
  properties: [
    .property(
      "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(), isOptional: true,
      accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 }),
    .property(
      "title", String.self, typeName: "String", sendability: .of(), accepts: { $0 is String.Type },
      set: { $0.title = $1 }),
  ],
  annotations: ComponentAnnotations(
    name: "rider",
    assignments: [
      .reference("quest", to: "grail"), .value("title", "Rider"), .value("name", "Ann"),
    ]))

private let scoutDescriptor = ComponentDescriptor(
  Scout.self, name: "Scout", sendability: .of(), product: .of(),
  initializers: [
    InitializerDescriptor(nameParameter) { Scout(name: $0) },
    InitializerDescriptor { Scout(name: "plain") },
  ],
  properties: [
    .property(
      "age", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
      set: { $0.age = $1 })
  ],
  annotations: ComponentAnnotations(
    assignments: [.value("title", "Scout"), .value("age", "18")]))

private final class Banner: Component, Sendable, Greeter {
  var count: Int { 0 }
  func name() throws -> String { "banner" }
  func greet(_ guest: String) throws -> String { "\(guest)!" }
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Banner.self, name: "Banner", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Banner() }],
      annotations: ComponentAnnotations(name: "flag", scope: "singleton", isLazy: true))
  }
}

@Suite struct AnnotationTests {
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.register(riderDescriptor)
    builder.register(scoutDescriptor)
    builder.singleton(named: "grail", Grail.init)
    return builder
  }

  @Test func `OX-11 an annotated class is defined by its type: name, scope, laziness, references`()
    throws
  {
    let builder = builder()
    let rider = builder.add(Rider.self)
    builder.registerProxy(GreeterProxy.self)
    builder.add(Banner.self)
    let container = try builder.build()
    let found = try container.object(rider)
    #expect(found.name == "Ann")
    #expect(found.quest is Grail)
    #expect(try container.object(rider) !== container.object(rider))
    let flag = try container.object("flag", as: (any Greeter).self)
    #expect(flag is GreeterProxy)
    #expect(try flag.greet("Kay") == "Kay!")
    let summary = container.graph["rider"]
    #expect(summary?.location?.file.hasSuffix("AnnotationTests.swift") == true)
  }

  @Test
  func `OX-12 without a name the class's name counts, annotations are inherited, nearest first`()
    throws
  {
    let builder = builder()
    builder.add(Scout.self)
    builder.add(Scout.self, named: "other")
    let container = try builder.build()
    let scout = try container.object("Scout", as: Scout.self)
    #expect(scout.title == "Scout")
    #expect(scout.age == 18)
    #expect(scout.name == "Ann")
    #expect(scout.quest is Grail)
    #expect(try container.object("other", as: Scout.self).age == 18)
  }

  @Test func `OX-12 what a definition says goes before annotations`() throws {
    let builder = builder()
    builder.prototype(named: "dragon", Dragon.init)
    builder.add(
      ObjectDefinition(
        "rider", class: "Rider", scope: "prototype",
        properties: [.reference("quest", to: "dragon"), .value("name", "Bea")]))
    var plain = ObjectDefinition("plain", class: "Scout", scope: "prototype")
    plain.initializer = InitializerCall(MethodName("init"), arguments: [])
    builder.add(plain)
    var called = ObjectDefinition("called", class: "Scout", scope: "prototype")
    called.initializer = InitializerCall(MethodName("init", labels: ["name"]), arguments: [])
    builder.add(called)
    let container = try builder.build()
    let rider = try container.object("rider", as: Rider.self)
    #expect(rider.quest is Dragon)
    #expect(rider.name == "Bea")
    #expect(rider.title == "Rider")
    // An annotated argument of an initializer that is not called is not meant.
    #expect(try container.object("plain", as: Scout.self).name == "plain")
    #expect(try container.object("called", as: Scout.self).name == "Ann")
  }

  @Test func `OX-13 a class is defined by its name, an unknown one is a problem`() throws {
    let builder = builder()
    builder.add(className: "Rider")
    builder.add(className: "Scout", named: "scout")
    #expect(try builder.build().names == ["grail", "rider", "scout"])
    builder.add(className: "Ridr", file: "W/App.swift", line: 3)
    #expect(
      builder.failure == """
        cannot build the container: object "Ridr": class "Ridr" is not known
           at: W/App.swift:3
           seen: class "Ridr"
           expected: a class with @Component in this program, or one that was registered
           did you mean: "Rider"?
           next: annotate the class with @Component or register it; define the object in Swift where the class \
        is another module's
        """)
  }

  @Test func `OX-11 every class whose annotation has a name is defined at once`() throws {
    let builder = ContainerBuilder()
    // Other test targets of the program have annotated classes, too.
    builder.classes = ClassRegistry(entries: [])
    builder.register(riderDescriptor)
    builder.register(scoutDescriptor)
    builder.singleton(named: "grail", Grail.init)
    builder.addAnnotatedComponents()
    let container = try builder.build()
    #expect(container.contains("rider"))
    #expect(!container.contains("Scout"))
    #expect(try container.object("rider", as: Rider.self).quest is Grail)
  }
}
