import OxbowContainer
import OxbowDocuments
import Testing

/// What can go wrong when a container is asked, and the texts.
@Suite struct RequestErrorTests {
  @Test func `an unknown name`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("grial", as: Grail.self, file: "App.swift", line: 5)
    }
    #expect(
      "\(error?.description ?? "")" == """
        cannot get object "grial": there is no object named "grial"
           at: App.swift:5
           seen: a request for "grial"
           expected: the name of the one definition
           did you mean: "grail"?
           next: define "grial", or correct the name
        """)
  }

  @Test func `another type`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init, file: "App.swift", line: 5)
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("grail", as: Castle.self)
    }
    #expect(
      "\(error?.description ?? "")" == """
        cannot get object "grail": object "grail" has another type
           at: App.swift:5
           seen: "grail" is a Grail
           expected: Castle
           next: ask for Grail, or for a protocol that it conforms to
        """)
  }

  @Test func `an object that is not Sendable cannot be had as one that is`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "dragon", Dragon.init)
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("dragon", as: (any Quest & Sendable).self)
    }
    #expect(error?.code == .sharedNotSendable)
    let quest = try container.object("dragon", as: (any Quest).self)
    #expect(quest.goal == "dragon")
  }

  @Test func `a constructor that throws is named with the way to it`() throws {
    let builder = ContainerBuilder()
    let broken = builder.singleton(
      named: "broken", { () throws -> Grail in throw Refusal("no clay") }, file: "App/Wiring.swift",
      line: 7)
    let castle = builder.singleton(
      named: "castle", Castle.init(name:quest:), Ref.value("x"), broken)
    builder.prototype(named: "king", King.init) { $0.set(\.castle, castle) }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      _ = try container.object("king", as: King.self)
    }
    #expect(
      "\(error?.description ?? "")" == """
        cannot get object "king": object "broken": its constructor failed
           at: App/Wiring.swift:7
           seen: no clay
           expected: an object
           requested by: "king" → "castle"
           next: remove the cause and ask again: nothing was kept
        """)
    #expect(error?.underlying is Refusal)
  }

  @Test func `a setter that throws is named, too`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let knight = builder.prototype(named: "knight", Knight.init) {
      $0.set(grail, named: "quest") { _, _ in throw Refusal("too heavy") }
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { _ = try container.object(knight) }
    #expect(error?.problems.first?.message == "object \"knight\": setting its properties failed")
  }

  @Test func `a reference of another builder is refused`() throws {
    let one = ContainerBuilder()
    let grail = one.singleton(named: "grail", Grail.init)
    let two = ContainerBuilder()
    two.singleton(named: "grail", Grail.init)
    let container = try two.build()
    let error = #expect(throws: ContainerError.self) { try container.object(grail) }
    #expect(error?.code == .unknownObject)
    #expect(try container.object(Ref<Grail>("grail")).goal == "grail")
  }

  @Test func `codes match errors that carry them`() {
    let problem = ContainerError.Problem(
      .unknownClass, "x", seen: "a", expected: "b", nextStep: "c")
    let error: any Error = ContainerError("test", [problem])
    #expect(ContainerError.Code.unknownClass ~= error)
    #expect(!(ContainerError.Code.unknownScope ~= error))
    #expect(!(ContainerError.Code.unknownClass ~= Refusal("x")))
    #expect(ContainerError.Code.unknownClass.description == "unknownClass")
  }
}
