import OxbowContainer
import Synchronization
import Testing

/// What ends with a container, a thread or a task, and how often.
@Suite struct DisposalTests {
  // MARK: - Lazy objects

  @Test func `D1 a lazy singleton that was used is disposed of and ends with the container`() throws
  {
    for way in LazyWay.all {
      let log = Collected<String>()
      let builder = ContainerBuilder()
      way.define(builder, log)
      let container = try builder.build()
      let (used, unused) = (
        try container.object("used", as: GreeterProxy.self),
        try container.object("unused", as: GreeterProxy.self)
      )
      #expect(try used.greet("Ada") == "used")
      #expect(used.isTargetMaterialized)
      try container.shutDown()
      #expect(log.all == ["used"], "\(way.name)")
      for proxy in [used, unused] {
        let error = #expect(throws: ContainerError.self) { try proxy.greet("Ada") }
        #expect(error?.code == .containerReleased, "\(way.name)")
        #expect(!proxy.isTargetMaterialized)
      }
    }
  }

  @Test func `D23 a lazy proxy of a closed container answers no more, its call goes on`() throws {
    let builder = ContainerBuilder()
    let shelf = Collected<Container>()
    let proxy = builder.singleton(named: "closer", lazy: GreeterProxy.self) { Closer(shelf) }
    let container = try builder.build()
    shelf.append(container)
    let greeter = try container.object(proxy)
    #expect(try greeter.name() == "closer")
    #expect(try greeter.greet("Ada") == "closed")
    #expect(throws: ContainerError.self) { try greeter.greet("Ada") }
  }

  @Test func `D1 a lazy proxy outlives a container that is not closed`() throws {
    let builder = ContainerBuilder()
    let proxy = builder.singleton(named: "one", lazy: GreeterProxy.self) {
      Door("one", Collected())
    }
    let greeter = try builder.build().object(proxy)
    #expect(try greeter.greet("Ada") == "one")
    #expect(try greeter.greet("Ada") == "one")
  }

  @Test func `D1 a lazy proxy of another container is that container's to end`() throws {
    let log = Collected<String>()
    let (owner, guest) = (ContainerBuilder(), ContainerBuilder())
    let proxy = owner.singleton(named: "door", lazy: GreeterProxy.self) { Door("door", log) }
    let home = try owner.build()
    let greeter = try home.object(proxy)
    guest.singleton(
      named: "guest", traits: .eager, { (door: GreeterProxy) in door }, Ref.value(greeter))
    let away = try guest.build()
    #expect(try greeter.greet("Ada") == "door")
    try away.shutDown()
    #expect(try greeter.greet("Ada") == "door")
    #expect(log.all == [])
    try home.shutDown()
    #expect(log.all == ["door"])
  }

  // MARK: - Once

