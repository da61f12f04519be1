import Oxbow
import OxbowTestSupport
import Synchronization
import Testing

// Aspects together with what else changes how objects are made and called.

@Suite struct AspectPairTests {
  class Engine: @unchecked Sendable {
    // Sendable by argument: it has no state.
    func name() -> String { "engine" }
  }

  final class Car: Hauler, Sendable {
    @Injected var engine: Engine
    @Injected var radio: (any Walker & Sendable)?
    @Lazy({ (car: Car) in car.engine.name() + "'s plate" }) var plate: String
    @Final var owner: String
    func haul(_ load: String) throws -> String {
      if !$owner.isAssigned { owner = load }
      return "\(owner) by \(engine.name()), \(plate)"
    }
  }

  @Woven final class Cart: Sendable {
    @Injected var engine: Engine
    func haul(_ load: String) throws -> String { try start() + " \(load)" }
    func start() throws -> String { engine.name() }
  }

  /// An aspect with a property of its own to inject.
  final class Listing: Aspect, Sendable {
    @Injected var journal: Journal
    func before(_ call: Invocation) { journal.note("\(call)") }
  }

  private let journal = Journal()

  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine() }
    initializers.register(Journal.self) { [journal] _ in journal }
    builder.add(initializers)
    return builder
  }

  // MARK: - Attributes

  @Test func `an object behind a proxy with aspects has its properties injected`() throws {
    let builder = builder()
    builder.singleton(named: "car", { Car() })
    builder.aspect(named: "listing", on: .objects("car")) { Listing() }
    let container = try builder.build()
    let car = try container.object("car", as: HaulerProxy.self)
    #expect(try car.haul("wood") == "wood by engine, engine's plate")
    #expect(try car.haul("coal") == "wood by engine, engine's plate")
    #expect(journal.lines == ["haul(wood)", "haul(coal)"])
  }

  @Test func `a missing initializer is found when an object with aspects is asked for`() throws {
    let builder = ContainerBuilder()
    builder.add(PropertyInitializers())
    builder.singleton(named: "car", { Car() })
    builder.aspect(named: "steps", on: .objects("car")) { [journal] in
      Steps(name: "s", journal: journal)
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("car", as: HaulerProxy.self)
    }
    #expect(error?.problems.map(\.code) == [.propertyNotInjected])
  }

  @Test func `a property may be injected with an object that has aspects`() throws {
    let builder = builder()
    builder.prototype(named: "car", { Car() })
    builder.singleton(named: "ada", { Ada() })
    builder.aspect(named: "listing", on: .objects("ada").methods("walk")) { Listing() }
    let car = try builder.build().object("car", as: Car.self)
    #expect(try car.radio?.walk(to: "Rome", steps: 2) == "Rome in 2")
    #expect(journal.lines == ["walk(to: Rome, steps: 2)"])
  }

  @Test func `a woven class has its properties injected`() throws {
    let builder = builder()
    builder.singleton(named: "cart", { Cart() })
    builder.aspect(named: "listing", on: .objects("cart")) { Listing() }
    let cart = try builder.build().object("cart", as: Cart.self)
    #expect(try cart.haul("wood") == "engine wood")
    #expect(journal.lines == ["haul(wood)", "start()"])
  }

  // MARK: - Units of work that begin again

  /// A store whose `lending` retries three times, with an aspect inside that fails the first two
  /// attempts as another writer would.
  private func lending(
    _ define: (ContainerBuilder) -> Void
  ) throws -> (container: Container, any Lending & Sendable, any ObjectContext & Sendable) {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton(named: "outer", { StoredLending(context: $0, inner: nil) }, context)
    let retry = TransactionRetry(attempts: 3) { _ in }
    builder.transactional(on: .objects("outer"), retry: retry, context: context)
    define(builder)
    let attempts = Journal()
    builder.aspect(named: "race", on: .objects("outer"), order: 9) {
      Around { call, proceed in
        try proceed()
        attempts.note("\(call)")
        if attempts.lines.count < 3 { throw PersistenceError(.conflict, "somebody was first") }
      }
    }
    let container = try builder.build()
    return (
      container, try container.object("outer", as: LendingProxy.self),
      try container.object("context", as: ObjectContextProxy.self)
    )
  }

  private func labels(_ context: any ObjectContext & Sendable) throws -> [String] {
    try onThread { try context.fetch(Stamp.self).map(\.label).sorted() }
  }

  @Test func `an aspect outside of a retried transaction sees one call, and one inside each`()
    throws
  {
    let (container, lending, context) = try lending { builder in
      for (name, order) in [("outside", -1), ("inside", 1)] {
        builder.aspect(named: name, on: .objects("outer"), order: order) { [journal] in
          Steps(name: name, journal: journal)
        }
      }
    }
    #expect(try onThread { try lending.rename("a", to: "b") } == 0)
    let attempt = "inside before rename(a, to: b)"
    #expect(
      journal.lines == [
        "outside before rename(a, to: b)", attempt, "inside after", attempt, "inside after",
        attempt, "inside returning", "inside after", "outside returning", "outside after",
      ])
    #expect(try labels(context) == ["b"])
    try container.shutDown()
  }

  @Test func `an argument that an aspect inside has changed is the call's at the next attempt`()
    throws
  {
    let (container, lending, context) = try lending {
      $0.aspect(named: "mark", on: .objects("outer"), order: 1) {
        Around { call, proceed in
          try call.setArgument(1, to: "\(call.argument(1))'")
          try proceed()
        }
      }
    }
    _ = try onThread { try lending.rename("a", to: "b") }
    #expect(try labels(context) == ["b'"])
    try container.shutDown()
  }

  @Test func `an error that no retry changes passes the aspects outside`() throws {
    let (container, lending, context) = try lending {
      $0.aspect(named: "translate", on: .objects("outer"), order: -1) { Translating() }
    }
    #expect(throws: CancellationError.self) { try onThread { try lending.fail(after: "x") } }
    #expect(try labels(context).isEmpty)
    try container.shutDown()
  }

  @Test func `aspects of what a retried unit of work calls run at each attempt`() throws {
    let store = try PersistentContainer(.temporary, types: tomeTypes)
    let builder = ContainerBuilder()
    builder.singleton(named: "ada", { Ada() })
    builder.aspect(named: "steps", on: .objects("ada").methods("count")) { [journal] in
      Steps(name: "s", journal: journal)
    }
    let ada = try builder.build().object("ada", as: RunnerProxy.self)
    let retry = TransactionRetry(attempts: 3) { _ in }
    try onThread { [journal] in
      try store.perform(retrying: retry) { context in
        try context.insert(Stamp.self) { $0.label = "\(try ada.count())" }
        if journal.lines.count < 6 { throw PersistenceError(.conflict, "somebody was first") }
        try context.save()
      }
    }
    #expect(journal.lines.count == 6)
    #expect(try labels(store.contexts) == ["7"])
    store.close()
  }
}

@Proxied(aspects: true) protocol Hauler {
  func haul(_ load: String) throws -> String
}
extension HaulerProxy: HaulerForwarding {}
