import OxbowContainer
import OxbowPlatform
import Synchronization
import Testing

/// Containers that end while other threads ask them for objects: review D3.
@Suite struct ClosingWhileAskingTests {
  @Test(arguments: [End.close, .shutDown])
  func `D3 a thread that asks while the container ends gets its object or containerReleased`(
    _ end: End
  ) throws {
    let faults = Collected<String>()
    for _ in 0..<10 {
      let world = try World()
      let isOver = Atomic<Bool>(false)
      let closer = 7
      onThreads(8) { number in
        if number == closer {
          do { try end.run(world.container) } catch { faults.append("\(error)") }
          isOver.store(true, ordering: .sequentiallyConsistent)
          return
        }
        // Some requests before the end, and some after it.
        var rest = 20
        while rest > 0 {
          if isOver.load(ordering: .sequentiallyConsistent) { rest -= 1 }
          world.ask { faults.append($0) }
        }
      }
      world.expectReleased { faults.append($0) }
    }
    #expect(faults.all.isEmpty)
  }

  @Test func `D3 a worker that outlives withPatches gets its object or containerReleased`() throws {
    let faults = Collected<String>()
    for _ in 0..<10 {
      let builder = ContainerBuilder()
      let leaf = builder.singleton(named: "leaf") { Slab() }
      builder.singleton(named: "worker", Worker.init(_:), leaf.provider)
      let app = try builder.build()
      let isOver = Atomic<Bool>(false)
      let gate = StartGate(2)
      let worker = Lock<Worker?>(nil)
      onThreads(2) { number in
        if number == 0 {
          do {
            try app.withPatches({ $0.replace("leaf") { Slab() } }) { patched in
              let own = try patched.object("worker", as: Worker.self)
              worker.withLock { $0 = own }
              gate.wait()
            }
          } catch {
            faults.append("\(error)")
          }
          isOver.store(true, ordering: .sequentiallyConsistent)
          return
        }
        gate.wait()
        let own = worker.withLock { $0 }
        while !isOver.load(ordering: .sequentiallyConsistent) {
          do { try own?.use() } catch ContainerError.Code.containerReleased {} catch {
            faults.append("\(error)")
          }
        }
        #expect(throws: ContainerError.self) { try own?.use() }
      }
    }
    #expect(faults.all.isEmpty)
  }

  @Test func `D3 what other threads keep ends with these or with the container`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let own = builder.prototype(
      named: "own", in: .thread, ThreadGreeter.init(tally:), Ref.value(tally))
    do {
      let container = try builder.build()
      let (asked, closed) = (StartGate(2), StartGate(2))
      onThreads(2) { number in
        if number == 0 {
          _ = try? container.withObject(own) { $0.count }
          asked.wait()
          closed.wait()
          let error = #expect(throws: ContainerError.self) {
            try container.withObject(own) { $0.count }
          }
          #expect(error?.code == .containerReleased)
          #expect(tally.endedCount == 1)
          return
        }
        asked.wait()
        container.close()
        #expect(tally.endedCount == 0)
        closed.wait()
      }
    }
    #expect(tally.endedCount == 1)
  }

  @Test func `D3 singletons that hold their container end with it when it was closed`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let keeper = builder.singleton(named: "keeper", ContainerKeeper.init(_:), .container) {
      $0.set(\.tally, to: tally)
    }
    do {
      let container = try builder.build()
      let inner = try container.object(keeper).container
      #expect(inner.names == ["keeper"])
      #expect(try inner.object(keeper) === container.object(keeper))
      container.close()
      #expect(inner.names == ["keeper"])
      let error = #expect(throws: ContainerError.self) { try inner.object(keeper) }
      #expect(error?.code == .containerReleased)
    }
    #expect(tally.endedCount == 1)
  }

  @Test func `a container that is not closed ends with its last holder`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let leaf = builder.singleton(named: "leaf", EndingLeaf.init(tally:), Ref.value(tally))
    let holder = builder.prototype(
      named: "holder", { (leaf: Provider<EndingLeaf>) in leaf }, leaf.provider)
    do {
      let provider = try builder.build().object(holder)
      #expect(try provider() === provider())
      #expect(tally.endedCount == 0)
    }
    #expect(tally.endedCount == 1)
  }

  @Test func `D16 one process has as many containers with thread scope as it likes`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let own = builder.prototype(
      named: "own", in: .thread, ThreadGreeter.init(tally:), Ref.value(tally))
    var containers: [Container] = []
    for number in 1...1_200 {
      let container = try builder.build()
      #expect(try container.withObject(own) { try $0.greet("Ada") } == "Hello Ada, number 1")
      containers.append(container)
      #expect(tally.count == number)
    }
    #expect(try containers[0].withObject(own) { $0.count } == 1)
    containers = []
    #expect(tally.endedCount == 1_200)
    // Their places are taken again, and nothing of before is found there.
    let last = try builder.build()
    #expect(try last.withObject(own) { $0.count } == 0)
  }

  @Test func `D21 a constructor that asks its container for what it makes gets an error`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "doll", { (container: Container) in try Doll(container) }, .container)
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) {
      try container.object("doll", as: Doll.self)
    }
    #expect(error?.code == .constructionDeadlock)
    #expect("\(error, default: "")".contains("made again and again"))
  }
}