  @Test func `D9 an object with two names is disposed of once`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let bank = builder.singleton(named: "bank") { Door("bank", log) }
    builder.singleton(
      named: "ledger", traits: .eager, { (bank: Door) -> any Greeter & Sendable in bank }, bank)
    builder.proxy(named: "proxy", .lazy, of: bank, as: GreeterProxy.self)
    let container = try builder.build()
    #expect(try container.object("proxy", as: GreeterProxy.self).greet("Ada") == "bank")
    try container.shutDown()
    #expect(log.all == ["bank"])
  }

  @Test func `D9 threads that shut down at once dispose of an object once`() throws {
    for _ in 0..<20 {
      let log = Collected<String>()
      let builder = ContainerBuilder()
      for number in 0..<10 {
        builder.singleton(named: "\(number)", traits: .eager) { Door("\(number)", log) }
      }
      let container = try builder.build()
      onThreads(8) { _ in try? container.shutDown() }
      #expect(log.all.count == 10)
      try container.shutDown()
      #expect(log.all.count == 10)
    }
  }

  @Test
  func `D9 what is built while the container is shut down is disposed of once, or handed out`()
    throws
  {
    let faults = Collected<String>()
    for _ in 0..<50 {
      let (log, made) = (Collected<String>(), Collected<String>())
      let builder = ContainerBuilder()
      let refs = (0..<20).map { number in
        builder.singleton(named: "\(number)") {
          made.append("\(number)")
          return Door("\(number)", log)
        }
      }
      let container = try builder.build()
      onThreads(4) { number in
        if number == 0 { return (try? container.shutDown()) ?? () }
        for ref in refs {
          do { _ = try container.object(ref) } catch ContainerError.Code.containerReleased {} catch
          {
            faults.append("\(error)")
          }
        }
      }
      #expect(log.all.sorted() == made.all.sorted())
    }
    #expect(faults.all.isEmpty)
  }

  @Test func `D9 nothing that all share is built by what is disposed of`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let late = builder.singleton(named: "late") { Door("late", log) }
    let ready = builder.singleton(named: "ready") { Door("ready", log) }
    builder.singleton(
      named: "asker", traits: .eager, Asker.init(_:_:_:), late.provider, ready, Ref.value(log))
    let container = try builder.build()
    try container.shutDown()
    #expect(log.all == ["asker: containerReleased, ready", "ready"])
  }

  // MARK: - Eager objects

  @Test func `D26 an eager build that fails disposes of what was built, dependents first`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let base = builder.singleton(named: "base") { Door("base", log) }
    builder.singleton(named: "top", traits: .eager, { (_: Door) in Door("top", log) }, base)
    builder.singleton(named: "bad", traits: .eager) { Door("bad", log, fails: true) }
    builder.singleton(named: "broken", traits: .eager) { () throws -> Door in
      throw Refusal("no door")
    }
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(log.all.filter { $0 != "bad" } == ["top", "base"])
    #expect(log.all.contains("bad"))
    #expect(error?.problems.map(\.code) == [.constructionFailed, .shutdownFailed])
  }

  @Test func `D18 a patched eager singleton is eager`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    builder.singleton(named: "door", traits: .eager) { Door("door", Collected()) }
    _ = try builder.build().patched {
      $0.replace("door") {
        tally.add()
        return Door("stub", Collected())
      }
    }
    #expect(tally.count == 1)
  }

  @Test func `D19 eager is refused where an object belongs to a thread or task, else noted`() throws
  {
    let builder = ContainerBuilder.ofTests()
    for scope in ["thread", "task", "prototype", "objectGraph"] {
      var definition = ObjectDefinition(scope, class: "Knight", scope: scope)
      definition.isEager = true
      builder.add(definition)
    }
    let tally = Tally()
    builder.singleton(
      named: "weak", traits: [.weak, .eager], SharedGreeter.init(tally:), Ref.value(tally))
    let report = builder.check()
    #expect(
      report.problems.map(\.message) == [
        "object \"thread\" cannot be built together with the container",
        "object \"task\" cannot be built together with the container",
      ])
    #expect(
      report.notes.map(\.text).filter { $0.contains("eager") } == [
        "object \"prototype\" is eager, which means nothing in scope \"prototype\": it is built when "
          + "somebody asks for it",
        "object \"objectGraph\" is eager, which means nothing in scope \"objectGraph\": it is built "
          + "when somebody asks for it",
        "object \"weak\" is eager, which means nothing in scope \"weakSingleton\": it is built when "
          + "somebody asks for it",
      ])
  }

  // MARK: - Threads and tasks

  @Test func `SD10 objects of a thread are disposed of at its end, the newest first`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let first = builder.prototype(named: "first", in: .thread) { Desk("first", log) }
    let second = builder.prototype(
      named: "second", in: .thread, { (_: Desk) in Desk("second", log) }, first)
    let plain = builder.prototype(named: "plain") { DeskGreeter("proxied", log) }
    let proxy = builder.proxy(named: "proxy", .threadLocal, of: plain, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    onThreads(1) { _ in
      _ = try? container.withObject(second) { _ in 0 }
      _ = try? greeter.greet("Ada")
    }
    #expect(log.all == ["proxied", "second", "first"])
    container.withThreadScope { _ = try? container.withObject(first) { _ in 0 } }
    #expect(log.all == ["proxied", "second", "first", "first"])
    try container.withObject(second) { _ in }
    try container.shutDown()
    #expect(log.all.suffix(2) == ["second", "first"])
  }

  @Test func `SD10 objects of a task are disposed of at the end of its scope`() async throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let desk = builder.prototype(named: "desk", in: .task) { Desk("desk", log) }
    let container = try builder.build()
    try await container.withTaskScope {
      try container.withObject(desk) { _ in }
      await Task.yield()
      #expect(log.all == [])
    }
    #expect(log.all == ["desk"])
    await container.withTaskScope {}
    #expect(log.all == ["desk"])
  }

  @Test func `SD10 what the container shares is not disposed of with a thread`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let door = builder.singleton(named: "door") { Door("door", log) }
    let alias = builder.prototype(named: "alias", in: .thread, { (door: Door) in door }, door)
    let container = try builder.build()
    container.withThreadScope { _ = try? container.withObject(alias) { _ in 0 } }
    #expect(log.all == [])
    try container.shutDown()
    #expect(log.all == ["door"])
  }

  @Test func `SD10 prototypes are not disposed of, they are their owners'`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let door = builder.prototype(named: "door") { Door("door", log) }
    let container = try builder.build()
    _ = try container.object(door)
    try container.shutDown()
    #expect(log.all == [])
  }

  @Test
  func `D23 a task-local proxy says whether its object is built, and ends with its container`()
    async throws
  {
    let builder = ContainerBuilder()
    let target = builder.prototype(
      named: "greeter", in: .task, ThreadGreeter.init(tally:), Ref.value(Tally()))
    let proxy = builder.proxy(named: "proxy", .taskLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    try await container.withTaskScope {
      #expect(!greeter.isTargetMaterialized)
      _ = try greeter.greet("Ada")
      #expect(greeter.isTargetMaterialized)
      container.close()
      #expect(!greeter.isTargetMaterialized)
      let error = #expect(throws: ContainerError.self) { try greeter.greet("Ada") }
      #expect(error?.code == .containerReleased)
    }
  }
}

