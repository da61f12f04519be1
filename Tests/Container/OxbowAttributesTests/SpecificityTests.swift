import Testing

@testable import OxbowAttributes

/// Which initializer is used where several fit.
@Suite struct SpecificityTests {
  class Engine { required init() {} }
  final class Diesel: Engine {}
  class Car {}
  final class Van: Car {}
  protocol Motor {}
  protocol Fueled {}

  private func place(
    _ type: any Any.Type = Engine.self, in owner: AnyClass = Car.self,
    protocols: [any Any.Type] = []
  ) -> InjectedPlace {
    InjectedPlace(
      property: AttributedProperty("engine", of: Car.self, type: type, protocols: protocols),
      path: nil, ownerClass: owner)
  }

  private func initializer(
    _ register: (PropertyInitializers) -> Void
  ) -> PropertyInitializer {
    let initializers = PropertyInitializers()
    register(initializers)
    return initializers.entries[0].initializer
  }

  /// The names of initializers from the least to the most specific one; those that do not fit left
  /// out.
  private func ranking(
    _ all: KeyValuePairs<String, PropertyInitializer>, for place: InjectedPlace
  ) -> [String] {
    all.compactMap { name, initializer in
      initializer.specificity(for: place).map { (name, $0) }
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  @Test func `BM-12 name, owner, type and protocols count in that order`() {
    let all: KeyValuePairs = [
      "any": initializer { $0.register(protocols: []) { _ in 1 } },
      "name": initializer { $0.register(protocols: [], property: "engine") { _ in 1 } },
      "type": initializer { $0.register(Engine.self) { _ in Engine() } },
      "owner": initializer { $0.register(protocols: [], owner: Car.self) { _ in 1 } },
      "owner and type": initializer { $0.register(Engine.self, owner: Car.self) { _ in Engine() } },
      "subclass": initializer { $0.register(Diesel.self) { _ in Diesel() } },
      "another name": initializer { $0.register(protocols: [], property: "motor") { _ in 1 } },
      "another type": initializer { $0.register(String.self) { _ in "" } },
    ]
    #expect(
      ranking(all, for: place()) == ["any", "subclass", "type", "owner", "owner and type", "name"])
  }

  @Test func `BM-12 the nearer superclass of the owner is more specific`() {
    let all: KeyValuePairs = [
      "car": initializer { $0.register(Engine.self, owner: Car.self) { _ in Engine() } },
      "van": initializer { $0.register(Engine.self, owner: Van.self) { _ in Engine() } },
    ]
    #expect(ranking(all, for: place(in: Van.self)) == ["car", "van"])
    #expect(ranking(all, for: place(in: Car.self)) == ["car"])
  }

  @Test func `BM-12 more protocols are more specific, and all must be there`() {
    let all: KeyValuePairs = [
      "none": initializer { $0.register(protocols: []) { _ in 1 } },
      "one": initializer { $0.register(protocols: [(any Motor).self]) { _ in 1 } },
      "two": initializer {
        $0.register(protocols: [(any Fueled).self, (any Motor).self]) { _ in 1 }
      },
    ]
    let both = place((any Motor & Fueled).self, protocols: [(any Motor).self, (any Fueled).self])
    #expect(ranking(all, for: both) == ["none", "one", "two"])
    #expect(
      ranking(all, for: place((any Motor).self, protocols: [(any Motor).self])) == ["none", "one"])
    #expect(ranking(all, for: place()) == ["none"])
  }

  @Test func `BM-12 the exact mode compares by identity, and sets of protocols`() {
    let type = initializer { $0.register(Engine.self) { _ in Engine() } }
    #expect(type.fitsExactly(place()))
    #expect(!initializer { $0.register(Diesel.self) { _ in Diesel() } }.fitsExactly(place()))
    #expect(
      initializer { $0.register(Engine.self, owner: Car.self) { _ in Engine() } }
        .fitsExactly(place(in: Van.self)))
    #expect(
      !initializer { $0.register(Engine.self, owner: Van.self) { _ in Engine() } }
        .fitsExactly(place(in: Van.self)))
    let motor = initializer { $0.register(protocols: [(any Motor).self]) { _ in 1 } }
    #expect(motor.fitsExactly(place(protocols: [(any Motor).self])))
    #expect(!motor.fitsExactly(place(protocols: [(any Motor).self, (any Fueled).self])))
    #expect(!motor.fitsExactly(place()))
    #expect(!type.fitsExactly(place(protocols: [(any Motor).self])))
  }
}
