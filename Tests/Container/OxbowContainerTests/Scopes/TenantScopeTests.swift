import OxbowContainer
import OxbowPlatform
import Testing

/// One object for each tenant while its store is open; here a tenancy is that.
@Suite(.timeLimit(.minutes(30))) struct TenantScopeTests {
  private let log = Log()

  private func builder(
    _ make: @escaping @Sendable (Log) throws -> Till = { Till($0) }
  ) -> (ContainerBuilder, Ref<Till>) {
    let builder = ContainerBuilder()
    return (builder, builder.singleton(named: "till", traits: .tenant, make, Ref.value(log)))
  }

  private func within<R>(_ tenancy: Tenancy, _ body: () throws -> R) rethrows -> R {
    try Tenancy.$current.withValue(tenancy, operation: body)
  }

  @Test func `two tenants have the same objects, whichever of them is inside of the other`() {
    for _ in 0..<500 {
      let (a, b) = (Tenancy { $0() }, Tenancy { $0() })
      let both = Collected<Tenancy>()
      onThreads(2) { both.append($0 == 0 ? a.inside(b) : b.inside(a)) }
      #expect(both.all[0] === both.all[1] && both.all[0] !== a && both.all[0] !== b)
      a.end()
      b.end()
    }
  }

  @Test func `each tenant has its object, and a singleton's provider finds the current one's`()
    async throws
  {
    let (builder, till) = builder()
    builder.singleton(named: "shop", { Shop(till: $0) }, till.provider)
    let container = try builder.build()
    let shop = try container.object("shop", as: Shop.self)
    let (a, b) = (Tenancy { $0() }, Tenancy { $0() })
    let first = try within(a) { try shop.till() }
    #expect(try within(b) { try shop.till() } !== first)
    #expect(try within(a) { try shop.till() } === first)
    try within(a) {
      try container.withObject("till", as: Till.self) { #expect($0.number == 1) }
      #expect(try within(b) { try shop.till().number } == 2)
    }
    #expect(try within(a) { try container.object(till.provider)() } === first)
    let inTask = try await Tenancy.$current.withValue(a) {
      try await Task { try shop.till() }.value
    }
    #expect(inTask === first)
    #expect(log.lines == ["made 1", "made 2"])
  }

  @Test func `threads that ask first at once get one object`() async throws {
    let (builder, till) = builder()
    builder.singleton(named: "shop", { Shop(till: $0) }, till.provider)
    let shop = try builder.build().object("shop", as: Shop.self)
    let tenancy = Tenancy { $0() }
    let threads = WorkThreads(limit: 8)
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          try await threads.run { try Self.number(shop, tenancy) }
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == [1])
    #expect(log.lines == ["made 1"])
  }

  private static func number(_ shop: Shop, _ tenancy: Tenancy) throws -> Int {
    try Tenancy.$current.withValue(tenancy) { try shop.till().number }
  }

  @Test func `objects end with their tenancy, the newest first, while older ones can be used`()
    throws
  {
    let (builder, till) = builder()
    builder.singleton(
      named: "drawer", traits: .tenant, { Drawer($0, $1) }, till, Ref.value(log))
    let container = try builder.build()
    let tenancy = Tenancy { [log] work in
      log.add("bound")
      work()
    }
    try within(tenancy) { try container.withObject("drawer", as: Drawer.self) { _ in } }
    tenancy.end()
    tenancy.end()
    #expect(log.lines == ["made 1", "bound", "closed with till 1", "ended 1"])
    let late = within(tenancy) {
      #expect(throws: ContainerError.self) {
        try container.withObject("till", as: Till.self) { _ in }
      }
    }
    #expect(late?.code == .noTenant)
    #expect(
      late?.problems.first?.message.hasSuffix("belongs to a tenant whose store was closed") == true)
  }

  @Test func `where no tenant is current a request is refused`() throws {
    let (builder, till) = builder()
    builder.singleton(named: "shop", { Shop(till: $0) }, till.provider)
    let container = try builder.build()
    let shop = try container.object("shop", as: Shop.self)
    let error = #expect(throws: ContainerError.self) { try shop.till() }
    #expect(error?.code == .noTenant)
    #expect(error?.problems.first?.nextStep == "run the work in tenants.withTenant(name) { … }")
    let escaping = #expect(throws: ContainerError.self) {
      try container.object("till", as: Till.self)
    }
    #expect(escaping?.code == .confinedEscapes)
    #expect(
      escaping?.problems.first?.nextStep == "use withObject(\"till\") { … }, or a Provider")
  }

  @Test func `what belongs to a tenant cannot become a part of what does not`() {
    let (builder, till) = builder()
    builder.singleton(named: "keeper", { (_: Till) in Broken() }, till)
    builder.singleton(named: "lazy", { (_: Lazy<Till>) in Broken() }, till.lazy)
    builder.singleton(named: "eager", traits: [.tenant, .eager], { Broken() })
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.confinedEscapes, .confinedEscapes, .invalidDefinition])
    #expect(
      problems.first?.nextStep
        == "refer to a Provider of \"till\", or give \"keeper\" scope \"tenant\"")
    #expect(problems.dropFirst().first?.nextStep == "use a Provider of \"till\", or withObject")
  }

  @Test func `a constructor that fails leaves nothing, and is tried again`() throws {
    let isBroken = Monitor(true)
    let (builder, _) = builder { log in
      if isBroken.update({ $0 }) { throw Broken() }
      return Till(log)
    }
    let container = try builder.build()
    try within(Tenancy { $0() }) {
      let error = #expect(throws: ContainerError.self) {
        try container.withObject("till", as: Till.self) { _ in }
      }
      #expect(error?.code == .constructionFailed)
      isBroken.update { $0 = false }
      try container.withObject("till", as: Till.self) { #expect($0.number == 1) }
    }
  }

  @Test func `a circle of a tenant's objects is built and ended as one`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "a", traits: .tenant, { Knot("a", $0) }, Ref.value(log)) {
      $0.set(Ref<Knot>("b")) { knot, other in knot.other.update { $0 = other } }
    }
    builder.singleton(named: "b", traits: .tenant, { Knot("b", $0) }, Ref.value(log)) {
      $0.set(Ref<Knot>("a")) { knot, other in knot.other.update { $0 = other } }
    }
    let container = try builder.build()
    let tenancy = Tenancy { $0() }
    try within(tenancy) {
      let names = try container.withObject("b", as: Knot.self) { knot in
        [
          knot.name, knot.other.update { $0?.name },
          knot.other.update { $0?.other.update { $0?.name } },
        ]
      }
      #expect(names == ["b", "a", "b"])
    }
    tenancy.end()
    #expect(log.lines.sorted() == ["ended a", "ended b"])
  }

  @Test func `who ends a tenant's objects while another thread does waits for it`() async throws {
    let gate = Monitor((isReached: false, isOpen: false))
    let builder = ContainerBuilder()
    builder.singleton(
      named: "slow", traits: .tenant, { Gated(gate, $0) }, Ref.value(log))
    let container = try builder.build()
    let tenancy = Tenancy { $0() }
    try within(tenancy) { try container.withObject("slow", as: Gated.self) { _ in } }
    let threads = WorkThreads(limit: 2)
    async let first: Void = threads.run { tenancy.end() }
    await threads.run { gate.wait { $0.isReached ? () : nil } }
    async let second: Void = threads.run { [log] in
      log.add("second")
      gate.update { $0.isOpen = true }
      try? container.shutDown()
      log.add("shut down")
    }
    _ = await (first, second)
    #expect(log.lines == ["second", "ended slowly", "shut down"])
  }

  @Test func `a tenant has no objects of a container that is closed`() async throws {
    for _ in 0..<500 {
      let (builder, _) = builder()
      let container = try builder.build()
      let tenancy = Tenancy { $0() }
      async let made: Void = Tenancy.$current.withValue(tenancy) {
        try? container.withObject("till", as: Till.self) { _ in }
      }
      try container.shutDown()
      await made
      #expect(!tenancy.hasObjects)
    }
  }

  @Test func `the end of the container ends the objects of all tenants, before singletons`() throws
  {
    let (builder, _) = builder()
    builder.singleton(named: "last", traits: .eager, { Last($0) }, Ref.value(log))
    let container = try builder.build()
    let tenancies = [Tenancy { $0() }, Tenancy { $0() }]
    for tenancy in tenancies {
      try within(tenancy) { try container.withObject("till", as: Till.self) { _ in } }
    }
    try container.shutDown()
    #expect(log.lines.dropFirst(2).sorted() == ["ended 1", "ended 2", "last"])
    #expect(log.lines.last == "last")
    let late = within(tenancies[0]) {
      #expect(throws: ContainerError.self) {
        try container.withObject("till", as: Till.self) { _ in }
      }
    }
    #expect(late?.code == .containerReleased)
    for tenancy in tenancies { tenancy.end() }
  }
}

