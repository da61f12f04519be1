import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct ContainerGraphTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "court.xml", line: line, column: 3)
  }

  private var definitions: [ObjectDefinition] {
    var grail = ObjectDefinition("grail", class: "Grail", at: place(2))
    grail.summary = "what all are after"
    var noble = ObjectDefinition("noble", class: "Knight", scope: "prototype", at: place(3))
    noble.isAbstract = true
    var knight = ObjectDefinition(
      "knight", class: "Knight", scope: "prototype",
      properties: [
        .reference("quest", to: "grail", at: place(5)),
        PropertyAssignment("rival", to: .byType, at: place(6)),
        PropertyAssignment(
          "squires",
          to: .collection([
            InjectedElement(.reference("squire"), at: place(8)),
            InjectedElement(
              .definition(
                ObjectDefinition(
                  "", class: "Knight", properties: [.reference("quest", to: "grial", at: place(9))])
              )),
          ]), at: place(7)),
      ], at: place(4))
    knight.parent = "noble"
    knight.initializer = InitializerCall(
      MethodName("init", labels: ["lord"]),
      arguments: [.reference("lord", to: "court", at: place(10))], at: place(10))
    return [
      grail, noble, knight,
      ObjectDefinition("squire", class: "Knight", scope: "thread", at: place(11)),
      ObjectDefinition(
        "court", class: "ThreadLocalProxyFactory",
        properties: [.reference("factoryObject", to: "squire", at: place(13))], at: place(12)),
    ]
  }

  @Test func `files without classes are explained`() throws {
    let graph = ContainerGraph(definitions)
    #expect(
      "\(try graph.explain("knight"))" == """
        "knight": Knight
           at: court.xml:4:3
           parent: "noble"
           scope: prototype, a new object for each request and each place where it is injected
           built: when somebody asks for it or for an object that needs it
           needs:
              "court" as initializer argument "lord", needed to construct it (court.xml:10:3)
              "grail" as property "quest", set after construction (court.xml:5:3)
              "squire" as property "squires", element 1, set after construction (court.xml:8:3)
              "grial" as property "squires", element 2, property "quest", set after construction (court.xml:9:3): no object has that name
           by type: property "rival"
           needed by: no object
        """)
    #expect(
      "\(try graph.explain("squire"))" == """
        "squire": Knight
           at: court.xml:11:3
           scope: thread, one object for each thread, which it never leaves
           built: when somebody asks for it or for an object that needs it
           needs: nothing
           needed by:
              "knight" as property "squires", element 1, set after construction
              "court" as proxy, one for each thread that calls the proxy
           way: "knight" → "squire"
        """)
    #expect(
      "\(try graph.explain("noble"))" == """
        "noble": Knight
           at: court.xml:3:3
           parent of: "knight"
           scope: prototype, a new object for each request and each place where it is injected
           built: never: the definition only lends its parts to others
           needs: nothing
           needed by: no object
        """)
    #expect(try graph.explain("grail").definition.summary == "what all are after")
    #expect(graph.missingNames == ["grial"])
    #expect(graph["court"]?.isProxy == true)
  }

  @Test func `what parents lend is explained with their heirs`() throws {
    var heir = ObjectDefinition(
      "page", scope: "prototype", properties: [.reference("rival", to: "squire")], at: place(20))
    heir.parent = "knight"
    var circle = ObjectDefinition("ouroboros", class: "Dragon")
    circle.parent = "ouroboros"
    let graph = ContainerGraph(definitions + [heir, circle])
    #expect(
      "\(try graph.explain("page"))" == """
        "page": Knight
           at: court.xml:20:3
           parent: "knight"
           scope: prototype, a new object for each request and each place where it is injected
           built: when somebody asks for it or for an object that needs it
           needs:
              "court" as initializer argument "lord", needed to construct it (court.xml:10:3)
              "grail" as property "quest", set after construction (court.xml:5:3)
              "squire" as property "squires", element 1, set after construction (court.xml:8:3)
              "grial" as property "squires", element 2, property "quest", set after construction (court.xml:9:3): no object has that name
              "squire" as property "rival", set after construction
           needed by: no object
        """)
    #expect(graph["ouroboros"]?.className == "Dragon")
  }

  @Test func `an unknown name is an error with near names`() {
    let error = #expect(throws: ContainerError.self) {
      try ContainerGraph(definitions).explain("knigth")
    }
    #expect(
      "\(error?.description ?? "")" == """
        cannot explain "knigth": there is no object named "knigth"
           seen: a request for "knigth"
           expected: the name of one of the 5 definitions
           did you mean: "knight"?
           next: define "knigth", or correct the name
        """)
  }

  @Test func `a graph is drawn in Mermaid`() {
    #expect(
      ContainerGraph(definitions).mermaid == """
        flowchart LR
          n0["grail<br/>Grail<br/>singleton"]
          n1(["noble<br/>Knight<br/>prototype, abstract"]):::abstract
          n2(["knight<br/>Knight<br/>prototype"])
          n3{{"squire<br/>Knight<br/>thread"}}
          n4[["court<br/>ThreadLocalProxyFactory<br/>singleton"]]
          m0["grial<br/>missing"]:::missing
          n2 ==>|"lord"| n4
          n2 -->|"quest"| n0
          n2 -->|"squires, element 1"| n3
          n2 -->|"squires, element 2, quest"| m0
          n2 --o|"parent"| n1
          n4 -.->|"thread-local proxy"| n3
          classDef abstract stroke-dasharray: 4 4
          classDef missing stroke:#c00,color:#c00,stroke-dasharray: 4 4
        """)
  }

  @Test func `a graph is drawn in Graphviz' language`() {
    #expect(
      ContainerGraph(definitions).dot == """
        digraph container {
          rankdir=LR;
          node [shape=box];
          "grail" [label="grail\\nGrail\\nsingleton"];
          "noble" [label="noble\\nKnight\\nprototype, abstract", style="rounded,dashed"];
          "knight" [label="knight\\nKnight\\nprototype", style="rounded"];
          "squire" [label="squire\\nKnight\\nthread", shape=hexagon];
          "court" [label="court\\nThreadLocalProxyFactory\\nsingleton", peripheries=2];
          "grial" [label="grial\\nmissing", style=dashed, color=red];
          "knight" -> "court" [label="lord", style=bold];
          "knight" -> "grail" [label="quest", style=solid];
          "knight" -> "squire" [label="squires, element 1", style=solid];
          "knight" -> "grial" [label="squires, element 2, quest", style=solid];
          "knight" -> "noble" [label="parent", arrowhead=empty];
          "court" -> "squire" [label="thread-local proxy", style=dotted];
        }
        """)
  }

  @Test func `names cannot break out of a drawing`() {
    let graph = ContainerGraph([
      ObjectDefinition("a\"]; b \\", class: "X<`#&>"), ObjectDefinition("two\nlines", class: "\\N"),
    ])
    #expect(
      graph.mermaid.split(separator: "\n").dropFirst().prefix(2).joined(separator: "\n") == """
          n0["a#quot;]; b #92;<br/>X#lt;#96;#35;#amp;#gt;<br/>singleton"]
          n1["two lines<br/>#92;N<br/>singleton"]
        """)
    #expect(
      graph.dot.split(separator: "\n").dropFirst(3).prefix(2).joined(separator: "\n") == #"""
          "a\"]; b \\" [label="a\"]; b \\\nX<`#&>\nsingleton"];
          "two lines" [label="two lines\n\\N\nsingleton"];
        """#)
  }

  @Test func `a container explains what it was built from`() throws {
    let builder = ContainerBuilder()
    builder.registerProxy(GreeterProxy.self)
    builder.register(SharedGreeterFactory.self)
    let tally = builder.singleton(named: "tally", Tally.init, file: "App.swift", line: 1)
    let greeter = builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), tally,
      file: "App.swift",
      line: 2)
    builder.prototype(
      named: "visitor",
      { (_: GreeterProxy, _: Provider<Tally>, _: any FactoryObject<Tally> & Sendable) in
        Node("visitor")
      }, greeter, tally.provider, tally.factory, file: "App.swift", line: 3)
    builder.add(
      ObjectDefinition(
        "host", class: "SharedGreeterFactory", properties: [.reference("tally", to: "tally")],
        at: place(4)))
    let container = try builder.build()
    #expect(
      "\(try container.explain("greeter"))" == """
        "greeter": SharedGreeter
           at: App.swift:2
           scope: singleton, one object for the whole container
           built: by the first call of one of its methods; users get a proxy
           needs: "tally" as initializer argument 1, needed to construct it (App.swift:2)
           needed by: "visitor" as initializer argument 1, needed to construct it
           way: "visitor" → "greeter"
        """)
    #expect(
      "\(try container.explain("host"))" == """
        "host": SharedGreeter
           at: court.xml:4:3
           class: SharedGreeterFactory, which makes the SharedGreeter
           scope: singleton, one object for the whole container
           built: when somebody asks for it or for an object that needs it
           needs: "tally" as property "tally", needed to construct it (court.xml:4:3)
           needed by: no object
        """)
    let visitor = try #require(container.graph["visitor"])
    #expect(visitor.needs.map(\.how) == [.constructor, .provider, .factory])
    #expect(
      container.graph.mermaid == """
        flowchart LR
          n0["tally<br/>Tally<br/>singleton"]
          n1[["greeter<br/>SharedGreeter<br/>singleton, lazy"]]
          n2(["visitor<br/>Node<br/>prototype"])
          n3["host<br/>SharedGreeter<br/>singleton"]
          n1 ==>|"1"| n0
          n2 ==>|"1"| n1
          n2 -.->|"2, provider"| n0
          n2 -.->|"3, factory"| n0
          n3 ==>|"tally"| n0
          classDef abstract stroke-dasharray: 4 4
          classDef missing stroke:#c00,color:#c00,stroke-dasharray: 4 4
        """)
  }
}

private final class SharedGreeterFactory: FactoryObject, Component {
  var tally: Tally?
  func object() throws -> SharedGreeter { SharedGreeter(tally: tally ?? Tally()) }

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      SharedGreeterFactory.self, name: "SharedGreeterFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { SharedGreeterFactory() }],
      properties: [
        .property(
          "tally", Tally.self, typeName: "Tally?", sendability: .of(), isOptional: true,
          accepts: { $0 is Tally.Type }, set: { $0.tally = $1 })
      ])
  }
}
