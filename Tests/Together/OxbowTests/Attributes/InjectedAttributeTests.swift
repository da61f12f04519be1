import Oxbow
import Synchronization
import Testing

/// `@Injected` (BM-11 to BM-15).
@Suite struct InjectedAttributeTests {
  class Engine: @unchecked Sendable {
    let name: String
    init(_ name: String = "petrol") { self.name = name }
  }
  final class Diesel: Engine, @unchecked Sendable {}

  protocol Tuner: Sendable { var band: String { get } }
  protocol Fueled: Sendable {}
  struct FM: Tuner { var band: String { "FM" } }
  struct Hybrid: Tuner, Fueled { var band: String { "hybrid" } }

  final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func note(_ line: String) { state.withLock { $0.append(line) } }
  }

  class Car {
    @Injected var engine: Engine
    @Injected var tuner: (any Tuner)?
    init() {}
  }
  final class Van: Car { @Injected var spare: Engine }
  final class Sled { @Injected var engine: Engine }
  final class Mirrored: CustomReflectable {
    @Injected var engine: Engine
    let shows: Bool
    init(shows: Bool) { self.shows = shows }
    var customMirror: Mirror { Mirror(self, children: shows ? ["_engine": _engine] : [:]) }
  }

  final class Truck: InjectionHook, Sendable {
    let log = Log()
    /// A property that cannot be copied, beside the injected ones.
    private let state = Mutex<[Int]>([1])
    @Injected(didInject: Truck.hear) var engine: Engine
    @Injected var both: any Tuner & Fueled

    func hear(_ engine: Engine) { log.note("hear \(engine.name), \($engine.isInjected)") }

    func didInject(_ value: Any, into property: AttributedProperty) {
      log.note("\(property.name) in \(property.owner), \(value is Engine)")
    }
  }

  actor Ferry {
    @Injected var engine: Engine
    var name: String { engine.name }
  }

  private func container(
    _ initializers: PropertyInitializers, _ configure: (ContainerBuilder) -> Void = { _ in }
  ) throws -> Container {
    let builder = ContainerBuilder()
    builder.add(initializers)
    builder.prototype(named: "car", Car.init)
    builder.prototype(named: "van", Van.init)
    configure(builder)
    return try builder.build()
  }

  private func problem(_ body: () throws -> Void) throws -> ContainerError.Problem {
    let error = #expect(throws: ContainerError.self) { try body() }
    return try #require(error?.problems.first)
  }

  // MARK: - Initializers

  @Test func `BM-11 the first reader has an initializer make the value`() throws {
    let initializers = PropertyInitializers()
    let made = Mutex(0)
    initializers.register(Engine.self) { request in
      made.withLock { $0 += 1 }
      #expect(request.owner is Car)
      #expect("\(request.property)" == "Car.engine")
      return Engine()
    }
    let car: Car = try container(initializers).object("car")
    #expect(made.withLock { $0 } == 0)
    #expect(!car.$engine.isInjected)
    let engine = car.engine
    #expect(car.engine === engine)
    #expect(made.withLock { $0 } == 1)
    #expect(car.tuner == nil)
  }

  @Test func `BM-11 initializers are by name, key path, owner, type and protocols`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("type") }
    initializers.register(Engine.self, owner: Van.self) { _ in Engine("owner") }
    initializers.register(\Van.spare) { _ in Engine("path") }
    initializers.register(protocols: [(any Tuner).self]) { _ in FM() }
    initializers.register(protocols: [(any Tuner).self, (any Fueled).self]) { _ in Hybrid() }
    let container = try container(initializers) { $0.singleton(named: "truck", Truck.init) }
    let car: Car = try container.object("car")
    let van: Van = try container.object("van")
    #expect([car.engine.name, van.engine.name, van.spare.name] == ["type", "owner", "path"])
    #expect(car.tuner?.band == "FM")
    let truck: Truck = try container.object("truck")
    #expect(truck.both.band == "hybrid")
  }

  @Test func `BM-11 an initializer may use the container`() throws {
    let initializers = PropertyInitializers()
    initializers.register(\Car.tuner) { try $0.container.object("fm", as: FM.self) }
    initializers.register(Engine.self) { _ in Engine() }
    let car: Car = try container(initializers) { $0.singleton(named: "fm", { FM() }) }.object("car")
    #expect(car.tuner?.band == "FM")
  }

  @Test func `BM-11 without an initializer the container's object of the type is injected`() throws
  {
    let container = try container(PropertyInitializers()) {
      $0.singleton(named: "engine", { Engine("defined") })
      $0.singleton(named: "tuner", { FM() })
    }
    let car: Car = try container.object("car")
    #expect(car.engine.name == "defined")
    #expect(try car.engine === container.object("engine", as: Engine.self))
    #expect(car.tuner?.band == "FM")
  }

  @Test func `BM-11 a value may be assigned, and made again`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine() }
    let car: Car = try container(initializers).object("car")
    car.engine = Engine("double")
    #expect(car.engine.name == "double")
    car.$engine.reset()
    #expect(car.engine.name == "petrol")
  }

  @Test func `BM-11 a registry belongs to its containers`() throws {
    let petrol = PropertyInitializers()
    petrol.register(Engine.self) { _ in Engine("petrol") }
    let diesel = PropertyInitializers()
    diesel.register(Engine.self) { _ in Diesel("diesel") }
    let cars: [Car] = [
      try container(petrol).object("car"), try container(diesel).object("car"),
    ]
    #expect(cars.map(\.engine.name) == ["petrol", "diesel"])
  }

  @Test func `BM-11 the objects of a patched container are injected by it`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { try $0.container.object("engine") }
    let container = try container(initializers) {
      $0.singleton(named: "engine", { Engine("first") })
    }
    let patched = try container.patched { $0.replace("engine") { Engine("patched") } }
    let cars: [Car] = [try container.object("car"), try patched.object("car")]
    #expect(cars.map(\.engine.name) == ["first", "patched"])
  }

  @Test func `BM-11 an object of a thread is injected`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("of a thread") }
    let container = try container(initializers) {
      $0.prototype(named: "local", in: .thread, Car.init)
    }
    let name = try container.withObject("local", as: Car.self) { $0.engine.name }
    #expect(name == "of a thread")
  }

  @Test func `BM-11 an object holds its container until its properties are injected`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { try $0.container.object("engine") }
    weak var container: Container?
    weak var kept: Engine?
    let car: Car
    do {
      let made = try self.container(initializers) { $0.singleton(named: "engine", { Engine() }) }
      container = made
      kept = try made.object("engine")
      car = try made.object("car")
    }
    #expect(container == nil)
    #expect(kept != nil)
    #expect(car.engine === kept)
    car.tuner = FM()
    car.engine = Engine("another")
    #expect(kept == nil)
    car.$engine.reset()
    let problem = try problem { _ = try car.$engine.injected() }
    #expect(problem.code == .containerReleased)
  }

  // MARK: - What is missing

  @Test func `BM-11 a container refuses an object one of whose properties gets nothing`() throws {
    let initializers = PropertyInitializers()
    initializers.register(String.self) { _ in "" }
    let container = try container(initializers)
    let problem = try problem { _ = try container.object("car", as: Car.self) }
    #expect(problem.code == .propertyNotInjected)
    #expect(problem.message == "nothing is registered for the injected property 'Car.engine'")
    #expect(problem.seen.contains("1 initializer, none of which makes a Engine"))
  }

  @Test
  func
    `BM-11 a container refuses an object for whose property it cannot be asked, optional or not`()
    throws
  {
    typealias Case = (code: ContainerError.Code, define: (ContainerBuilder) -> Void)
    let cases: [Case] = [
      (.noObjectOfType, { for name in ["a", "b"] { $0.singleton(named: name) { Engine(name) } } }),
      (.confinedEscapes, { $0.prototype(named: "a", in: .thread) { Engine() } }),
      (
        .noObjectOfType,
        {
          $0.singleton(named: "engine") { Engine() }
          for name in ["a", "b"] { $0.singleton(named: name) { FM() } }
        }
      ),
    ]
    for (code, define) in cases {
      let container = try container(PropertyInitializers(), define)
      let problem = try problem { _ = try container.object("car", as: Car.self) }
      #expect(problem.code == code)
    }
    let car: Car = try container(PropertyInitializers()) {
      $0.singleton(named: "a", traits: .primary) { Engine("first") }
      $0.singleton(named: "b") { Engine("b") }
    }.object("car")
    #expect(car.engine.name == "first")
  }

  @Test func `BM-11 a property that was set already needs nothing, and holds no container`() throws
  {
    weak var log: Log?
    let sled: Sled
    do {
      let container = try container(PropertyInitializers()) {
        $0.prototype(named: "sled") {
          let sled = Sled()
          sled.engine = Engine("given")
          return sled
        }
        $0.singleton(named: "log") { Log() }
      }
      log = try container.object("log", as: Log.self)
      sled = try container.object("sled")
    }
    #expect(sled.engine.name == "given")
    #expect(log == nil)
  }

  @Test func `BM-11 an object that no container made says what is missing`() throws {
    let car = Car()
    let problem = try problem { _ = try car.$engine.injected() }
    #expect(problem.message == "the injected property 'Car.engine' is bound to no container")
    #expect(problem.nextStep.contains("container.inject(into:)"))
  }

  @Test func `BM-11 a mirror that hides a slot is named, and one that shows it is enough`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("seen") }
    let (hiding, showing) = (Mirrored(shows: false), Mirrored(shows: true))
    try initializers.inject(into: hiding)
    try initializers.inject(into: showing)
    let problem = try problem { _ = try hiding.$engine.injected() }
    #expect(problem.seen.hasSuffix(", or a 'customMirror' of Mirrored without '_engine'"))
    #expect(problem.nextStep.hasSuffix("; or make '_engine' a child of the 'customMirror'"))
    #expect(showing.engine.name == "seen")
  }

  @Test func `BM-11 reading an object that no container made stops the process`() async {
    await #expect(processExitsWith: .failure) { _ = Car().engine }
  }

  @Test func `BM-11 objects made elsewhere are injected by hand`() async throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("by hand") }
    let car = Car()
    try initializers.inject(into: car)
    #expect(car.engine.name == "by hand")
    #expect(initializers.serve { Car().engine.name } == "by hand")
    let container = try container(initializers)
    let other = Car()
    try container.inject(into: other, as: "car")
    #expect(other.engine.name == "by hand")
    let ferry = Ferry()
    try initializers.inject(into: ferry, from: container)
    #expect(await ferry.name == "by hand")
  }

  @Test func `BM-11 an initializer for a name that the class has not is an error`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self, property: "engin", owner: Car.self) { _ in Engine() }
    let container = try container(initializers)
    let problem = try problem { _ = try container.object("car", as: Car.self) }
    #expect(problem.code == .unknownProperty)
    #expect(problem.nearNames == ["engine"])
    #expect(problem.location?.file.hasSuffix("InjectedAttributeTests.swift") ?? false)
  }

  @Test func `BM-11 an initializer that makes another type is an error`() throws {
    let initializers = PropertyInitializers()
    initializers.register(protocols: [], property: "engine") { _ in "no engine" }
    let car: Car = try container(initializers).object("car")
    let problem = try problem { _ = try car.$engine.injected() }
    #expect(problem.code == .typeMismatch)
    #expect(problem.seen == "a String")
  }

  // MARK: - Rules

  @Test func `BM-12 the most specific initializer is used, whichever came first`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self, property: "engine") { _ in Engine("name") }
    initializers.register(Engine.self, owner: Car.self) { _ in Engine("owner") }
    initializers.register(Engine.self) { _ in Engine("type") }
    let van: Van = try container(initializers).object("van")
    #expect([van.engine.name, van.spare.name] == ["name", "owner"])
  }

  @Test func `BM-12 two that are equally specific are an error`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("a") }
    initializers.register(Engine.self) { _ in Engine("b") }
    let container = try container(initializers)
    let problem = try problem { _ = try container.object("car", as: Car.self) }
    #expect(problem.message.contains("2 initializers fit"))
  }

  @Test func `BM-12 in the exact mode the first that fits is used, and subclasses do not`() throws {
    let initializers = PropertyInitializers(matching: .exact)
    initializers.register(Diesel.self) { _ in Diesel("diesel") }
    initializers.register(Engine.self) { _ in Engine("first") }
    initializers.register(Engine.self, property: "engine") { _ in Engine("second") }
    let car: Car = try container(initializers).object("car")
    #expect(car.engine.name == "first")
  }

  @Test func `BM-13 nothing is remembered of a look that found nothing`() throws {
    let initializers = PropertyInitializers()
    let container = try container(initializers)
    #expect(throws: ContainerError.self) { try container.object("car", as: Car.self) }
    initializers.register(Engine.self) { _ in Engine() }
    let car: Car = try container.object("car")
    #expect(car.tuner == nil)
    initializers.register(protocols: [(any Tuner).self]) { _ in FM() }
    #expect(car.tuner?.band == "FM")
  }

  @Test func `BM-14 the method, then the hook, are called before the value is stored`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self) { _ in Engine("V8") }
    initializers.register(protocols: [(any Tuner).self]) { _ in Hybrid() }
    let truck: Truck = try container(initializers) { $0.singleton(named: "truck", Truck.init) }
      .object("truck")
    _ = truck.engine
    _ = truck.engine
    _ = truck.both
    #expect(
      truck.log.lines == [
        "hear V8, false", "engine in Truck, true", "both in Truck, false",
      ])
  }

  @Test func `BM-15 a shared value is one for each container`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self, scope: .shared) { _ in Engine() }
    let first = try container(initializers)
    let second = try container(initializers)
    let cars: [Car] = [
      try first.object("car"), try first.object("van"), try second.object("car"),
    ]
    #expect(cars[0].engine === cars[1].engine)
    #expect(cars[0].engine !== cars[2].engine)
    let later: Car = try first.object("car")
    #expect(later.engine === cars[0].engine)
  }

  @Test func `BM-15 a shared value lives as long as its container`() throws {
    let initializers = PropertyInitializers()
    initializers.register(Engine.self, scope: .shared) { _ in Engine() }
    let container = try container(initializers)
    let first = try container.object("car", as: Car.self).engine
    #expect(try container.object("car", as: Car.self).engine === first)
  }

  @Test func `BM-11 one of many threads makes the value`() async throws {
    let initializers = PropertyInitializers()
    let log = Log()
    initializers.register(Engine.self) { _ in
      log.note("made")
      return Engine()
    }
    initializers.register(protocols: [(any Tuner).self]) { _ in Hybrid() }
    let truck: Truck = try container(initializers) { $0.singleton(named: "truck", Truck.init) }
      .object("truck")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<32 { group.addTask { _ = truck.engine } }
    }
    #expect(log.lines == ["made"])
  }
}