private struct Broken: Error {}

/// What has happened, in order.
private final class Log: Sendable {
  private let state = Monitor((lines: [String](), tills: 0))

  var lines: [String] { state.update { $0.lines } }

  func add(_ line: String) { state.update { $0.lines.append(line) } }

  func nextTill() -> Int {
    state.update {
      $0.tills += 1
      $0.lines.append("made \($0.tills)")
      return $0.tills
    }
  }
}

private final class Till: Disposable {
  let number: Int
  private let log: Log

  init(_ log: Log) {
    self.log = log
    number = log.nextTill()
  }

  func dispose() throws { log.add("ended \(number)") }
}

private final class Drawer: Disposable {
  private let till: Till
  private let log: Log

  init(_ till: Till, _ log: Log) { (self.till, self.log) = (till, log) }

  func dispose() throws { log.add("closed with till \(till.number)") }
}

/// What ends when it may.
private final class Gated: Disposable {
  private let gate: Monitor<(isReached: Bool, isOpen: Bool)>
  private let log: Log

  init(_ gate: Monitor<(isReached: Bool, isOpen: Bool)>, _ log: Log) {
    (self.gate, self.log) = (gate, log)
  }

  func dispose() throws {
    gate.update { $0.isReached = true }
    gate.wait { $0.isOpen ? () : nil }
    log.add("ended slowly")
  }
}

private final class Knot: Disposable {
  let name: String
  let other = Monitor<Knot?>(nil)
  private let log: Log

  init(_ name: String, _ log: Log) { (self.name, self.log) = (name, log) }

  func dispose() throws { log.add("ended \(name)") }
}

private final class Last: Disposable {
  private let log: Log

  init(_ log: Log) { self.log = log }

  func dispose() throws { log.add("last") }
}

private struct Shop: Sendable {
  let till: Provider<Till>
}
