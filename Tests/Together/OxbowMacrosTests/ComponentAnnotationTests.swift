import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct ComponentAnnotationTests {
  @Test func `OX-11 traits and markers become the annotations of the description`() {
    let expansion = expanded(
      """
      @Component("lancelot", .singleton, .lazy) final class Knight: Sendable {
        @Inject("grail") let quest: any Quest
        @Inject(value: "20") let age: Int
        @Autowired init(quest: any Quest, age: Int, horse: Horse, name: String = "") {}
      }
      """)
    #expect(
      expansion.contains(
        """
        annotations: ComponentAnnotations(name: "lancelot", scope: "singleton", isLazy: true, assignments: [
              .annotated("quest", .reference("grail"), file: "Tests/test.swift", line: 2),
              .annotated("age", .text("20"), file: "Tests/test.swift", line: 3),
              .annotated("horse", .byType, file: "Tests/test.swift", line: 4),
            ])
        """.indented(by: 2)))
  }

  @Test func `OX-11 a marker without arguments names the object like the property or label`() {
    let expansion = expanded(
      """
      @Component(ComponentTrait.weakSingleton) class Knight {
        @Inject var `class`: Rank?
        @Oxbow.Inject init(quest: any Quest, _ horse: Horse) {}
      }
      """)
    #expect(expansion.contains("annotations: ComponentAnnotations(scope: \"weakSingleton\", "))
    #expect(expansion.contains(".annotated(\"class\", .reference(\"class\"), "))
    #expect(expansion.contains(".annotated(\"quest\", .reference(\"quest\"), "))
    #expect(expansion.contains(".annotated(\"horse\", .reference(\"horse\"), "))
  }

  @Test func `one argument of an initializer can be named`() {
    let expansion = expanded(
      "@Component class Knight {\n  @Inject(\"grail\") init(quest: any Quest, age: Int = 2) {}\n}")
    #expect(expansion.contains(".annotated(\"quest\", .reference(\"grail\"), "))
    #expect(!expansion.contains(".annotated(\"age\""))
  }

  @Test func `names may be constants of the program`() {
    let expansion = expanded(
      "@Component(Names.knight) class Knight {\n  @Inject(Names.grail) var quest: Quest?\n}")
    // The macro cannot tell a trait from another member, and the compiler tells it as an argument.
    #expect(expansion.contains("ComponentAnnotations(name: Names.knight, "))
    #expect(expansion.contains(".reference(Names.grail)"))
  }

  @Test func `a class without an initializer gets one that takes what is injected`() {
    let expansion = expanded(
      """
      @Component class Knight: Rider {
        @Inject let quest: any Quest
        @Inject(value: "20") private let age: Int
        @Autowired var `class`: Rank!
        @Autowired var horse: Horse
        @Inject let now: @Sendable () -> Date
        @Inject @Stored var fief: Fief
        @Inject override var sword: Sword { didSet {} }
        @Inject var page: Page?
        @Stored var fame: Int
        var rank = 1
      }
      """)
    #expect(
      expansion.contains(
        """
        /// Takes what is injected.
        init(quest: any Quest, age: Int, horse: Horse, now: @escaping @Sendable () -> Date) {
          self.quest = quest
          self.age = age
          self.horse = horse
          self.now = now
        }
        """.indented(by: 2)))
    #expect(expansion.contains("Knight(quest: $0, age: $1, horse: $2, now: $3)"))
    #expect(expansion.contains("func _heritableInitializer0<_Owner: Knight>("))
  }

  @Test(arguments: [
    "@Inject @usableFromInline var horse: Horse", "@Inject var horse: Horse; var a = 1, b: Int?",
    "@Inject var horse: Horse; var a, b: Int?",
  ])
  func `an initializer sets what the compiler would ask for`(member: String) {
    #expect(expanded("@Component class Knight { \(member) }").contains("init(horse: Horse)"))
  }

  @Test(arguments: [
    "let rank: Int", "@Inject let rank: Int; init(rank: Int) { self.rank = rank }",
    "@Inject var rank: Int?", "@Inject var rank: Int; let a = 1, b: Int",
  ])
  func `no initializer is written beside one, or where it could not set everything`(member: String)
  {
    let expansion = diagnostics(of: "@Component class Knight { \(member) }").expansion
    #expect(!expansion.contains("Takes what is injected"))
  }

  @Test func `a class without annotations says nothing`() {
    #expect(!expanded("@Component class Knight {}").contains("ComponentAnnotations"))
  }

  private func expanded(_ source: String) -> String {
    let found = diagnostics(of: source)
    #expect(found.messages.isEmpty)
    return found.expansion
  }
}