/// The ways in which a lazy object is defined.
private struct LazyWay: Sendable {
  let name: String
  let define: @Sendable (ContainerBuilder, Collected<String>) -> Void

  static let all = [
    LazyWay(name: "singleton(lazy:)") { builder, log in
      for name in ["used", "unused"] {
        builder.singleton(named: name, lazy: GreeterProxy.self) { Door(name, log) }
      }
    },
    LazyWay(name: "lazyProxy(of: prototype)") { builder, log in
      for name in ["used", "unused"] {
        let target = builder.prototype(named: "\(name) target") { Door(name, log) }
        builder.proxy(named: name, .lazy, of: target, as: GreeterProxy.self)
      }
    },
    LazyWay(name: "lazyProxy(of: singleton)") { builder, log in
      for name in ["used", "unused"] {
        let target = builder.singleton(named: "\(name) target") { Door(name, log) }
        builder.proxy(named: name, .lazy, of: target, as: GreeterProxy.self)
      }
    },
    LazyWay(name: "a lazy definition") { builder, log in
      builder.registerProxy(GreeterProxy.self)
      builder.register(
        ComponentDescriptor(
          Door.self, name: "Door", sendability: .of(), product: .of(),
          initializers: [InitializerDescriptor { Door("used", log) }]))
      for name in ["used", "unused"] {
        builder.add(ObjectDefinition(name, class: "Door", isLazy: true))
      }
    },
    LazyWay(name: "LazyProxyFactory") { builder, log in
      for name in ["used", "unused"] {
        let target = builder.prototype(named: "\(name) target") { Door(name, log) }
        builder.singleton(
          named: name, factory: LazyProxyFactory<GreeterProxy>.init,
          configure: { $0.set(\.factoryObject, target.factory(as: (any Greeter).self)) })
      }
    },
  ]
}

/// Something that is shared and ends.
private final class Door: Greeter, Disposable {
  let text: String
  let log: Collected<String>
  let fails: Bool

  init(_ text: String, _ log: Collected<String>, fails: Bool = false) {
    self.text = text
    self.log = log
    self.fails = fails
  }

  var count: Int { 0 }
  func name() throws -> String { text }
  func greet(_ guest: String) throws -> String { text }
  func dispose() throws {
    log.append(text)
    if fails { throw Refusal("it is stuck") }
  }
}

/// Something of one thread or task that ends.
private class Desk: ConfinedDisposable {
  let text: String
  let log: Collected<String>

  init(_ text: String, _ log: Collected<String>) {
    self.text = text
    self.log = log
  }

  func dispose() throws { log.append(text) }
}

private final class DeskGreeter: Desk, Greeter {
  var count: Int { 0 }
  func name() throws -> String { text }
  func greet(_ guest: String) throws -> String { text }
}

/// Closes its container in the middle of a call.
private final class Closer: Greeter, Sendable {
  let shelf: Collected<Container>
  init(_ shelf: Collected<Container>) { self.shelf = shelf }
  var count: Int { 0 }
  func name() throws -> String { "closer" }
  func greet(_ guest: String) throws -> String {
    for container in shelf.all { container.close() }
    return shelf.all.isEmpty ? "open" : "closed"
  }
}

/// Asks for others when it is disposed of.
private final class Asker: Disposable {
  let late: Provider<Door>
  let ready: Door
  let log: Collected<String>

  init(_ late: Provider<Door>, _ ready: Door, _ log: Collected<String>) {
    self.late = late
    self.ready = ready
    self.log = log
  }

  func dispose() throws {
    do { _ = try late() } catch {
      log.append("asker: \((error as? ContainerError).map { "\($0.code)" } ?? ""), \(ready.text)")
    }
  }
}
