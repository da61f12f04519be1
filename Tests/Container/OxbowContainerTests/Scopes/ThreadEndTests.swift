import OxbowContainer
import Synchronization
import Testing

/// How the objects of threads end: once, where the others still are, and never for ever.
@Suite struct ThreadEndTests {
  private let log = Collected<String>()

  /// A proxy of an object of the thread that says when it is made and when it ends.
  private func desk(
    _ name: String, _ builder: ContainerBuilder, end: @escaping @Sendable () throws -> Void = {}
  ) -> Ref<GreeterProxy> {
    let log = log
    let target = builder.prototype(named: "\(name) itself", in: .thread) { Desk(name, log, end) }
    return builder.proxy(named: name, .threadLocal, of: target, as: GreeterProxy.self)
  }

  @Test func `SD10 what is disposed of with a thread finds the older objects of the thread`()
    throws
  {
    let builder = ContainerBuilder()
    let shelf = Shelf()
    let paper = desk("paper", builder)
    let desk = desk("desk", builder) { _ = try shelf[0].greet("paper") }
    let container = try builder.build()
    shelf.put([try container.object(paper)])
    let greeters = [try container.object(paper), try container.object(desk)]
    onThreads(1) { _ in for greeter in greeters { _ = try? greeter.greet("Ada") } }
    #expect(log.all == ["paper made", "desk made", "desk ended", "paper ended"])
  }

  @Test func `SD10 objects that ask for each other when they are disposed of come to an end`()
    throws
  {
    let builder = ContainerBuilder()
    let shelf = Shelf()
    let first = desk("first", builder) { _ = try shelf[1].greet("second") }
    let second = desk("second", builder) { _ = try shelf[0].greet("first") }
    let container = try builder.build()
    let greeters = [try container.object(first), try container.object(second)]
    shelf.put(greeters)
    try container.withThreadScope { _ = try greeters[0].greet("Ada") }
    #expect(Set(log.all) == ["first made", "first ended", "second made", "second ended"])
    #expect(log.all.count <= 8)
    let before = log.all.count
    onThreads(1) { _ in _ = try? greeters[0].greet("Ada") }
    #expect((before + 1...before + 32).contains(log.all.count))
  }

  @Test func `SD10 an object that calls itself when it is disposed of is not made again`() throws {
    let builder = ContainerBuilder()
    let shelf = Shelf()
    let proxy = desk("desk", builder) { _ = try shelf[0].greet("me") }
    let container = try builder.build()
    shelf.put([try container.object(proxy)])
    try container.withThreadScope { _ = try shelf[0].greet("Ada") }
    #expect(log.all == ["desk made", "desk ended"])
  }

