import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct ParentTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "heirs.xml", line: line, column: 3)
  }

  private func definition(
    _ name: String, class className: String? = nil, parent: String?, isAbstract: Bool = false,
    _ properties: [PropertyAssignment] = [], line: Int
  ) -> ObjectDefinition {
    var definition = ObjectDefinition(
      name, class: className, scope: "prototype", properties: properties, at: place(line))
    definition.parent = parent
    definition.isAbstract = isAbstract
    return definition
  }

  @Test func `TY-21 class, initializer and properties are taken over, own ones go first`() throws {
    let builder = ContainerBuilder.ofTests()
    var base = definition(
      "base", class: "Blade", parent: nil, isAbstract: true, [.value("owner", "Arthur")], line: 1)
    base.initializer = InitializerCall(
      MethodName("init", labels: ["maker", "length"]),
      arguments: [.value("maker", "Wayland"), .value("length", "80")])
    builder.add(base)
    builder.add(definition("child", parent: "base", line: 2))
    builder.add(definition("grandchild", parent: "child", [.value("owner", "Kay")], line: 3))
    var other = definition("other", parent: "base", line: 4)
    other.initializer = InitializerCall(MethodName("init"), arguments: [])
    builder.add(other)
    let container = try builder.build()
    let child = try container.object("child", as: Blade.self)
    #expect(child.maker == "Wayland")
    #expect(child.owner == "Arthur")
    #expect(try container.object("grandchild", as: Blade.self).owner == "Kay")
    #expect(try container.object("grandchild", as: Blade.self).length == 80)
    #expect(try container.object("other", as: Blade.self).maker == "nobody")
    #expect(!container.contains("base"))
  }

  @Test func `TY-21 the scope is not taken over`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.add(definition("first", class: "Grail", parent: nil, line: 1))
    var heir = ObjectDefinition("heir", at: place(2))
    heir.parent = "first"
    builder.add(heir)
    let container = try builder.build()
    #expect(container.graph["heir"]?.scope == "singleton")
    #expect(
      try container.object("heir", as: Grail.self) === container.object("heir", as: Grail.self))
  }

  @Test func `TY-21 circles, missing parents and references to abstract definitions are problems`()
  {
    let builder = ContainerBuilder.ofTests()
    builder.singleton(named: "inCode", Grail.init)
    builder.add(definition("a", class: "Grail", parent: "b", line: 1))
    builder.add(definition("b", class: "Grail", parent: "c", line: 2))
    builder.add(definition("c", class: "Grail", parent: "a", line: 3))
    builder.add(definition("d", parent: "bse", line: 4))
    builder.add(definition("e", parent: "inCode", line: 5))
    builder.add(definition("base", class: "Grail", parent: nil, isAbstract: true, line: 6))
    builder.add(
      definition(
        "knight", class: "Knight", parent: nil, [.reference("quest", to: "base", at: place(8))],
        line: 7))
    builder.add(definition("nothing", parent: nil, line: 9))
    #expect(
      builder.failure == """
        cannot build the container: 5 problems
        1. object "a" is its own parent
           at: heirs.xml:1:3
           seen: "a" → "b" → "c" → "a"
           expected: parents that end in a definition without one
           next: remove one of the parents
        2. object "d": there is no parent "bse"
           at: heirs.xml:4:3
           seen: parent "bse"
           expected: the name of a definition from a file
           did you mean: "base"?
           next: define "bse", or correct the parent
        3. object "e": there is no parent "inCode"
           at: heirs.xml:5:3
           seen: the name of a definition in Swift, which has no parts to take over
           expected: the name of a definition from a file
           next: define "inCode", or correct the parent
        4. object "nothing" has no class
           at: heirs.xml:9:3
           seen: neither a class nor a parent with one
           expected: a class, a parent, or a factory component
           next: name the class
        5. object "knight", property "quest": definition "base" makes no object
           at: heirs.xml:8:3
           seen: a reference to "base", which is abstract
           expected: a definition that is not abstract
           next: refer to a definition that has "base" as its parent
        """)
  }
}