// MARK: - Descriptions

extension ComponentAnnotationTests {
  @Test func `collections accept what fits their elements`() {
    let expansion = expanded(
      """
      @Component class Knight {
        var a: [any Quest & Sendable] = []
        var b: Array<Horse>?
        var c: ContiguousArray<Provider<Horse>>
        var d: Set<Swift.Int>!
        var e: [String: (any Quest)?] = [:]
        var f: Dictionary<String, any FactoryObject<Horse> & Sendable>?
        var g: [Int: Horse] = [:]
      }
      """)
    let tests = expansion.split(separator: "accepts: {\n").dropFirst().map { part in
      part.split(separator: "\n")[0].drop { $0 == " " }
    }
    #expect(
      tests == [
        "$0 is any Quest.Type", "$0 is Horse.Type", "$0 is Horse.Type", "$0 is Swift.Int.Type",
        "$0 is any Quest.Type", "$0 is Horse.Type", "$0 is ([Int: Horse]).Type",
      ])
  }

  @Test func `OX-23 a factory of a protocol names its product as a type`() {
    let expansion = expanded(
      """
      @Component class Knight {
        var quests: (any FactoryObject<any Quest> & Sendable)?
        init(makes: any FactoryObject<any Quest> & Sendable) {}
      }
      """)
    #expect(expansion.contains(".factory(\"quests\", of: (any Quest).self, "))
    #expect(expansion.contains(".factory(\"makes\", of: (any Quest).self, "))
  }

  @Test func `TY-15 static methods that return the class are described`() {
    let expansion = expanded(
      """
      @Component class Sword {
        static func forged(by smith: String, _ length: Int = 3) throws -> Sword { Sword() }
        class func plain() -> Self { Self() }
        static func other() -> Shield { Shield() }
        static func maybe() -> Sword? { nil }
        static func later() async -> Sword { Sword() }
        private static func secret() -> Sword { Sword() }
        static func + (left: Sword, right: Sword) -> Sword { left }
        func copy() -> Sword { self }
        @available(macOS 99, *) static func new() -> Sword { Sword() }
        required init() {}
      }
      """)
    let made = expansion.split(separator: "InitializerDescriptor").dropFirst().map {
      $0.firstMatch(of: #/method: "(\w+)"/#).map { String($0.1) } ?? "init"
    }
    #expect(made == ["init", "forged", "forged", "plain"])
    #expect(expansion.contains("try Sword.forged(by: $0, $1)"))
    #expect(expansion.contains("try Sword.forged(by: $0)\n"))
    #expect(expansion.contains("Sword.plain()"))
  }

  @Test func `TY-08 methods without arguments and result are described`() {
    let expansion = expanded(
      """
      @Component class Knight {
        func arm() throws {}
        func mount() -> Void {}
        func `repeat`() {}
        func name() -> String { "" }
        func hit(_ other: Knight) {}
        func wait() async {}
        func all<T>() where T == Int {}
        static func reset() {}
        private func secret() {}
        @MainActor func draw() {}
      }
      """)
    let names = expansion.split(separator: "CallbackDescriptor(\"").dropFirst().map {
      $0.prefix { $0 != "\"" }
    }
    #expect(names == ["arm", "mount", "repeat"])
    #expect(expansion.contains("try $0.arm()"))
    #expect(expansion.contains("$0.`repeat`()"))
  }

  @Test func `TY-17 marked methods make other objects`() {
    let expansion = expanded(
      """
      @Component class Forge {
        @FactoryMethod func sword(_ steel: Steel, length: Int = 3) throws -> any Sword { Blade() }
        @FactoryMethod func copy() -> Self { self }
        func shield() -> Shield { Shield() }
      }
      """)
    let parts = expansion.split(separator: "MethodDescriptor(").dropFirst()
    #expect(
      parts.map { $0.prefix { $0 != "," } } == ["\"sword\"", "\"sword\"", "\"copy\""])
    #expect(expansion.contains("sendability: Sendability<any Sword>.of()"))
    #expect(expansion.contains("sendability: Sendability<Forge>.of()"))
    #expect(expansion.contains("try $0.sword($1, length: $2)"))
    #expect(expansion.contains("try $0.sword($1)\n"))
  }
}

