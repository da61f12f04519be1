import OxbowContainer
import Testing

@Suite struct LazyProxyTests {
  @Test func `OX-05, OX-21 a lazy object is built by its first call, once for all threads`()
    throws
  {
    for _ in 0..<30 {
      let tally = Tally()
      let builder = ContainerBuilder()
      let greeter = builder.singleton(
        named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(tally))
      let container = try builder.build()
      let proxy = try container.object(greeter)
      #expect(!proxy.isTargetMaterialized)
      #expect(tally.count == 0)
      let answers = Collected<String>()
      onThreads(8) { _ in answers.append((try? proxy.greet("Ada")) ?? "failed") }
      #expect(answers.all == Array(repeating: "Hello Ada", count: 8))
      #expect(proxy.isTargetMaterialized)
      #expect(tally.count == 1)
      #expect(try container.object(greeter) === proxy)
    }
  }

  @Test func `inherited requirements go through the proxy`() throws {
    let proxy = GreeterProxy(source: LazySource.unchecked { SharedGreeter(tally: Tally()) })
    #expect(try proxy.name() == "shared greeter")
    #expect(try proxy.count == 0)
    let named: any Named = proxy
    #expect(try named.name() == "shared greeter")
  }

  @Test func `a fixed source lets calls borrow its target from the beginning`() throws {
    let tally = Tally()
    do {
      let proxy = GreeterProxy(source: FixedSource.unchecked(ThreadGreeter(tally: tally)))
      #expect(proxy.isTargetMaterialized)
      for number in 1...3 { #expect(try proxy.greet("Ada") == "Hello Ada, number \(number)") }
      #expect(try proxy.name() == "thread greeter")
      #expect(tally.endedCount == 0)
    }
    #expect(tally.endedCount == 1)
    // Only the call holds this proxy.
    #expect(
      try GreeterProxy(source: FixedSource.unchecked(ThreadGreeter(tally: tally))).greet("Ada")
        == "Hello Ada, number 1")
    #expect(tally.endedCount == 2)
  }

  @Test func `a lazy proxy of a singleton replaces that singleton`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "proxy", .lazy, of: greeter, as: GreeterProxy.self)
    let container = try builder.build()
    _ = try container.object(proxy).greet("Ada")
    _ = try container.object(greeter)
    #expect(tally.count == 1)
  }

  @Test func `a build that throws leaves the proxy empty, and the next call tries again`() throws {
    let attempts = Tally()
    let proxy = GreeterProxy(
      source: LazySource.unchecked {
        attempts.add()
        if attempts.count == 1 { throw Refusal("not yet") }
        return SharedGreeter(tally: Tally())
      })
    #expect(throws: Refusal.self) { try proxy.greet("Ada") }
    #expect(!proxy.isTargetMaterialized)
    #expect(try proxy.greet("Ada") == "Hello Ada")
  }

  @Test func `a lazy proxy breaks a circle of initializers`() throws {
    final class Hen: Greeter, Sendable {
      let egg: any Greeter & Sendable
      init(egg: any Greeter & Sendable) { self.egg = egg }
      var count: Int { 1 }
      func name() throws -> String { "hen" }
      func greet(_ guest: String) throws -> String { "hen" }
    }
    let builder = ContainerBuilder()
    builder.singleton(
      named: "hen", lazy: GreeterProxy.self, Hen.init(egg:), Ref<any Greeter & Sendable>("egg"))
    builder.singleton(named: "egg", Hen.init(egg:), Ref<GreeterProxy>("hen"))
    let container = try builder.build()
    let egg = try container.object("egg", as: Hen.self)
    #expect(try egg.egg.name() == "hen")
  }

  @Test func `the target of a lazy proxy must be Sendable`() throws {
    let builder = ContainerBuilder()
    let greeter = builder.prototype(
      named: "greeter", ThreadGreeter.init(tally:), Ref.value(Tally()))
    builder.proxy(named: "proxy", .lazy, of: greeter, as: GreeterProxy.self)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(error?.code == .sharedNotSendable)
  }

  @Test func `OX-20 a lazy proxy factory makes proxies from an injected factory`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let greeter = builder.prototype(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.singleton(
      named: "proxy", factory: LazyProxyFactory<GreeterProxy>.init,
      configure: { $0.set(\.factoryObject, greeter.factory(as: (any Greeter).self)) })
    let unready = builder.singleton(named: "unready", factory: LazyProxyFactory<GreeterProxy>.init)
    let unsafe = builder.prototype(named: "unsafe", ThreadGreeter.init(tally:), Ref.value(tally))
    let refused = builder.singleton(
      named: "refused", factory: LazyProxyFactory<GreeterProxy>.init,
      configure: { $0.set(\.factoryObject, unsafe.factory(as: (any Greeter).self)) })
    let container = try builder.build()
    #expect(tally.count == 0)
    #expect(try container.object(proxy).greet("Ada") == "Hello Ada")
    #expect(tally.count == 1)
    let missing = #expect(throws: ContainerError.self) { try container.object(unready) }
    #expect(missing?.code == .factoryIncomplete)
    let shared = #expect(throws: ContainerError.self) { try container.object(refused) }
    #expect(shared?.code == .sharedNotSendable)
  }

  @Test func `a task-local proxy forwards to what is bound to the task`() throws {
    let proxy = GreeterProxy(source: TaskLocalSource("greeter") { Bound.greeter })
    let error = #expect(throws: ContainerError.self) { try proxy.greet("Ada") }
    #expect(error?.code == .unboundTask)
    #expect(!proxy.isTargetMaterialized)
    let answer = try Bound.$greeter.withValue(SharedGreeter(tally: Tally())) {
      try proxy.greet("Ada")
    }
    #expect(answer == "Hello Ada")
  }

  private enum Bound {
    @TaskLocal static var greeter: SharedGreeter?
  }
}
