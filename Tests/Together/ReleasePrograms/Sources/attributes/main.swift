// Property attributes as optimized builds see them: each protocol has one implementation that is
// written by hand beside what macros write, and one slot is written by hand, beside theirs.

import Oxbow

protocol Tuner: Sendable {
  func band() -> String
}

/// The only one.
final class FM: Tuner {
  let words = ["FM", "stereo"]
  func band() -> String { words.joined(separator: " ") }
}

final class Engine: Sendable {
  let power: Int
  init(power: Int = 90) { self.power = power }
}

struct Clamp<Value: Comparable & Sendable>: PropertyAttribute {
  let range: ClosedRange<Value>
  init(_ range: ClosedRange<Value>) { self.range = range }

  func set(_ access: inout AttributeAccess<Value>) {
    access.value = access.value.map { min(max($0, range.lowerBound), range.upperBound) }
  }
}

/// The only one with this type.
struct Loud: PropertyAttribute {
  func get(_ access: inout AttributeAccess<String>) {
    access.value = access.value?.uppercased()
  }
}

final class Car: Sendable, InjectionHook {
  @Injected(didInject: Car.started) var engine: Engine
  @Injected var tuner: any Tuner
  @Lazy({ (car: Car) in [car.engine.power, 0] }) var gauges: [Int]
  @Lazy var spare: [Int]?
  @Final var number: Int?
  @Attributed(Clamp(0...200)) var speed: Int = 300
  @Attributed(Loud()) var driver: String = "ada"
  @Preference("car.color", store: \Car.store) var color: String = "red"
  let store = MemoryPreferenceStore()

  // By hand, as the macro writes it.
  private let _trips = LazySlot<[String]>()
  var trips: [String] {
    get { _trips._value("trips", of: Car.self) { ["home"] } }
    set { _trips._set(newValue) }
  }

  func started(_ engine: Engine) { print("started with \(engine.power)") }

  func didInject(_ value: Any, into property: AttributedProperty) { print("has \(property.name)") }
}

struct Ticket {
  @Final var seat: Int
  @Lazy var words: [String] = ["one", "way"]
  @Attributed(Clamp(1...9)) var zone: Int = 0
}

func use(_ car: Car) throws {
  print(car.engine.power, car.tuner.band(), car.gauges)
  print(car.spare ?? [9])
  car.number = 7
  print(car.number ?? 0, car.$number.isAssigned)
  do {
    try car.$number.trySet(8)
  } catch {
    print(error.code)
  }
  car.speed += 1
  print(car.speed, car.driver)
  car.color = "blue"
  print(car.color, car.store.texts)
  car.trips.append("work")
  print(car.trips)
  var ticket = Ticket()
  ticket.seat = 12
  print(ticket.seat, ticket.words, ticket.zone)
}

let initializers = PropertyInitializers()
initializers.register(Engine.self, scope: .shared) { _ in Engine(power: 120) }
initializers.register(protocols: [(any Tuner).self]) { _ in FM() }
let builder = ContainerBuilder()
builder.add(initializers)
builder.singleton(named: "car", Car.init)
let container = try builder.build()
try use(container.object("car", as: Car.self))
do {
  _ = try Car().$engine.injected()
} catch ContainerError.Code.propertyNotInjected {
  print("a car without a container has no engine")
}
container.close()
