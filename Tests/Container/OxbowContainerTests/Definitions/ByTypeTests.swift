import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct ByTypeTests {
  private protocol Unseen: AnyObject {}
  private final class Ghost: Unseen, Sendable {}

  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "types.xml", line: line, column: 3)
  }

  private func builder(_ properties: [String]) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype",
        properties: properties.map {
          PropertyAssignment($0, to: .byType, at: place(2)).needingObject()
        },
        at: place(1)))
    return builder
  }

  @Test func `TY-06 a property without a value gets the one object that fits its type`() throws {
    let builder = builder(["captain", "leader"])
    builder.add(ObjectDefinition("king", class: "King", scope: "prototype"))
    builder.add(ObjectDefinition("grail", class: "Grail"))
    let container = try builder.build()
    let company = try container.object("company", as: Company.self)
    #expect(company.captain is King)
    #expect(company.leader is Grail)
    #expect(container.graph["company"]?.needs.map(\.target) == ["king", "grail"])
  }

  @Test func `TY-06 none and several are problems that name the candidates`() {
    let none = builder(["captain"])
    #expect(
      none.failure == """
        cannot build the container: object "company", property "captain": no object is a Knight
           at: types.xml:2:3
           seen: no definition whose objects surely fit
           expected: exactly one object that is a Knight
           next: define one, or refer to an object by its name
        """)
    let several = builder(["captain"])
    several.add(ObjectDefinition("kay", class: "Knight", scope: "prototype", at: place(5)))
    several.add(ObjectDefinition("arthur", class: "King", scope: "prototype", at: place(6)))
    #expect(
      several.failure == """
        cannot build the container: object "company", property "captain": 2 objects are each a Knight
           at: types.xml:2:3
           seen: "kay", a Knight at types.xml:5:3; "arthur", a King at types.xml:6:3
           expected: exactly one object that is a Knight
           next: refer to one of them by its name, or make one of them primary
        """)
  }

  @Test func `TY-06 collections and dictionaries take all that fit, and none gets itself`() throws {
    let builder = builder(["quests", "goals", "knights"])
    builder.add(ObjectDefinition("dragon", class: "Dragon", scope: "prototype"))
    builder.add(ObjectDefinition("grail", class: "Grail"))
    var knight = ObjectDefinition("knight", class: "Knight", scope: "prototype")
    knight.properties = [.reference("quest", to: "grail")]
    builder.add(knight)
    let company = try builder.build().object("company", as: Company.self)
    #expect(company.quests.map(\.goal) == ["dragon", "grail"])
    #expect(company.goals.mapValues(\.goal) == ["dragon": "dragon", "grail": "grail"])
    #expect(company.knights.count == 1)
    let alone = ContainerBuilder.ofTests()
    alone.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [PropertyAssignment("rival", to: .byType).needingObject()]))
    #expect(alone.faults == ["object \"knight\", property \"rival\": no object is a Knight"])
  }

  @Test func `TY-06 lazy objects fit by their proxies, and circles by type are circles`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.registerProxy(GreeterProxy.self)
    let tally = Tally()
    builder.singleton(
      named: "host", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(tally))
    let greeter = builder.prototype(
      named: "guests", { [$0] }, Ref.byType((any Greeter).self))
    let container = try builder.build()
    #expect(try container.object(greeter).first?.greet("Kay") == "Hello Kay")
    let circle = ContainerBuilder()
    circle.singleton(named: "a", { (_: Node) in Node("a") }, Ref.byType(Node.self))
    circle.prototype(named: "b", { (_: Castle) in Node("b") }, Ref.byType(Castle.self))
    circle.singleton(
      named: "c", { (_: [Node]) in Castle(name: "c", quest: Grail()) }, Ref.all(Node.self))
    #expect(circle.check().problems.map(\.code).contains(.cyclicInitializers))
  }

  @Test func `TY-06 code refers by type, with a test for protocols`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "dragon", Dragon.init)
    builder.singleton(named: "ghost", Ghost.init)
    let one = builder.prototype(named: "one", { [$0] }, Ref.byType(Grail.self))
    let all = builder.prototype(
      named: "all", { (quests: [any Quest]) in quests.map(\.goal) },
      Ref.all((any Quest).self) { $0 is any Quest.Type })
    let shared = builder.prototype(
      named: "shared", { (quest: any Quest & Sendable) in quest.goal },
      Ref.byType((any Quest & Sendable).self) { $0 is any Quest.Type })
    let later = builder.prototype(
      named: "later", { (dragon: Provider<Dragon>) in try dragon().goal },
      Ref.byType(Dragon.self).provider)
    let container = try builder.build()
    #expect(try container.object(one)[0] === container.object("grail", as: Grail.self))
    #expect(try container.object(all) == ["grail", "dragon"])
    #expect(try container.object(shared) == "grail")
    #expect(try container.object(later) == "dragon")
    let untested = ContainerBuilder()
    untested.singleton(named: "ghost", Ghost.init)
    untested.prototype(
      named: "ghosts", { (_: any Unseen) in 1 }, Ref.byType((any Unseen).self), file: "W/App.swift",
      line: 3)
    #expect(
      untested.failure == """
        cannot build the container: object "ghosts", initializer argument 1: nothing tells which objects are a Unseen
           at: W/App.swift:3
           seen: a protocol that the runtime does not find by its name
           expected: a test that spells the protocol
           next: write the test: { $0 is any Unseen.Type }
        """)
  }

  @Test func `TY-06 a provider or factory by type is one of the object that fits`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.register(Armory.self)
    builder.add(
      ObjectDefinition(
        "armory", class: "Armory", scope: "prototype",
        properties: ["swords", "herald"].map { PropertyAssignment($0, to: .byType) }))
    builder.add(ObjectDefinition("excalibur", class: "SwordFactory", scope: "prototype"))
    builder.add(ObjectDefinition("herald", class: "Herald"))
    let container = try builder.build()
    let armory = try container.object("armory", as: Armory.self)
    let herald = try container.object("herald", as: Herald.self)
    #expect(try armory.herald?() === herald)
    let swords = try #require(armory.swords)
    #expect(try swords.object() !== swords.object())
    #expect(container.graph["armory"]?.needs.map(\.target) == ["excalibur", "herald"])
  }

  @Test func `TY-30 a request by type is answered anew when an object is patched`() throws {
    let builder = builder(["leader"])
    builder.add(ObjectDefinition("grail", class: "Grail"))
    builder.add(ObjectDefinition("kay", class: "Knight", scope: "prototype"))
    let container = try builder.build()
    let found = { (container: Container) in
      try container.object("company", as: Company.self).leader
    }
    #expect(try found(container) is Grail)
    let moved = try container.patched {
      $0.replace("grail") { Tally() }
      $0.replace("kay") { Dragon() }
    }
    #expect(try found(moved) is Dragon)
    #expect(try found(container) is Grail)
    let error = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("grail") { Tally() } }
    }
    #expect(error?.problems.map(\.code) == [.noObjectOfType])
  }

  @Test func `TY-25 a property of container type receives the container by type`() throws {
    final class Steward: Component {
      var container: Container?
      nonisolated static var componentDescriptor: ComponentDescriptor {
        ComponentDescriptor(
          Steward.self, name: "Steward", sendability: .of(), product: .of(),
          initializers: [InitializerDescriptor { Steward() }],
          properties: [
            .property(
              "container", Container.self, typeName: "Container?", sendability: .of(),
              isOptional: true, accepts: { $0 is Container.Type }, set: { $0.container = $1 })
          ])
      }
    }
    let builder = ContainerBuilder()
    builder.register(Steward.self)
    builder.add(
      ObjectDefinition(
        "steward", class: "Steward", scope: "prototype",
        properties: [PropertyAssignment("container", to: .byType)]))
    let container = try builder.build()
    let received = try container.object("steward", as: Steward.self).container
    #expect(received?.names == ["steward"])
  }

  @Test func `TY-29 a container answers by type, with one or with all`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "dragon", Dragon.init)
    builder.add(ObjectDefinition("king", class: "King", scope: "prototype"))
    let container = try builder.build()
    let grail: Grail = try container.object(ofType: Grail.self)
    #expect(grail.goal == "grail")
    let king = try container.object(ofType: Knight.self)
    #expect(king is King)
    // The properties of annotated classes spell the protocol.
    #expect(try container.names(ofType: (any Quest).self) == ["grail", "dragon"])
    let all: [any Quest] = try container.objects(ofType: (any Quest).self)
    #expect(all.map(\.goal) == ["grail", "dragon"])
    let many = #expect(throws: ContainerError.self) {
      _ = try container.object(ofType: (any Quest).self)
    }
    #expect(many?.code == .noObjectOfType)
    #expect(many?.problems.first?.seen.contains("\"dragon\", a Dragon") == true)
    let none = #expect(throws: ContainerError.self) {
      _ = try container.object(ofType: Castle.self)
    }
    #expect(none?.problems.first?.message == "a request: no object is a Castle")
    let untested = #expect(throws: ContainerError.self) {
      _ = try container.names(ofType: (any Unseen).self)
    }
    #expect(untested?.problems.first?.nextStep == "write the test: { $0 is any Unseen.Type }")
    #expect(try container.names(ofType: (any Unseen).self) { $0 is any Unseen.Type } == [])
  }

  @Test
  func `TY-26 properties that the class marks are injected by type, those of superclasses, too`()
    throws
  {
    let builder = ContainerBuilder.ofTests()
    builder.register(squireDescriptor)
    builder.register(pageDescriptor)
    builder.add(ObjectDefinition("page", class: "Page", scope: "prototype"))
    let grail = builder.singleton(named: "grail", Grail.init)
    builder.singleton(named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), grail)
    let page = try builder.build().object("page", as: Page.self)
    #expect(page.quest is Grail)
    #expect(page.castle?.name == "Camelot")
  }

  @Test func `TY-26 a class that asks by type is defined where somebody asks for it by type`()
    throws
  {
    let builder = ContainerBuilder()
    builder.classes = ClassRegistry(entries: [])
    builder.register(squireDescriptor)
    builder.register(pageDescriptor)
    let grail = builder.singleton(named: "grail", Grail.init)
    builder.singleton(named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), grail)
    let court = builder.prototype(named: "court", { (page: Page) in page }, Ref.byType(Page.self))
    let container = try builder.build()
    #expect(try container.object(court).castle?.name == "Camelot")
    #expect(container.names == ["grail", "castle", "court", "Page"])
    // A class that marks nothing is not defined by itself.
    let none = ContainerBuilder()
    none.prototype(named: "order", { (knight: Knight) in knight }, Ref.byType(Knight.self))
    none.register(Knight.self)
    #expect(none.faults == ["object \"order\", initializer argument 1: no object is a Knight"])
  }
}

private class Squire: Component {
  var quest: (any Quest)?
  init() {}
  nonisolated class var componentDescriptor: ComponentDescriptor { squireDescriptor }
}
private final class Page: Squire {
  var castle: Castle?
}
private let squireDescriptor = ComponentDescriptor(
  Squire.self, name: "Squire", sendability: .of(), product: .of(),
  initializers: [InitializerDescriptor { Squire() }],
  properties: [
    .property(
      "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(), isOptional: true,
      accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 })
  ],
  annotations: ComponentAnnotations(assignments: [PropertyAssignment("quest", to: .byType)]))
private let pageDescriptor = ComponentDescriptor(
  Page.self, name: "Page", sendability: .of(), product: .of(),
  initializers: [InitializerDescriptor { Page() }],
  properties: [
    .property(
      "castle", Castle.self, typeName: "Castle?", sendability: .of(), isOptional: true,
      accepts: { $0 is Castle.Type }, set: { $0.castle = $1 })
  ],
  annotations: ComponentAnnotations(assignments: [PropertyAssignment("castle", to: .byType)]))
