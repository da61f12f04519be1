import OxbowContainer
import OxbowDocuments
import Testing

/// What `build()` refuses, without running a constructor, and the texts with which it does.
@Suite struct ValidationTests {
  private protocol Unseen {}

  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "context.xml", line: line, column: 3)
  }

  private func text(_ builder: ContainerBuilder) -> String {
    do {
      _ = try builder.build()
      return "built"
    } catch {
      return "\(error)"
    }
  }

  private func problems(_ builder: ContainerBuilder) -> [ContainerError.Problem] {
    builder.check().problems
  }

  @Test func `of many problems the first thousand are listed, and the others counted`() {
    let builder = ContainerBuilder.ofTests()
    for number in 0..<1_003 {
      builder.add(
        ObjectDefinition(
          "knight \(number)", class: "Knight", scope: "prototype",
          properties: [.reference("quest", to: "q\(number)")]))
    }
    let problems = builder.check().problems
    #expect(problems.count == 1_001)
    #expect(problems.allSatisfy { $0.code == .missingReference })
    #expect(problems.last?.message == "3 more problems are not listed")
  }

  @Test func `an error says in one line what is wrong, and where`() throws {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.reference("quest", to: "grail", at: place(4))]))
    let one = try #require(throws: ContainerError.self) { try builder.build() }
    #expect(one.message == one.problems.first?.message)
    #expect(one.location == place(4))
    #expect("\(one.code)" == "missingReference")
    builder.add(ObjectDefinition("squire", class: "NoSuchKnight", at: place(7)))
    let two = try #require(throws: ContainerError.self) { try builder.build() }
    #expect(two.problems.count == 2)
    #expect(two.message == "cannot build the container")
    #expect(ContainerError.Code(rawValue: "unknownClass") ~= two)
  }

  @Test func `a missing reference names near names and the way to it`() {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.reference("quest", to: "grial", at: place(4))], at: place(3)))
    builder.add(
      ObjectDefinition(
        "squire", class: "Knight", scope: "prototype",
        properties: [.reference("rival", to: "knight", at: place(8))], at: place(7)))
    builder.singleton(named: "grail", Grail.init)
    #expect(
      text(builder) == """
        cannot build the container: object "knight", property "quest": there is no object named "grial"
           at: context.xml:4:3
           seen: a reference to "grial"
           expected: the name of one of the 3 definitions
           did you mean: "grail"?
           requested by: "squire" → "knight"
           next: define "grial", or correct the reference
        """)
  }

  @Test func `all problems come at once, numbered, in the order of the definitions`() {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.register(Grail.self)
    builder.add(ObjectDefinition("a", class: "Kngiht", at: place(2)))
    builder.add(ObjectDefinition("b", class: "Grail", at: place(3)))
    builder.add(ObjectDefinition("b", class: "Grail", at: place(4)))
    builder.add(
      ObjectDefinition(
        "c", class: "Knight", scope: "prototype", properties: [.value("age", "ten", at: place(6))],
        at: place(5)))
    #expect(
      text(builder) == """
        cannot build the container: 3 problems
        1. object "b" is defined twice
           at: context.xml:4:3
           seen: a second definition; the first is at context.xml:3:3
           expected: a name that no other definition has
           next: rename or remove one of the two
        2. object "a": class "Kngiht" is not known
           at: context.xml:2:3
           seen: class "Kngiht"
           expected: a class with @Component in this program, or one that was registered
           did you mean: "Knight"?
           next: annotate the class with @Component or register it; define the object in Swift where the class \
        is another module's
        3. object "c", property "age": "ten" is not an Int
           at: context.xml:6:3
           seen: "ten"
           expected: a whole number from -9223372036854775808 to 9223372036854775807
           next: correct the value
        """)
  }

  @Test func `an unknown property names those that there are, inherited ones included`() {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.register(kingDescriptor)
    builder.add(
      ObjectDefinition(
        "king", class: "King", scope: "prototype",
        properties: [.value("titel", "Sir", at: place(2))]))
    #expect(
      text(builder) == """
        cannot build the container: object "king": class "King" has no property named "titel"
           at: context.xml:2:3
           seen: property "titel"
           expected: one of "castle", "quest", "age", "title", "motto", "rival"
           did you mean: "title"?
           next: correct the name, or declare the property as a settable one: a 'var' that is not \
        private, with its type ('var titel: Type'), which @Component does not see in \
        '= Type(argument)'
        """)
  }

  @Test func `initializers that need each other are refused with the whole circle`() {
    let builder = ContainerBuilder()
    builder.singleton(
      named: "a", { (_: Node) in Node("a") }, Ref<Node>("b"), file: "W/App.swift", line: 1)
    builder.singleton(named: "b", { (_: Node) in Node("b") }, Ref<Node>("c"))
    builder.singleton(named: "c", { (_: Node) in Node("c") }, Ref<Node>("a"))
    let found = problems(builder)
    #expect(found.map(\.code) == [.cyclicInitializers])
    #expect(found.first?.seen == "\"a\" → \"b\" → \"c\" → \"a\"")
    #expect(found.first?.location?.description == "W/App.swift:1")
  }

  @Test func `a chain of prototypes that would exhaust the stack is refused`() {
    let builder = ContainerBuilder()
    builder.prototype(named: "0") { Node("0") }
    for number in 1...600 {
      builder.prototype(named: "\(number)", { (_: Node) in Node("x") }, Ref<Node>("\(number - 1)"))
    }
    #expect(problems(builder).map(\.code) == [.chainTooLong])
  }

  @Test func `a prototype chain as long as allowed is built`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "1") { Node("1") }
    for number in 2...200 {
      builder.prototype(
        named: "\(number)", { (_: Node) in Node("\(number)") }, Ref<Node>("\(number - 1)"))
    }
    let container = try builder.build()
    #expect(try container.object("200", as: Node.self).name == "200")
  }

  @Test func `a shared object that is not Sendable is refused`() {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.add(ObjectDefinition("knight", class: "Knight", at: place(2)))
    #expect(
      text(builder) == """
        cannot build the container: object "knight" would be used by several threads, but its type \
        is not Sendable
           at: context.xml:2:3
           seen: Knight, not known to be Sendable, in scope "singleton"
           expected: a Sendable type, or a scope in which each user has its own object
           next: declare Knight Sendable if it is; else give the object scope "prototype", or scope \
        "thread" with a thread-local proxy
        """)
  }

  @Test func `objects of a thread stay with objects of the thread`() {
    let builder = ContainerBuilder()
    let dragon = builder.prototype(named: "dragon", in: .thread, Dragon.init)
    builder.prototype(named: "knight", Knight.init) {
      $0.set(dragon, named: "quest") { $0.quest = $1 }
    }
    builder.prototype(named: "late", { (_: Provider<Dragon>) in Knight() }, dragon.provider)
    builder.prototype(
      named: "maker", { (_: any FactoryObject<Dragon> & Sendable) in Knight() }, dragon.factory)
    let found = problems(builder)
    #expect(found.map(\.code) == [.confinedEscapes, .confinedEscapes, .confinedEscapes])
    #expect(
      found.first?.message
        == "object \"knight\", property \"quest\": object \"dragon\" belongs to one thread")
    #expect(found[1].seen == "a Provider of an object of scope \"thread\"")
  }

  @Test func `a place for Sendable objects takes no other`() {
    let builder = ContainerBuilder()
    builder.register(Castle.self)
    builder.register(Dragon.self)
    builder.add(ObjectDefinition("dragon", class: "Dragon", scope: "prototype"))
    builder.add(
      ObjectDefinition(
        "castle", class: "Castle",
        properties: [.value("name", "x"), .reference("quest", to: "dragon", at: place(4))]))
    let found = problems(builder)
    #expect(found.map(\.code) == [.sharedNotSendable])
    #expect(
      found.first?.message
        == "object \"castle\", property \"quest\": object \"dragon\" is not Sendable")
    #expect(found.first?.location == place(4))
  }

  @Test func `a type that cannot fit is refused, one that cannot be judged is a note`() throws {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.register(Grail.self)
    builder.add(ObjectDefinition("grail", class: "Grail"))
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.reference("rival", to: "grail", at: place(5))]))
    #expect(
      text(builder) == """
        cannot build the container: object "knight", property "rival": object "grail" has the wrong \
        type
           at: context.xml:5:3
           seen: "grail" is a Grail
           expected: Knight
           next: refer to an object of that type, or change the type of the property
        """)
    let unsure = ContainerBuilder()
    unsure.singleton(named: "grail", Grail.init)
    unsure.prototype(named: "user", { (_: any Unseen) in Knight() }, Ref<any Unseen>("grail"))
    let report = unsure.check()
    #expect(report.problems.isEmpty)
    #expect(report.notes.count == 1)
    let container = try unsure.build()
    let error = #expect(throws: ContainerError.self) {
      _ = try container.object("user", as: Knight.self)
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.problems.first?.seen == "\"grail\" is a Grail")
  }

  @Test func `an object of a wrong type does not have to be Sendable as well`() {
    let builder = ContainerBuilder()
    builder.prototype(named: "knight", Knight.init)
    builder.prototype(named: "castle", { (name: String) in name }, Ref<String>("knight"))
    #expect(problems(builder).map(\.code) == [.typeMismatch])
  }

  @Test func `no initializer fits`() {
    let builder = ContainerBuilder()
    builder.register(Castle.self)
    builder.add(
      ObjectDefinition(
        "castle", class: "Castle", properties: [.value("name", "x"), .value("nme", "y")],
        at: place(2)))
    let found = problems(builder)
    #expect(found.map(\.code) == [.unknownProperty, .noInitializer])
    #expect(found.last?.expected == "init(name:quest:)")
    #expect(found.last?.seen == "properties \"name\", \"nme\"")
  }

  @Test func `a property that is set twice, an unknown scope, a missing converter`() {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.add(
      ObjectDefinition(
        "twice", class: "Knight", scope: "prototype",
        properties: [.value("age", "1"), .value("age", "2", at: place(3))]))
    builder.add(ObjectDefinition("scoped", class: "Knight", scope: "singelton", at: place(4)))
    builder.add(
      ObjectDefinition(
        "text", class: "Knight", scope: "prototype",
        properties: [.value("quest", "grail", at: place(5))]))
    let found = problems(builder)
    #expect(found.map(\.code) == [.invalidDefinition, .unknownScope, .noConverter])
    #expect(found[1].nearNames == ["singleton"])
    #expect(found[1].expected.hasPrefix("one of \"singleton\", \"prototype\", \"objectGraph\""))
  }

  @Test func `an ambiguous class name lists the full names`() {
    enum Other { final class Grail {} }
    let builder = ContainerBuilder()
    builder.register(Grail.self)
    builder.register(
      ComponentDescriptor(
        Other.Grail.self, name: "Grail", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Other.Grail() }]))
    builder.add(ObjectDefinition("grail", class: "Grail"))
    let found = problems(builder)
    #expect(found.map(\.code) == [.ambiguousClass])
    #expect(found.first?.seen.contains("OxbowContainerTests.Grail") == true)
  }

  @Test func `a class of the main actor is refused for files`() {
    let builder = ContainerBuilder()
    builder.register(
      ComponentDescriptor(
        Knight.self, name: "Knight", sendability: .of(), product: .of(), isolation: .mainActor))
    builder.add(ObjectDefinition("knight", class: "Knight", at: place(2)))
    let found = problems(builder)
    #expect(found.map(\.code) == [.invalidDefinition])
    #expect(found.first?.message == "object \"knight\": class \"Knight\" belongs to the main actor")
  }

  @Test func `the product part of a factory is checked, too`() {
    let builder = ContainerBuilder()
    builder.register(SwordFactory.self)
    builder.add(
      ObjectDefinition(
        "sword", class: "SwordFactory", scope: "prototype",
        product: ProductDefinition(properties: [.value("owner", "x")], at: place(3))))
    #expect(problems(builder).map(\.code) == [.unknownClass])
    builder.register(Sword.self)
    #expect(problems(builder).isEmpty)
    builder.add(
      ObjectDefinition(
        "other", class: "SwordFactory", scope: "prototype",
        product: ProductDefinition(
          class: "Sword", properties: [.value("owenr", "x", at: place(6))], at: place(5))))
    #expect(problems(builder).map(\.code) == [.unknownProperty])
    builder.add(
      ObjectDefinition(
        "third", class: "Knight", scope: "prototype",
        product: ProductDefinition(properties: [], at: place(8))))
    builder.register(Knight.self)
    #expect(problems(builder).map(\.code) == [.unknownProperty, .invalidDefinition])
  }

  @Test func `an empty name is refused`() {
    let builder = ContainerBuilder()
    builder.singleton(named: "", Grail.init)
    #expect(problems(builder).map(\.code) == [.invalidDefinition])
  }

  @Test func `a provider or factory of Sendable objects takes no other`() {
    final class Tower: Sendable, Component {
      init(quest: Provider<any Quest & Sendable>) {}
      init(quests: any FactoryObject<any Quest & Sendable> & Sendable) {}
      static var componentDescriptor: ComponentDescriptor {
        ComponentDescriptor(
          Tower.self, name: "Tower", sendability: .of(), product: .of(),
          initializers: [
            InitializerDescriptor(
              ParameterDescriptor(
                "quest", Provider<any Quest & Sendable>.self,
                typeName: "Provider<any Quest & Sendable>", sendability: .of(),
                accepts: { $0 is any Quest.Type })
            ) { Tower(quest: $0) },
            InitializerDescriptor(
              ParameterDescriptor.factory(
                "quests", of: (any Quest & Sendable).self,
                typeName: "any FactoryObject<any Quest & Sendable> & Sendable",
                sendability: .of(), accepts: { $0 is any Quest.Type })
            ) { Tower(quests: $0) },
          ])
      }
    }
    let builder = ContainerBuilder()
    builder.register(Tower.self)
    builder.prototype(named: "dragon", Dragon.init)
    builder.singleton(named: "grail", Grail.init)
    for name in ["dragon", "grail"] {
      for property in ["quest", "quests"] {
        builder.add(
          ObjectDefinition(
            "\(name) \(property)", class: "Tower", properties: [.reference(property, to: name)]))
      }
      let ref = Ref<any Quest & Sendable>(name)
      builder.prototype(
        named: "\(name) provider", { (_: Provider<any Quest & Sendable>) in 1 }, ref.provider)
      builder.prototype(
        named: "\(name) factory", { (_: any FactoryObject<any Quest & Sendable> & Sendable) in 1 },
        ref.factory)
    }
    let found = problems(builder)
    #expect(found.map(\.code) == Array(repeating: .sharedNotSendable, count: 4))
    #expect(found.allSatisfy { $0.message.contains("\"dragon\" is not Sendable") })
  }
}