enum End: Sendable {
  case close
  case shutDown

  func run(_ container: Container) throws {
    switch self {
    case .close: container.close()
    case .shutDown: try container.shutDown()
    }
  }
}

/// A container with an object of each kind that several threads may ask for.
private struct World: Sendable {
  let container: Container
  private let ways: [@Sendable (Container) throws -> Void]

  init() throws {
    let builder = ContainerBuilder()
    let leaf = builder.singleton(named: "leaf") { Slab() }
    let part = builder.prototype(named: "part") { Slab() }
    let node = builder.prototype(named: "node", Twins.init(_:_:), leaf, part)
    let shared = builder.singleton(named: "shared", Twins.init(_:_:), leaf, part)
    let weak = builder.singleton(named: "weak", traits: .weak) { Slab() }
    let graph = builder.prototype(named: "graph", in: .objectGraph) { Slab() }
    let own = builder.prototype(named: "own", in: .thread) { Slab() }
    let greeter = builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(Tally()))
    let plain = builder.prototype(named: "plain", ThreadGreeter.init(tally:), Ref.value(Tally()))
    let local = builder.proxy(named: "local", .threadLocal, of: plain, as: GreeterProxy.self)
    let late = builder.prototype(named: "late", { (leaf: Provider<Slab>) in leaf }, leaf.provider)
    let made = builder.prototype(
      named: "made", { (part: any FactoryObject<Slab> & Sendable) in part }, part.factory)
    container = try builder.build()
    let (provider, factory) = (try container.object(late), try container.object(made))
    let (lazy, threads) = (try container.object(greeter), try container.object(local))
    ways = [
      { try $0.object(leaf).check() }, { try $0.object("leaf", as: Slab.self).check() },
      { try $0.object(part).check() }, { try $0.object(node).check() },
      { try $0.object(shared).check() }, { try $0.object(weak).check() },
      { try $0.object(graph).check() }, { try $0.withObject(own) { (slab: Slab) in slab.check() } },
      { _ in _ = try lazy.greet("Ada") }, { _ in _ = try threads.greet("Ada") },
      { _ in try provider().check() }, { _ in try factory.object().check() },
    ]
  }

  /// Asks for each object once.
  func ask(_ report: (String) -> Void) {
    for way in ways {
      do { try way(container) } catch {
        if (error as? ContainerError)?.code != .containerReleased { report("\(error)") }
      }
    }
  }

  func expectReleased(_ report: (String) -> Void) {
    for (number, way) in ways.enumerated() {
      do {
        try way(container)
        report("way \(number) still answers")
      } catch {
        if (error as? ContainerError)?.code != .containerReleased { report("\(error)") }
      }
    }
  }
}

private final class Slab: Sendable {
  let numbers = [1, 2, 3]
  func check() { precondition(numbers.count == 3) }
}

private final class Twins: Sendable {
  let first: Slab
  let second: Slab
  init(_ first: Slab, _ second: Slab) {
    self.first = first
    self.second = second
  }
  func check() {
    first.check()
    second.check()
  }
}

private final class Worker: Sendable {
  let slab: Provider<Slab>
  init(_ slab: Provider<Slab>) { self.slab = slab }
  func use() throws { try slab().check() }
}

private final class ContainerKeeper: @unchecked Sendable {  // written while it is built
  let container: Container
  var tally: Tally?
  init(_ container: Container) { self.container = container }
  deinit { tally?.end() }
}

private final class EndingLeaf: Sendable {
  let tally: Tally
  init(tally: Tally) { self.tally = tally }
  deinit { tally.end() }
}

private final class Doll {
  let inner: Doll?
  init(_ container: Container) throws { inner = try container.object("doll") }
}