// MARK: - Diagnostics

extension ComponentAnnotationTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let member: String
    let message: String
    var type = "@Component class Knight"
    var fixIt: String?
    var fixed: String?

    var source: String { "\(type) {\n  \(member)\n}" }
    var testDescription: String { member }
  }

  @Test(arguments: misuses)
  func `misuse of markers is refused where it is`(_ misuse: Misuse) {
    let found = diagnostics(of: misuse.source, applying: misuse.fixIt)
    #expect(found.messages == [misuse.message])
    #expect(found.fixIts == [misuse.fixIt].compactMap(\.self))
    if let fixed = misuse.fixed {
      #expect(found.fixedSource == "\(misuse.type) {\n  \(fixed)\n}")
    }
  }

  static let misuses: [Misuse] = [
    Misuse(
      member: "@Inject private var quest: Quest?",
      message:
        "a container cannot set 'quest': code beside the class cannot, because it is private",
      fixIt: "remove 'private'", fixed: "@Inject var quest: Quest?"),
    Misuse(
      member: "@Autowired private(set) var quest: Quest?",
      message:
        "a container cannot set 'quest': code beside the class cannot, because it is private",
      fixIt: "remove 'private(set)'", fixed: "@Autowired var quest: Quest?"),
    Misuse(
      member: "@Inject let quest: Quest\n  init() { quest = Quest() }",
      message: "a container cannot set 'quest': it is a constant, and no initializer has a "
        + "parameter 'quest'",
      fixIt: "make it a 'var'", fixed: "@Inject var quest: Quest\n  init() { quest = Quest() }"),
    Misuse(
      member: "@Inject static var quest: Quest?",
      message: "a container cannot set 'quest': it is static, and belongs to no object"),
    Misuse(
      member: "@Inject var quest: Quest { Quest() }",
      message: "a container cannot set 'quest': it has no setter"),
    Misuse(
      member: "@Inject var quest = makeQuest()",
      message: "a container cannot set 'quest': its type is not written, and a macro sees no "
        + "inferred ones"),
    Misuse(
      member: "@Inject @MainActor var quest: Quest?",
      message: "a container cannot set 'quest': it belongs to an actor, or is not available "
        + "everywhere"),
    Misuse(
      member: "@Inject(\"\") var quest: Quest?", message: "the name of a component is empty"),
    Misuse(
      member: "@Inject @Autowired var quest: Quest?",
      message: "'quest' is annotated twice, and is set once",
      fixIt: "remove the second annotation", fixed: "@Inject var quest: Quest?"),
    Misuse(
      member: "@Inject @Autowired init() {}",
      message: "'init' is annotated twice, and is set once",
      fixIt: "remove the second annotation", fixed: "@Inject init() {}"),
    Misuse(
      member: "@Inject init(a: Int) {}\n  @Autowired init(b: Int) {}",
      message: "another initializer is annotated already, and an object is constructed by one"),
    Misuse(
      member: "@Inject(\"x\") init(a: Int, b: Int) {}",
      message: "one component or value is named, and the initializer needs 2 arguments; annotate "
        + "the properties, or name the parameters like their components"),
    Misuse(
      member: "@Inject private init(a: Int) {}",
      message: "a container cannot call the initializer, because it is private"),
    Misuse(
      member: "@Inject init(a: Int) async {}",
      message: "a container cannot call the initializer, because it is asynchronous"),
    Misuse(
      member: "@Inject init?(a: Int) {}",
      message: "a container cannot call the initializer, because it may return nil"),
    Misuse(
      member: "@Inject init<T>(a: T) {}",
      message: "a container cannot call the initializer, because it is generic"),
    Misuse(
      member: "@Inject init(a: Int...) {}",
      message: "a container cannot call the initializer, because it is variadic"),
    Misuse(
      member: "@Inject init(a: inout Int) {}",
      message: "a container cannot call the initializer, because it takes 'inout Int'"),
    Misuse(
      member: "@FactoryMethod func make() {}",
      message: "a container cannot call 'make', because it returns nothing"),
    Misuse(
      member: "@FactoryMethod func make() -> Quest? { nil }",
      message: "a container cannot call 'make', because it may return nil"),
    Misuse(
      member: "@FactoryMethod func make() -> some Quest { Grail() }",
      message: "a container cannot call 'make', because it hides the type of what it returns"),
    Misuse(
      member: "@FactoryMethod static func make() -> Quest { Quest() }",
      message: "a container cannot call 'make', because it is static"),
    Misuse(
      member: "@FactoryMethod private func make() -> Quest { Quest() }",
      message: "a container cannot call 'make', because it is private"),
    Misuse(
      member: "@FactoryMethod func make() async -> Quest { Quest() }",
      message: "a container cannot call 'make', because it is asynchronous"),
    Misuse(
      member: "@Inject func arm() {}",
      message: "'@Inject' belongs on a property or an initializer"),
    Misuse(
      member: "@FactoryMethod var quest: Quest?", message: "'@FactoryMethod' belongs on a method"),
    Misuse(
      member: "@Inject var quest: Quest?",
      message: "'@Inject' is read by '@Component', and this is not a member of a class with that "
        + "annotation", type: "class Knight"),
    Misuse(
      member: "@Autowired var quest: Quest?",
      message:
        "'@Autowired' is read by '@Component', and this is not a member of a class with that "
        + "annotation", type: "struct Knight"),
    Misuse(
      member: "@FactoryMethod func make() -> Quest { Quest() }",
      message: "'@Component' sees the members of the class itself only; move this one there, or "
        + "drop '@FactoryMethod'", type: "extension Knight"),
    Misuse(
      member: "@Inject var quest: Quest?",
      message: "'Knight' belongs to the main actor, so a container cannot build it; make it in "
        + "code and hand it what it needs", type: "@MainActor @Component class Knight"),
    Misuse(
      member: "@Inject init(quest: Quest) {}",
      message: "'Knight' belongs to the main actor, so a container cannot build it; make it in "
        + "code and hand it what it needs",
      type: "@Component(isolation: .mainActor) class Knight"),
    Misuse(
      member: "",
      message: "'.singleton' and '.thread' contradict each other: an object has one scope",
      type: "@Component(.singleton, .thread) class Knight"),
    Misuse(
      member: "", message: "'.task' is given twice",
      type: "@Component(\"a\", .task, .task) class Knight"),
    Misuse(
      member: "",
      message: "'.lazy' and '.thread' contradict each other: a lazy object is one for "
        + "all threads, and objects of this scope are built by their first use anyway",
      type: "@Component(.lazy, .thread) class Knight"),
    Misuse(
      member: "", message: "the name of a component is empty",
      type: "@Component(\"\") class Knight"),
  ]

  @Test func `a diagnostic is on the annotation, or on what is to change`() {
    assertExpansion(
      """
      enum Table {
        @Component class Knight {
          @Inject
          let quest: Quest
          @Inject init(_ horse: Horse?...) {}
        }
      }
      """,
      to: diagnostics(
        of: """
          enum Table {
            @Component class Knight {
              @Inject
              let quest: Quest
              @Inject init(_ horse: Horse?...) {}
            }
          }
          """
      ).expansion,
      diagnostics: [
        DiagnosticSpec(
          message: "a container cannot call the initializer, because it is variadic", line: 5,
          column: 5),
        DiagnosticSpec(
          message: "a container cannot set 'quest': it is a constant, and no initializer has a "
            + "parameter 'quest'", line: 4, column: 5,
          fixIts: [FixItSpec(message: "make it a 'var'")]),
      ])
  }
}
