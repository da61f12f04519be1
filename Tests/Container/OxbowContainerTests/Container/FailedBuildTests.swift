import OxbowContainer
import Testing

/// What becomes of the objects of a build that fails in the middle.
@Suite struct FailedBuildTests {
  private let log = Collected<String>()

  /// Two objects that refer to each other, the first of which fails when its properties are set.
  private func pair(_ define: (String, Bool, String) -> Void) {
    define("bad", true, "good")
    define("good", false, "bad")
  }

  @Test func `SD10 singletons of a circle that fails are disposed of, each once`() throws {
    for weak in [false, true] {
      let builder = ContainerBuilder()
      let log = Collected<String>()
      pair { name, fails, other in
        builder.singleton(named: name, traits: weak ? .weak : [], { Gate(name, log, fails: fails) })
        {
          $0.set(\.other, Ref<Gate>(other))
        }
      }
      let container = try builder.build()
      for name in ["good", "bad"] {
        #expect(throws: ContainerError.self) { try container.object(name, as: Gate.self) }
      }
      #expect(log.all.sorted() == ["bad", "bad", "good", "good"], "weak: \(weak)")
      try container.shutDown()
      #expect(log.all.count == 4)
    }
  }

  @Test(arguments: [true, false])
  func `SD10 a circle that is finished when its container was shut down is disposed of, all of it`(
    areAllWeak: Bool
  ) throws {
    let (builder, shelf) = (ContainerBuilder(), Collected<Container>())
    for (name, other) in [("good", "last"), ("last", "good")] {
      builder.singleton(
        named: name, traits: areAllWeak || name == "good" ? .weak : [],
        { [log] in Gate(name, log, fails: false) { try shelf.all[0].shutDown() } }
      ) { $0.set(\.other, Ref<Gate>(other)) }
    }
    let container = try builder.build()
    shelf.append(container)
    let error = #expect(throws: ContainerError.self) {
      try container.object("good", as: Gate.self)
    }
    #expect(error?.code == .containerReleased)
    #expect(log.all.sorted() == ["good", "last"])
  }

  @Test func `SD10 objects of a thread of a circle that fails are disposed of, each once`() throws {
    let builder = ContainerBuilder()
    pair { name, fails, other in
      builder.prototype(named: name, in: .thread, { ThreadGate(name, log, fails: fails) }) {
        $0.set(\.other, Ref<ThreadGate>(other))
      }
    }
    let container = try builder.build()
    container.withThreadScope {
      #expect(throws: ContainerError.self) {
        try container.withObject("good", as: ThreadGate.self) { _ in }
      }
      #expect(log.all.sorted() == ["bad", "good"])
    }
    #expect(log.all.count == 2)
  }

  @Test func `SD10 an object that is handed on under a name that fails is not disposed of`() throws
  {
    let builder = ContainerBuilder()
    builder.add(Refusing(name: "alias"))
    let gate = builder.singleton(named: "gate") { [log] in Gate("gate", log, fails: false) }
    builder.singleton(named: "alias", { (gate: Gate) in gate }, gate)
    let container = try builder.build()
    #expect(throws: ContainerError.self) { try container.object("alias", as: Gate.self) }
    _ = try container.object(gate)
    #expect(log.all == [])
    #expect(throws: ContainerError.self) { try container.object("alias", as: Gate.self) }
    #expect(log.all == [])
    try container.shutDown()
    #expect(log.all == ["gate"])
  }

  @Test func `SD10 an object that a post-processor refuses is disposed of`() throws {
    let builder = ContainerBuilder()
    builder.add(Refusing(name: "gate"))
    let gate = builder.singleton(named: "gate") { [log] in Gate("gate", log, fails: false) }
    let container = try builder.build()
    #expect(throws: ContainerError.self) { try container.object(gate) }
    #expect(log.all == ["gate"])
  }
}

private struct Refusing: ObjectPostProcessor {
  let name: String
  func process<T>(_ object: T, named name: String) throws -> T {
    if name == self.name { throw Refusal("not \(name)") }
    return object
  }
}

/// Something shared that ends; `@unchecked`: written while it is built.
private final class Gate: Disposable, InjectionObserver, @unchecked Sendable {
  private let name: String
  private let log: Collected<String>
  private let fails: Bool
  private let whenSet: () throws -> Void
  var other: Gate?

  init(
    _ name: String, _ log: Collected<String>, fails: Bool,
    whenSet: @escaping () throws -> Void = {}
  ) {
    (self.name, self.log, self.fails, self.whenSet) = (name, log, fails, whenSet)
  }

  func afterPropertiesSet() throws {
    try whenSet()
    if fails { throw Refusal("it does not open") }
  }

  func dispose() {
    log.append(name)
    other = nil
  }
}

/// Something of a thread that ends.
private final class ThreadGate: ConfinedDisposable, InjectionObserver {
  private let name: String
  private let log: Collected<String>
  private let fails: Bool
  var other: ThreadGate?

  init(_ name: String, _ log: Collected<String>, fails: Bool) {
    (self.name, self.log, self.fails) = (name, log, fails)
  }

  func afterPropertiesSet() throws { if fails { throw Refusal("it does not open") } }

  func dispose() {
    log.append(name)
    other = nil
  }
}
