import Oxbow
import OxbowTesting
import Testing

// The code of docs/guide/testing-with-containers.md.

@Proxied protocol Courier: Sendable {
  func deliver(_ parcel: String, to address: String) throws -> Int
}

extension CourierProxy: CourierForwarding {}

@Component final class Bicycle: Courier {
  func deliver(_ parcel: String, to address: String) -> Int { 45 }
}

final class Dispatch: Sendable {
  let courier: any Courier
  init(courier: any Courier) { self.courier = courier }

  /// Returns after how many minutes everything is there.
  func send(_ parcels: [String], to address: String) throws -> Int {
    try parcels.map { try courier.deliver($0, to: address) }.reduce(0, +)
  }
}

func dispatchBuilder() -> ContainerBuilder {
  let builder = ContainerBuilder()
  builder.singleton(named: "courier", Bicycle.init)
  builder.singleton(named: "dispatch", Dispatch.init(courier:), Ref<any Courier>("courier"))
  return builder
}

final class StubCourier: Courier {
  let minutes: Int
  init(minutes: Int) { self.minutes = minutes }
  func deliver(_ parcel: String, to address: String) -> Int { minutes }
}

/// Takes longer than the real one.
final class DelayedCourier: Courier {
  let real: any Courier
  let minutes: Int

  init(_ real: any Courier, minutes: Int) {
    self.real = real
    self.minutes = minutes
  }

  func deliver(_ parcel: String, to address: String) throws -> Int {
    try real.deliver(parcel, to: address) + minutes
  }
}

final class Desk {
  var dispatch: Dispatch?
}

@Entity final class Parcel: ManagedObject {
  var address: String
}

final class Parcels: Sendable {
  let context: any ObjectContext & Sendable
  init(context: any ObjectContext & Sendable) { self.context = context }

  func add(to address: String) throws {
    try context.insert(Parcel.self).address = address
    try context.save()
  }
}

@Suite struct TestingGuideTests {
  @Test func `the wiring is sound`() {
    #expect(dispatchBuilder().check().problems.map(\.description) == [])
  }

  @Test func `two parcels take as long as two deliveries`() throws {
    let container = try dispatchBuilder().build().patched {
      $0.replace("courier") { StubCourier(minutes: 5) }
    }
    let dispatch: Dispatch = try container.object("dispatch")
    #expect(try dispatch.send(["lamp", "book"], to: "Ada") == 10)
  }

  @Test func `each parcel is delivered once`() throws {
    let recorder = CallRecorder()
    let container = try dispatchBuilder().build().patched {
      $0.replace("courier") {
        CourierProxy.recording(into: recorder) { StubCourier(minutes: 5) }
      }
    }
    let dispatch: Dispatch = try container.object("dispatch")
    _ = try dispatch.send(["lamp", "book"], to: "Ada")
    #expect(
      recorder.calls.map(\.description) == ["deliver(lamp, to: Ada)", "deliver(book, to: Ada)"])
    #expect(recorder.calls(of: "deliver(_:to:)")[1].arguments[0].value() == "book")
  }

  @Test func `a patch ends with its body`() throws {
    let app = try dispatchBuilder().build()
    let minutes = try app.withPatches({ $0.replace("courier") { StubCourier(minutes: 1) } }) {
      try $0.object("dispatch", as: Dispatch.self).send(["lamp"], to: "Ada")
    }
    #expect(minutes == 1)
    #expect(try app.object("dispatch", as: Dispatch.self).send(["lamp"], to: "Ada") == 45)
  }

  @Test func `a courier is wrapped`() throws {
    let app = try dispatchBuilder().build()
    let slow = try app.patched {
      $0.wrap("courier") { (real: any Courier) in DelayedCourier(real, minutes: 10) }
    }
    #expect(try slow.object("dispatch", as: Dispatch.self).send(["lamp"], to: "Ada") == 55)
  }

  @Test func `a desk that the test made gets its dispatch`() throws {
    let builder = dispatchBuilder()
    builder.prototype(named: "desk", Desk.init) { $0.set(\.dispatch, Ref<Dispatch>("dispatch")) }
    let container = try builder.build()

    let desk = Desk()
    try container.inject(into: desk, as: "desk")
    #expect(desk.dispatch != nil)
  }

  @Test func `values that the test says`() throws {
    let builder = ContainerBuilder()
    builder.placeholders.environment = [:]
    builder.placeholders.set("ledger.currency", "USD")
    let ledger = builder.add(BankLedger.self)
    #expect(try builder.build().object(ledger).currency == "USD")
  }

  @Test(.objectContext { try PersistentContainer(.temporary, types: [Parcel.self]) })
  func `a parcel is saved at once`() throws {
    let recorder = CallRecorder()
    let contexts = try ObjectContextTrait.contexts
    let context = ObjectContextProxy(
      source: RecordingSource(into: recorder, from: contexts._source))
    try Parcels(context: context).add(to: "Ada")
    #expect(recorder.calls.map(\.name) == ["insert(_:)", "save()"])
  }
}

@Suite struct RoundTests {
  @Test(
    .objectContext { try PersistentContainer(.temporary, types: [Parcel.self]) },
    .fixture("Fixtures/round"))
  func `a round has two parcels`() throws {
    let parcel = try ObjectContextTrait.object("for Ada", as: Parcel.self)
    #expect(parcel.address == "Ada")
    #expect(try ObjectContextTrait.contexts.count(Parcel.self) == 2)
  }
}

@Suite(
  .objectContext {
    try PersistentContainer(.temporary, types: [Parcel.self])
  } prepared: {
    try $0.perform { context in
      try context.insert(Parcel.self).address = "Ada"
      try context.save()
    }
  })
struct PreparedParcelTests {
  @Test func `a parcel is added`() throws {
    let contexts = try ObjectContextTrait.contexts
    try Parcels(context: contexts).add(to: "Grace")
    #expect(try contexts.count(Parcel.self) == 2)
  }
}

extension PreparedParcelTests {
  @Test func `the program adds a parcel`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(
      at: .file(try ObjectContextTrait.path), types: [Parcel.self])
    let parcels = builder.singleton(Parcels.init(context:), context)
    let container = try builder.build()
    defer { container.close() }
    try container.object(parcels).add(to: "Grace")
    #expect(try ObjectContextTrait.contexts.count(Parcel.self) == 2)
  }
}
