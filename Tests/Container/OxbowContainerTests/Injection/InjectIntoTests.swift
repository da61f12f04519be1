import OxbowContainer
import OxbowDocuments
import Testing

/// An object that somebody else has made gets all that its definition sets (review D6).
@Suite struct InjectIntoTests {
  private class Desk: Component {
    var quest: (any Quest)?
    var all: [any Quest] = []
    var n = 0
    let year: Int
    var motto = ""
    init() { year = 0 }
    init(quest: any Quest, n: Int?) {
      self.quest = quest
      self.n = n ?? 0
      year = 0
    }
    init(all: [any Quest], year: Int) {
      self.all = all
      self.year = year
    }

    class var componentDescriptor: ComponentDescriptor { descriptor() }

    static func descriptor(
      _ annotations: ComponentAnnotations = ComponentAnnotations()
    ) -> ComponentDescriptor {
      let quest = ParameterDescriptor(
        "quest", (any Quest).self, typeName: "any Quest", sendability: .of(),
        accepts: { $0 is any Quest.Type })
      let number = ParameterDescriptor(
        "n", Int?.self, typeName: "Int?", sendability: .of(), accepts: { $0 is Int.Type })
      let all = ParameterDescriptor(
        "all", [any Quest].self, typeName: "[any Quest]", sendability: .of(),
        accepts: { $0 is any Quest.Type })
      let year = ParameterDescriptor(
        "year", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type })
      return ComponentDescriptor(
        Desk.self, name: "Desk", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor { Desk() },
          InitializerDescriptor(quest, number) { Desk(quest: $0, n: $1) },
          InitializerDescriptor(all, year) { Desk(all: $0, year: $1) },
        ],
        properties: [
          .property(
            "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(),
            isOptional: true, accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 }),
          .property(
            "all", [any Quest].self, typeName: "[any Quest]", sendability: .of(),
            accepts: { $0 is any Quest.Type }, set: { $0.all = $1 }),
          .property(
            "n", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
            set: { $0.n = $1 }),
          .property(
            "motto", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type }, set: { $0.motto = $1 }),
        ], annotations: annotations)
    }
  }

  private final class Bureau: Desk {
    override class var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Bureau.self, name: "Bureau", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor { Bureau() },
          InitializerDescriptor(
            ParameterDescriptor(
              "quest", (any Quest).self, typeName: "any Quest", sendability: .of(),
              accepts: { $0 is any Quest.Type })
          ) { Bureau(quest: $0, n: nil) },
        ])
    }
  }

  private func builder(_ descriptor: ComponentDescriptor) -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.register(descriptor)
    builder.singleton(named: "grail", Grail.init)
    return builder
  }

  private let desk = ObjectDefinition(
    "desk", class: "Desk", scope: "prototype",
    properties: [
      .reference("quest", to: "grail"), .value("n", "4"), .value("motto", "order"),
    ])

  @Test func `review IN1: properties that are labels of an initializer are set`() throws {
    let builder = builder(Desk.descriptor())
    builder.add(desk)
    let container = try builder.build()
    let made = Desk()
    try container.inject(into: made, as: "desk")
    #expect(made.quest is Grail)
    #expect(made.n == 4)
    #expect(made.motto == "order")
    // No other sees a difference.
    #expect(container.graph["desk"]?.needs.map(\.how) == [.constructor])
    #expect(try container.object("desk", as: Desk.self).n == 4)
  }

  @Test func `review IN2: what annotations and types say is set, too`() throws {
    let builder = builder(
      Desk.descriptor(
        ComponentAnnotations(assignments: [
          PropertyAssignment("quest", to: .byType), .value("n", "7"),
        ])))
    builder.add(ObjectDefinition("desk", class: "Desk", scope: "prototype"))
    let container = try builder.build()
    let made = Desk()
    try container.inject(into: made)
    #expect(made.quest is Grail)
    #expect(made.n == 7)
  }

  @Test func `an inherited property is set, and an object of a subclass takes part`() throws {
    let builder = builder(Desk.descriptor())
    builder.register(Bureau.componentDescriptor)
    builder.add(
      ObjectDefinition(
        "bureau", class: "Bureau", scope: "prototype",
        properties: [.reference("quest", to: "grail")]))
    builder.add(desk)
    let container = try builder.build()
    let bureau = Bureau()
    try container.inject(into: bureau, as: "bureau")
    #expect(bureau.quest is Grail)
    let other = Bureau()
    try container.inject(into: other, as: "desk")
    #expect(other.n == 4)
  }

  @Test func `review D6: what only an initializer sets is an error`() throws {
    let builder = builder(Desk.descriptor())
    builder.add(
      ObjectDefinition(
        "desk", class: "Desk", scope: "prototype",
        properties: [PropertyAssignment("all", to: .byType), .value("year", "1485")]))
    let container = try builder.build()
    #expect(try container.object("desk", as: Desk.self).year == 1485)
    let made = Desk()
    let error = #expect(throws: ContainerError.self) {
      try container.inject(into: made, as: "desk")
    }
    #expect(error?.code == .unknownProperty)
    #expect(
      error?.problems.first?.message
        == "object \"desk\": \"year\" is set by an initializer of class \"Desk\" only")
    #expect(made.all.isEmpty)
  }
}
