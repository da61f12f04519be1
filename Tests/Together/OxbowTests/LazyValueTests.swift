import Oxbow
import Synchronization
import Testing

@Proxied protocol Gate: Sendable {
  func pass() throws -> Bool
}

extension GateProxy: GateForwarding {}

@Component("lazy gate", .singleton, .lazy) final class IronGate: Gate, Disposable {
  let closings = Atomic<Int>(0)
  func pass() -> Bool { closings.load(ordering: .relaxed) == 0 }
  func dispose() { closings.add(1, ordering: .relaxed) }
}

@Component("patience", .singleton) final class Patience: Sendable {}

@Component final class Waiter {
  @Inject("patience") var named: Lazy<Patience>?
  @Autowired var found: Lazy<Patience>?
}

@Suite struct LazyValueTests {
  @Test func `OX-05 annotated properties of type Lazy are filled, by name and by type`() throws {
    let builder = ContainerBuilder()
    builder.add(Patience.self)
    let ref = builder.add(Waiter.self)
    let waiter = try builder.build().object(ref)
    let (named, found) = (try #require(waiter.named), try #require(waiter.found))
    #expect(!named.isBuilt)
    #expect(try named.value === found())
  }

  @Test func `review D1 an annotated lazy singleton is disposed of and answers no more`() throws {
    let builder = ContainerBuilder()
    builder.add(IronGate.self)
    let container = try builder.build()
    let gate: any Gate = try container.object("lazy gate")
    #expect(try gate.pass())
    try container.shutDown()
    let error = #expect(throws: ContainerError.self) { try gate.pass() }
    #expect(error?.code == .containerReleased)
  }
}
