import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct CollectionTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "army.xml", line: line, column: 5)
  }

  private func builder(_ properties: [PropertyAssignment]) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.add(ObjectDefinition("grail", class: "Grail", at: place(1)))
    builder.add(ObjectDefinition("dragon", class: "Dragon", scope: "prototype", at: place(2)))
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype", properties: properties, at: place(3)))
    return builder
  }

  private func company(_ properties: [PropertyAssignment]) throws -> Company {
    try builder(properties).build().object("company", as: Company.self)
  }

  private func texts(_ texts: String...) -> InjectedContent {
    .collection(texts.map { InjectedElement(.text($0)) })
  }

  @Test func `TY-07 a collection of references becomes an array, in order`() throws {
    let company = try company([
      PropertyAssignment(
        "quests",
        to: .collection([
          InjectedElement(.reference("dragon")), InjectedElement(.reference("grail")),
          InjectedElement(.definition(ObjectDefinition("", class: "Dragon"))),
        ]))
    ])
    #expect(company.quests.map(\.goal) == ["dragon", "grail", "dragon"])
    #expect(company.quests[0] !== company.quests[2])
  }

  @Test func `TY-07 the property's type decides between arrays, sets and their optionals`() throws {
    let company = try company([
      PropertyAssignment("ages", to: texts("30", "40", "30")),
      PropertyAssignment("names", to: texts("Kay", "Bors")),
      PropertyAssignment("mottos", to: texts("onward")),
      PropertyAssignment(
        "knights",
        to: .collection([InjectedElement(.definition(ObjectDefinition("", class: "King")))])),
    ])
    #expect(company.ages == [30, 40])
    #expect(company.names == ["Kay", "Bors"])
    #expect(company.mottos == ["onward"])
    #expect(company.knights.first is King)
  }

  @Test func `TY-07 dictionaries and collections inside of collections`() throws {
    let company = try company([
      PropertyAssignment(
        "banners",
        to: .dictionary([InjectedEntry("sea", .text("blue")), InjectedEntry("land", .text("red"))])),
      PropertyAssignment("goals", to: .dictionary([InjectedEntry("first", .reference("grail"))])),
      PropertyAssignment(
        "rows", to: .collection([InjectedElement(texts("1", "2")), InjectedElement(texts("3"))])),
    ])
    #expect(company.banners == ["sea": "blue", "land": "red"])
    #expect(company.goals["first"]?.goal == "grail")
    #expect(company.rows == [[1, 2], [3]])
  }

  @Test
  func `TY-07 what a file calls a value is checked, and decides where the place takes anything`()
    throws
  {
    let company = try company([
      PropertyAssignment(
        "anything",
        to: .collection([
          InjectedElement(.text("one", typeName: "NSString")),
          InjectedElement(.text("2", typeName: "NSNumber")),
          InjectedElement(.text("2.5", typeName: "NSNumber")),
          InjectedElement(.reference("grail")),
        ])),
      PropertyAssignment(
        "ages", to: .collection([InjectedElement(.text("30", typeName: "NSNumber"))])),
    ])
    #expect(company.anything[0] as? String == "one")
    #expect(company.anything[1] as? Int == 2)
    #expect(company.anything[2] as? Double == 2.5)
    #expect(company.anything[3] is Grail)
    let wrong = builder([
      PropertyAssignment(
        "ages",
        to: .collection([InjectedElement(.text("30", typeName: "NSURL"), at: place(7))]),
        at: place(6))
    ])
    #expect(
      wrong.failure == """
        cannot build the container: object "company", property "ages", element 1: an Int is not an NSURL
           at: army.xml:7:5
           seen: a value that the file calls a NSURL
           expected: Int
           next: drop the type's name from the file, or correct it
        """)
  }

  @Test func `TY-07 each element has its own place in problems`() {
    let builder = builder([
      PropertyAssignment(
        "ages",
        to: .collection([InjectedElement(.text("30")), InjectedElement(.text("old"), at: place(8))]
        ),
        at: place(6)),
      PropertyAssignment(
        "quests",
        to: .collection([
          InjectedElement(.reference("grial"), at: place(9)),
          InjectedElement(.reference("company"), at: place(10)),
        ]), at: place(6)),
    ])
    #expect(
      builder.failure == """
        cannot build the container: 2 problems
        1. object "company", property "ages", element 2: "old" is not an Int
           at: army.xml:8:5
           seen: "old"
           expected: a whole number from -9223372036854775808 to 9223372036854775807
           next: correct the value
        2. object "company", property "quests", element 1: there is no object named "grial"
           at: army.xml:9:5
           seen: a reference to "grial"
           expected: the name of one of the 3 definitions
           did you mean: "grail"?
           next: define "grial", or correct the reference
        """)
  }

  @Test func `TY-07 a reference that is missing or has the wrong type is named by its element`() {
    let builder = builder([
      PropertyAssignment(
        "knights",
        to: .collection([
          InjectedElement(.reference("grial"), at: place(9)),
          InjectedElement(.reference("dragon"), at: place(10)),
        ]), at: place(6))
    ])
    let problems = builder.check().problems
    #expect(
      problems.map(\.message) == [
        "object \"company\", property \"knights\", element 1: there is no object named \"grial\"",
        "object \"company\", property \"knights\", element 2: object \"dragon\" has the wrong type",
      ])
    #expect(problems.map { $0.location?.line } == [9, 10])
  }

  @Test
  func
    `TY-07 a property that is not a collection takes none, and one that is takes no single object`()
  {
    let builder = builder([
      PropertyAssignment("title", to: texts("a"), at: place(4)),
      PropertyAssignment("names", to: .dictionary([]), at: place(5)),
      PropertyAssignment(
        "banners",
        to: .dictionary([
          InjectedEntry("sea", .text("a")), InjectedEntry("sea", .text("b"), at: place(7)),
        ])
      ),
    ])
    #expect(
      builder.faults == [
        "object \"company\", property \"title\" takes no collection",
        "object \"company\", property \"names\" takes no dictionary",
        "object \"company\", property \"banners\", key \"sea\" is set twice",
      ])
    let single = self.builder([.reference("quests", to: "grail", at: place(4))])
    #expect(
      single.faults == [
        "object \"company\", property \"quests\": object \"grail\" has the wrong type"
      ])
  }

  @Test func `TY-14 a collection as an initializer argument, its class checked`() throws {
    final class Roll: Component, Sendable {
      let names: [String]
      let ages: Set<Int>?
      init(names: [String], ages: Set<Int>?) {
        self.names = names
        self.ages = ages
      }
      nonisolated static var componentDescriptor: ComponentDescriptor {
        ComponentDescriptor(
          Roll.self, name: "Roll", sendability: .of(), product: .of(),
          initializers: [
            InitializerDescriptor(
              ParameterDescriptor(
                "names", [String].self, typeName: "[String]", sendability: .of(),
                accepts: { $0 is String.Type }),
              ParameterDescriptor(
                "ages", Set<Int>?.self, typeName: "Set<Int>?", sendability: .of(),
                accepts: { $0 is Int.Type })
            ) { Roll(names: $0, ages: $1) }
          ])
      }
    }
    let builder = ContainerBuilder()
    builder.register(Roll.self)
    var definition = ObjectDefinition("roll", class: "Roll", at: place(1))
    let names: InjectedContent = .collection(
      [InjectedElement(.text("Kay"))], typeName: "NSMutableArray")
    definition.initializer = InitializerCall(
      try #require(MethodName(text: "initWithNames:ages:")),
      arguments: [
        PropertyAssignment(
          "ages", to: .collection([InjectedElement(.text("30"))], typeName: "NSSet"), at: place(3)),
        PropertyAssignment("names", to: names, at: place(2)),
      ])
    builder.add(definition)
    let roll = try builder.build().object("roll", as: Roll.self)
    #expect(roll.names == ["Kay"])
    #expect(roll.ages == [30])
    let wrong = ContainerBuilder()
    wrong.register(Roll.self)
    definition.initializer?.arguments = [
      PropertyAssignment("names", to: names),
      PropertyAssignment("ages", to: names, at: place(3)),
    ]
    wrong.add(definition)
    #expect(
      wrong.faults == [
        "object \"roll\", initializer argument \"ages\": a Set<Int>? is not an NSMutableArray"
      ])
  }

  @Test func `TY-07 members of a collection take part in circles and sharing checks`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.add(
      ObjectDefinition(
        "company", class: "Company",
        properties: [
          PropertyAssignment("knights", to: .collection([InjectedElement(.reference("knight"))]))
        ]))
    builder.add(ObjectDefinition("knight", class: "Knight", scope: "thread"))
    #expect(
      builder.faults == [
        "object \"company\" would be used by several threads, but its type is not Sendable",
        "object \"company\", property \"knights\", element 1: object \"knight\" belongs to one thread",
      ])
  }
}
