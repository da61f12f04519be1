import CBaseline
import OxbowAttributes
import OxbowContainer

extension SuiteK {
  /// Reading properties with attributes, as their macros write them, against the same by hand.
  static func attributeCases() throws -> [Case] {
    let initializers = PropertyInitializers()
    initializers.register(Part.self) { _ in Part() }
    let car = Car()
    try initializers.inject(into: car)
    let plain = PlainCar()
    car.number = 7
    let stored = { (count: Int) in for _ in 0..<count { escape(plain.part) } }
    let locked = { (count: Int) in for _ in 0..<count { escape(plain.lockedPart) } }
    let limit = "≤ 20 ns more"
    return [
      Case("attribute-lazy", against: "lazy var", target: limit) { count in
        for _ in 0..<count { escape(car.lazyPart) }
      } theirs: { count in
        for _ in 0..<count { escape(plain.lazyPart) }
      },
      // What a Sendable class would have by hand.
      Case("attribute-lazy-locked", against: "Mutex", target: "≤ 3") { count in
        for _ in 0..<count { escape(car.lazyPart) }
      } theirs: {
        locked($0)
      },
      Case("attribute-injected", against: "stored property", target: limit) { count in
        for _ in 0..<count { escape(car.injectedPart) }
      } theirs: {
        stored($0)
      },
      Case("attribute-final", against: "stored property", target: "≤ 10 ns more") { count in
        readNumber(car, count) { $0.number ?? 0 }
      } theirs: { count in
        readNumber(plain, count) { $0.number ?? 0 }
      },
      Case("attribute-own", against: "stored property", target: "≤ 40 ns more") { count in
        readNumber(car, count) { $0.volume }
      } theirs: { count in
        readNumber(plain, count) { $0.volume }
      },
      Case("attribute-objects", against: "lazy var", target: "") { count in
        for _ in 0..<count { escape(LazyCar()) }
      } theirs: { count in
        for _ in 0..<count { escape(PlainLazyCar()) }
      },
    ]
  }
}

/// Reads a number again and again; C might change the object meanwhile, for all that the optimiser
/// knows.
@inline(__always)
private func readNumber<O: AnyObject>(_ object: O, _ count: Int, _ number: (O) -> Int) {
  var sum = 0
  for _ in 0..<count {
    escape(object)
    sum &+= number(object)
  }
  withUnsafePointer(to: &sum) { baseline_consume($0) }
}

private final class Part: Sendable {}

private struct Clamp: PropertyAttribute, Sendable {
  func set(_ access: inout AttributeAccess<Int>) {
    access.value = access.value.map { min(max($0, 0), 11) }
  }
}

// What the macros write for `@Lazy`, `@Injected`, `@Final` and `@Attributed`.
private final class Car: Sendable {
  var lazyPart: Part {
    get { _lazyPart._value("lazyPart", of: Car.self) { () -> Part in Part() } }
    set { _lazyPart._set(newValue) }
  }
  private let _lazyPart = LazySlot<Part>()

  var injectedPart: Part {
    get { _injectedPart._value(of: self) }
    set { _injectedPart._set(newValue) }
  }
  private let _injectedPart = InjectedSlot<Part>(
    AttributedProperty("injectedPart", of: Car.self, type: Part.self), isOptional: false)

  var number: Int? {
    get { _number._value }
    set { _number._assign(newValue, "number", of: Car.self) }
  }
  private let _number = FinalSlot<Int>()

  var volume: Int {
    get { _volume._get(self, "volume", of: Car.self) }
    set { _volume._set(newValue, self, "volume", of: Car.self) }
  }
  private let _volume = AttributedSlot(
    Clamp(), "volume", of: Car.self, as: Int.self, initial: 5)
}

private final class LazyCar {
  var part: Part {
    get { _part._value("part", of: LazyCar.self) { () -> Part in Part() } }
    set { _part._set(newValue) }
  }
  private let _part = LazySlot<Part>()
}

private final class PlainLazyCar {
  lazy var part = Part()
}
