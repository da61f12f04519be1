import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct InitializerTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "blade.xml", line: line, column: 5)
  }

  private func builder(
    _ method: String, isStatic: Bool? = nil, _ arguments: [PropertyAssignment] = [],
    properties: [PropertyAssignment] = []
  ) throws -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    var definition = ObjectDefinition(
      "blade", class: "Blade", scope: "prototype", properties: properties, at: place(1))
    definition.initializer = InitializerCall(
      try #require(MethodName(text: method)), isStatic: isStatic, arguments: arguments,
      at: place(2))
    builder.add(definition)
    builder.add(ObjectDefinition("grail", class: "Grail"))
    return builder
  }

  private func blade(
    _ method: String, isStatic: Bool? = nil, _ arguments: [PropertyAssignment] = [],
    properties: [PropertyAssignment] = []
  ) throws -> Blade {
    try builder(method, isStatic: isStatic, arguments, properties: properties).build()
      .object("blade", as: Blade.self)
  }

  @Test func `TY-12 labels choose the initializer, arguments come in any order`() throws {
    let arguments: [PropertyAssignment] = [.value("length", "80"), .value("maker", "Wayland")]
    for method in ["init(maker:length:)", "initWithMaker:length:"] {
      let blade = try blade(method, arguments)
      #expect(blade.maker == "Wayland")
      #expect(blade.length == 80)
      #expect(blade.quest == nil)
    }
    let full = try blade(
      "initWithMaker:length:quest:", arguments + [.reference("quest", to: "grail")])
    #expect(full.quest?.goal == "grail")
    #expect(try blade("init").maker == "nobody")
    #expect(try blade("init()").maker == "nobody")
  }

  @Test func `TY-12 wrong labels list the initializers that there are`() throws {
    let builder = try builder("initWithMaker:size:", [.value("maker", "x"), .value("size", "1")])
    #expect(
      builder.failure == """
        cannot build the container: object "blade": class "Blade" has no initializer "initWithMaker:size:"
           at: blade.xml:2:5
           seen: initializer "initWithMaker:size:"
           expected: one of "init()", "init(maker:length:)", "init(maker:length:quest:)", "static forged(length:)", "static standard()"
           next: correct the labels, or describe the initializer
        """)
  }

  @Test func `TY-12 an unknown argument lists the labels, and none is dropped silently`() throws {
    let builder = try builder(
      "init(maker:length:)",
      [
        .value("maker", "Wayland"), .value("lenght", "80", at: place(4)),
        .value("maker", "x", at: place(5)),
      ])
    #expect(
      builder.failure == """
        cannot build the container: 3 problems
        1. object "blade": initializer "init(maker:length:)" has no argument named "lenght"
           at: blade.xml:4:5
           seen: argument "lenght"
           expected: one of "maker", "length"
           did you mean: "length"?
           next: correct the name of the argument
        2. object "blade": argument "maker" is given twice
           at: blade.xml:5:5
           seen: a second argument "maker"
           expected: each argument once
           next: remove one of the two
        3. object "blade": initializer "init(maker:length:)" has no argument "length"
           at: blade.xml:2:5
           seen: no argument and no property named "length"
           expected: one of "maker", "length"
           next: add the argument "length"
        """)
  }

  @Test func `TY-13 the class of a value argument is accepted where it is true`() throws {
    func arguments(_ maker: String?, _ length: String?) -> [PropertyAssignment] {
      [
        PropertyAssignment("maker", to: .text("Wayland", typeName: maker), at: place(3)),
        PropertyAssignment("length", to: .text("80", typeName: length), at: place(4)),
      ]
    }
    for (maker, length) in [
      ("NSString", "NSNumber"), ("String", "NSInteger"), ("NSMutableString", "int"), (nil, nil),
    ] {
      #expect(try blade("init(maker:length:)", arguments(maker, length)).length == 80)
    }
    #expect(
      try builder("init(maker:length:)", arguments("NSURL", "NSDate")).faults == [
        "object \"blade\", initializer argument \"maker\": a String is not an NSURL",
        "object \"blade\", initializer argument \"length\": an Int is not an NSDate",
      ])
  }

  @Test func `TY-15 static methods by name, guessed or said`() throws {
    let length: [PropertyAssignment] = [.value("length", "70")]
    #expect(try blade("forged(length:)", length).maker == "static")
    #expect(try blade("forgedWithLength:", length).maker == "static")
    #expect(try blade("forgedWithLength:", isStatic: true, length).maker == "static")
    #expect(try blade("standard").length == 90)
    // Swift imports a static method with arguments as an initializer.
    let both: [PropertyAssignment] = [.value("maker", "Wayland"), .value("length", "70")]
    #expect(try blade("bladeWithMaker:length:", both).maker == "Wayland")
    #expect(try blade("bladeWithMaker:length:", isStatic: true, both).maker == "Wayland")
    #expect(try blade("initWithMaker:length:", isStatic: false, both).maker == "Wayland")
    // False is honoured: no static method is taken.
    #expect(
      try builder("forgedWithLength:", isStatic: false, length).faults == [
        "object \"blade\": class \"Blade\" has no initializer \"forgedWithLength:\""
      ])
    #expect(
      try builder("defaultBlade", isStatic: true).faults == [
        "object \"blade\": class \"Blade\" has no initializer \"defaultBlade\""
      ])
  }

  @Test func `TY-16 initializer and properties together`() throws {
    let blade = try blade(
      "init(maker:length:)", [.value("maker", "Wayland"), .value("length", "80")],
      properties: [.value("owner", "Arthur")])
    #expect(blade.maker == "Wayland")
    #expect(blade.owner == "Arthur")
    #expect(blade.log == ["before, owner \"\"", "after, owner \"Arthur\""])
    let mixed = try self.blade(
      "init(maker:length:)", [.value("length", "80")],
      properties: [.value("maker", "Wayland"), .value("owner", "Arthur")])
    #expect(mixed.maker == "Wayland")
  }

  @Test func `TY-12 a method's name is read from Swift and from selectors`() throws {
    func read(_ text: String) -> [String]? {
      MethodName(text: text).map { [$0.base] + $0.labels }
    }
    #expect(read("initWithQuest:hitRatio:") == ["init", "quest", "hitRatio"])
    #expect(read("URLWithString:") == ["URL", "string"])
    #expect(read("init(quest:hitRatio:)") == ["init", "quest", "hitRatio"])
    #expect(read("defaultSword") == ["defaultSword"])
    #expect(read("init()") == ["init"])
    for wrong in ["", "1a", "init(", "init(a)", "a b", ":", "init::"] {
      #expect(read(wrong) == nil)
    }
    #expect(try #require(MethodName(text: "initWithURL:")).means("init", ["url"]))
    #expect(try #require(MethodName(text: "knightNamed:")).means("knightNamed", ["name"]))
    #expect(!(try #require(MethodName(text: "knightNamed:")).means("knight", ["named"])))
  }
}