  @Test func `SD10 an object of a thread that has two names is disposed of once`() throws {
    let builder = ContainerBuilder()
    let log = log
    let desk = builder.prototype(named: "desk", in: .thread) { Desk("desk", log) }
    let table = builder.prototype(named: "table", in: .thread, { (desk: Desk) in desk }, desk)
    let proxy = builder.proxy(named: "proxy", .threadLocal, of: table, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    try container.withThreadScope {
      _ = try greeter.greet("Ada")
      try container.withObject(desk) { _ in }
    }
    #expect(log.all == ["desk made", "desk ended"])
  }

  @Test func `D3 a thread's scope ends on its thread, though the container ends meanwhile`() throws
  {
    let builder = ContainerBuilder()
    let log = log
    let desk = builder.prototype(named: "desk", in: .thread) { Desk("desk", log) }
    let holder = builder.singleton(named: "holder", ContainerHolder.init)
    let box = Boxed(try builder.build())
    let inner = try #require(try box.object(holder)?.container)
    let (made, ended) = (StartGate(2), StartGate(2))
    onThreads(2) { number in
      guard number == 0 else {
        made.wait()
        box.end()
        return ended.wait()
      }
      inner.withThreadScope {
        try? inner.withObject(desk) { _ in }
        made.wait()
        ended.wait()
        log.append("work ended")
      }
    }
    #expect(log.all == ["desk made", "work ended", "desk ended"])
  }

  @Test func `D3 a thread-local proxy may outlive its container on many threads`() throws {
    for _ in 0..<100 {
      let builder = ContainerBuilder()
      let target = builder.prototype(
        named: "target", ThreadGreeter.init(tally:), Ref.value(Tally()))
      let proxy = builder.proxy(named: "proxy", .threadLocal, of: target, as: GreeterProxy.self)
      let box = Boxed(try builder.build())
      let greeter = try #require(try box.object(proxy))
      let gate = StartGate(5)
      let isOver = Flag()
      onThreads(5) { number in
        if number > 0 { _ = try? greeter.greet("Ada") }
        gate.wait()
        if number == 0 {
          box.end()
          return isOver.set()
        }
        while !isOver.isSet { _ = try? greeter.greet("Ada") }
        #expect(throws: ContainerError.self) { try greeter.greet("Ada") }
      }
    }
  }

  @Test func `D3 a thread may end while its container ends`() throws {
    for round in 0..<100 {
      let builder = ContainerBuilder()
      let log = Collected<String>()
      let desk = builder.prototype(named: "desk", in: .thread) { Desk("desk", log) }
      let box = Boxed(try builder.build())
      let gate = StartGate(5)
      onThreads(5) { number in
        if number > 0 { box.use { _ = try? $0.withObject(desk) { _ in } } }
        gate.wait()
        if number == 0 { if round.isMultiple(of: 2) { box.end() } else { box.release() } }
      }
      #expect(log.all.count { $0 == "desk made" } == 4)
      #expect(log.all.count { $0 == "desk ended" } == 4)
    }
  }

  @Test func `D3 a thread lets go of what a closed container made when it works for another`()
    throws
  {
    let tally = Tally()
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "proxy", .threadLocal, of: target, as: GreeterProxy.self)
    let box = Boxed(try builder.build())
    let first = try #require(try box.object(proxy))
    let second = try builder.build().object(proxy)
    let (asked, ended) = (StartGate(2), StartGate(2))
    onThreads(2) { number in
      guard number == 0 else {
        asked.wait()
        box.end()
        return ended.wait()
      }
      _ = try? first.greet("Ada")
      asked.wait()
      ended.wait()
      #expect(tally.endedCount == 0)
      _ = try? second.greet("Ada")
      #expect(tally.endedCount == 1)
    }
    #expect(tally.endedCount == 2)
  }
}

/// Something of a thread that says when it is made and when it ends.
private final class Desk: Greeter, ConfinedDisposable {
  private let text: String
  private let log: Collected<String>
  private let end: () throws -> Void

  init(_ text: String, _ log: Collected<String>, _ end: @escaping () throws -> Void = {}) {
    self.text = text
    self.log = log
    self.end = end
    log.append("\(text) made")
  }

  var count: Int { 0 }
  func name() throws -> String { text }
  func greet(_ guest: String) throws -> String { text }
  func dispose() throws {
    log.append("\(text) ended")
    try end()
  }
}

/// Proxies that objects reach without a reference.
private final class Shelf: Sendable {
  private let proxies = Mutex<[GreeterProxy]>([])
  subscript(index: Int) -> GreeterProxy { proxies.withLock { $0[index] } }
  func put(_ all: [GreeterProxy]) { proxies.withLock { $0 = all } }
}

/// A container that ends while others use what it made.
private final class Boxed: Sendable {
  private let container: Mutex<Container?>
  init(_ container: Container) { self.container = Mutex(container) }
  func object<T: Sendable>(_ ref: Ref<T>) throws -> T? {
    try container.withLock { $0 }?.object(ref)
  }
  func use(_ body: (Container) throws -> Void) rethrows {
    try container.withLock { $0 }.map(body)
  }
  func end() {
    container.withLock { $0 }?.close()
    release()
  }
  func release() { container.withLock { $0 = nil } }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Something that has the container.
///
/// `@unchecked`: written while it is built.
private final class ContainerHolder: ContainerAware, @unchecked Sendable {
  var container: Container?
  func setContainer(_ container: Container) { self.container = container }
}
