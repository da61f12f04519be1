import OxbowContainer
import Testing

@Suite struct ThreadLocalProxyTests {
  @Test func `OX-22 each thread has its own target behind one proxy`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "greeter", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    let answers = Collected<String>()
    onThreads(8) { _ in
      for _ in 0..<100 { _ = try? greeter.greet("Ada") }
      answers.append((try? greeter.greet("Ada")) ?? "failed")
    }
    #expect(answers.all == Array(repeating: "Hello Ada, number 101", count: 8))
    #expect(tally.count == 8)
    #expect(tally.endedCount == 8)
    #expect(!greeter.isTargetMaterialized)
  }

  @Test func `a proxy of a thread-scoped object is that object`() throws {
    let builder = ContainerBuilder()
    let target = builder.prototype(
      named: "target", in: .thread, ThreadGreeter.init(tally:), Ref.value(Tally()))
    let proxy = builder.proxy(named: "greeter", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    _ = try container.object(proxy).greet("Ada")
    try container.withObject(target) { #expect($0.count == 1) }
  }

  @Test func `a scope of one source leaves alone what the thread has of others`() throws {
    let threads = try ThreadStorage()
    let tally = Tally()
    let (one, other) = (threads.reserveSlot(), threads.reserveSlot())
    let first = ThreadLocalSource("first", in: threads, slot: one, hooks: ThreadLocalHooks()) { _ in
      ThreadGreeter(tally: tally)
    }
    let second = ThreadLocalSource("second", in: threads, slot: other, hooks: ThreadLocalHooks()) {
      _ in ThreadGreeter(tally: tally)
    }
    let (outer, kept) = (try first.target(), try second.target())
    for _ in 0..<2 {
      let inner = try first.scope { (try first.target(), try second.target()) }
      #expect(inner.0 !== outer && inner.1 === kept)
      #expect(try first.target() === outer)
    }
    #expect(tally.count == 4)
    #expect(tally.endedCount == 2)
    withExtendedLifetime((outer, kept)) {}
  }

  @Test func `a target is dropped although its container ended inside of a scope`() throws {
    let (threads, dropped) = (try ThreadStorage(), Collected<String>())
    let hooks = ThreadLocalHooks<any Greeter>(willDrop: { _ in dropped.append("dropped") })
    let source = ThreadLocalSource(
      "greeter", in: threads, slot: threads.reserveSlot(), hooks: hooks
    ) { _ in ThreadGreeter(tally: Tally()) }
    _ = try source.target()
    source.scope { threads.close() }
    #expect(dropped.all == ["dropped"])
  }

  @Test func `a Sendable singleton may hold the proxy of a thread's object`() throws {
    final class Repository: Sendable {
      let greeter: any Greeter & Sendable
      init(greeter: any Greeter & Sendable) { self.greeter = greeter }
    }
    let builder = ContainerBuilder()
    let target = builder.prototype(
      named: "target", in: .thread, ThreadGreeter.init(tally:), Ref.value(Tally()))
    let proxy = builder.proxy(named: "greeter", .threadLocal, of: target, as: GreeterProxy.self)
    let repository = builder.singleton(named: "repository", Repository.init(greeter:), proxy)
    let container = try builder.build()
    #expect(try container.object(repository).greeter.greet("Ada") == "Hello Ada, number 1")
  }

  @Test func `proxies with one slot name share their targets, in their container only`() throws {
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(Tally()))
    let a = builder.proxy(
      named: "a", .threadLocal, of: target, as: GreeterProxy.self, slot: "shared")
    let b = builder.proxy(
      named: "b", .threadLocal, of: target, as: GreeterProxy.self, slot: "shared")
    let c = builder.proxy(named: "c", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    _ = try container.object(a).greet("Ada")
    #expect(try container.object(b).count == 1)
    #expect(try container.object(c).count == 0)
    let other = try builder.build()
    #expect(try other.object(b).count == 0)
  }

  @Test func `a scope of work drops the targets that it made`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "greeter", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    _ = try greeter.greet("outside")
    let inside = try container.withThreadScope { try greeter.greet("inside") }
    #expect(inside == "Hello inside, number 1")
    #expect(tally.endedCount == 1)
    #expect(try greeter.count == 1)
  }

  @Test func `a thread-local proxy factory makes proxies from an injected factory`() throws {
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(Tally()))
    let proxy = builder.singleton(
      named: "proxy", factory: ThreadLocalProxyFactory<GreeterProxy>.init,
      configure: {
        $0.set(\.factoryObject, target.factory(as: (any Greeter).self))
        $0.set(\.name, to: "greeter")
      })
    let container = try builder.build()
    let greeter = try container.object(proxy)
    _ = try greeter.greet("Ada")
    let inside = try container.withThreadScope { try greeter.count }
    #expect(inside == 0)
    #expect(try greeter.count == 1)
    let incomplete = ThreadLocalProxyFactory<GreeterProxy>()
    let error = #expect(throws: ContainerError.self) { try incomplete.object() }
    #expect(error?.code == .factoryIncomplete)
  }

  @Test func `hooks refuse a use, bind a target, and hear of the end`() throws {
    let ended = Collected<Int>()
    let hooks = ThreadLocalHooks<any Greeter>(
      bound: { Hooked.bound }, willUse: { if Hooked.refuses { throw Refusal("in a task") } },
      willDrop: { ended.append((try? $0.count) ?? -1) })
    let source = try ThreadLocalSource<any Greeter>("greeter", hooks: hooks) {
      ThreadGreeter(tally: Tally())
    }
    let proxy = GreeterProxy(source: source)
    Hooked.$refuses.withValue(true) {
      #expect(throws: Refusal.self) { try proxy.greet("Ada") }
    }
    let name = try Hooked.$bound.withValue(SharedGreeter(tally: Tally())) { try proxy.name() }
    #expect(name == "shared greeter")
    try source.scope { _ = try proxy.greet("Ada") }
    #expect(ended.all == [1])
  }

  private enum Hooked {
    @TaskLocal static var refuses = false
    @TaskLocal static var bound: SharedGreeter?
  }

  /// A greeter that does something in the middle of its calls.
  private final class Interrupted: Greeter {
    let inner: ThreadGreeter
    let interrupt: () throws -> Void
    init(_ tally: Tally, _ interrupt: @escaping () throws -> Void) {
      inner = ThreadGreeter(tally: tally)
      self.interrupt = interrupt
    }
    var count: Int { inner.count }
    func name() throws -> String { "interrupted" }
    func greet(_ guest: String) throws -> String {
      try interrupt()
      return try inner.greet(guest)
    }
  }

  @Test func `an object that is dropped in the middle of its calls lives until the last returns`()
    throws
  {
    let tally = Tally()
    let store = try ThreadStorage()
    let slot = store.reserveSlot()
    nonisolated(unsafe) var interrupt: () throws -> Void = {}  // one thread
    let words = Collected<String>()
    let source = ThreadLocalSource<any Greeter>(
      "greeter", in: store, slot: slot,
      hooks: ThreadLocalHooks(willDrop: { _ in words.append("dropped") })
    ) { _ in Interrupted(tally) { try interrupt() } }
    let proxy = GreeterProxy(source: source)
    _ = try proxy.greet("Ada")
    var depth = 0
    interrupt = { () throws -> Void in
      depth += 1
      defer { depth -= 1 }
      if depth < 3 {
        // Calls within calls of the one object; the innermost drops it.
        #expect(try proxy.greet("Bob").hasPrefix("Hello Bob, number"))
      } else {
        #expect(try proxy.count == 1)
        store.dropOwn()
        #expect(words.all == ["dropped"])
      }
      #expect(tally.endedCount == 0)
    }
    #expect(try proxy.greet("Ada") == "Hello Ada, number 4")
    #expect(tally.endedCount == 1)
    #expect(!proxy.isTargetMaterialized)
    interrupt = {}
    #expect(try proxy.greet("Ada") == "Hello Ada, number 1")
    #expect(tally.count == 2)
    store.close()
    #expect(tally.endedCount == 2)
  }

  @Test func `an object that is replaced, or dropped by a call that throws, ends once`() throws {
    let tally = Tally()
    let store = try ThreadStorage()
    let slot = store.reserveSlot()
    nonisolated(unsafe) var interrupt: () throws -> Void = {}  // one thread
    let source = ThreadLocalSource<any Greeter>(
      "greeter", in: store, slot: slot, hooks: ThreadLocalHooks()
    ) { _ in Interrupted(tally) { try interrupt() } }
    let proxy = GreeterProxy(source: source)
    _ = try proxy.greet("Ada")
    interrupt = { () throws -> Void in
      try store.objects(for: "slot")[slot] = ObjectBox<any Greeter>(SharedGreeter(tally: Tally()))
      #expect(tally.endedCount == 0)
      throw Refusal("no more")
    }
    #expect(throws: Refusal.self) { try proxy.greet("Ada") }
    #expect(tally.endedCount == 1)
    #expect(try proxy.greet("Ada") == "Hello Ada")
    store.close()
    #expect(tally.endedCount == 1)
  }

  @Test func `a call through a closed container's proxy is the last one`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let target = builder.prototype(named: "target", ThreadGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "greeter", .threadLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    for number in 1...3 { #expect(try greeter.greet("Ada") == "Hello Ada, number \(number)") }
    container.close()
    #expect(tally.endedCount == 1)
    #expect(throws: ContainerError.self) { try greeter.greet("Ada") }
  }

  @Test func `objects of a source that ends before its thread are dropped`() throws {
    let tally = Tally()
    do {
      let source = try ThreadLocalSource<any Greeter> { ThreadGreeter(tally: tally) }
      _ = try source.target()
    }
    #expect(tally.endedCount == 1)
  }
}
