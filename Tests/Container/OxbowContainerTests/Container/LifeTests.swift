import OxbowContainer
import Testing

/// Eager building, callbacks of the container, processors, injection from outside, shutdown.
@Suite struct LifeTests {
  private final class Counted {
    let tally: Tally
    var neighbour: Node?
    init(_ tally: Tally) {
      self.tally = tally
      tally.add()
    }
    deinit { tally.end() }
  }

  @Test func `TY-20 an eager singleton is built with the container, others are not`() throws {
    let (eager, lazy) = (Tally(), Tally())
    let builder = ContainerBuilder()
    builder.singleton(named: "eager", traits: .eager, SharedGreeter.init(tally:), Ref.value(eager))
    builder.singleton(named: "lazy", SharedGreeter.init(tally:), Ref.value(lazy))
    _ = builder.check()
    #expect(eager.count == 0)
    _ = try builder.build()
    #expect(eager.count == 1)
    #expect(lazy.count == 0)
  }

  @Test func `TY-24 processors see each complete object once, in order, and may replace it`() throws
  {
    let builder = ContainerBuilder()
    let log = Collected<String>()
    builder.add(Recorder(order: 2, log: log, replacing: false))
    builder.add(Recorder(order: 1, log: log, replacing: true))
    let node = builder.singleton(named: "node") {
      Node("original")
    } configure: {
      $0.set(\.isComplete, to: true)
    }
    let container = try builder.build()
    #expect(try container.object(node).name == "replaced 1")
    #expect(try container.object(node).name == "replaced 1")
    #expect(log.all == ["1: original true", "2: replaced 1 false"])
  }

  @Test func `TY-24 an object of a weak or confined scope is replaced like any other`() throws {
    let builder = ContainerBuilder()
    builder.add(Recorder(order: 1, log: Collected(), replacing: true))
    let weak = builder.singleton(named: "weak", traits: .weak) { Node("original") }
    let own = builder.prototype(named: "own", in: .thread) { Node("original") }
    let container = try builder.build()
    #expect(try container.object(weak).name == "replaced 1")
    #expect(try container.withObject(own) { $0.name } == "replaced 1")
    #expect(try container.withObject(own) { $0.name } == "replaced 1")
  }

  @Test func `TY-24 an object that its circle refers to already cannot be replaced`() throws {
    let builder = ContainerBuilder()
    builder.add(Recorder(order: 1, log: Collected(), replacing: true))
    builder.singleton(named: "a") {
      Node("a")
    } configure: {
      $0.set(Ref<Node>("a")) { $0.neighbours.append($1) }
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.object("a", as: Node.self) }
    #expect("\(error, default: "")".contains("was replaced by a post-processor, too late"))
  }

  @Test func `what a circle had made ends when one of its members fails`() throws {
    let tally = Tally()
    for scope in [UnsharedScope.prototype, .objectGraph, .thread] {
      let builder = ContainerBuilder()
      builder.prototype(named: "a", in: scope) {
        Counted(tally)
      } configure: {
        $0.set(Ref<Node>("b")) { $0.neighbour = $1 }
      }
      builder.prototype(
        named: "b", in: scope, { (_: Counted) throws -> Node in throw Refusal("no node") },
        Ref<Counted>("a"))
      let container = try builder.build()
      #expect(throws: ContainerError.self) {
        try container.withObject("a", as: Counted.self) { _ in }
      }
    }
    #expect(tally.count == 3)
    #expect(tally.endedCount == 3)
  }

  @Test func `TY-25 an object that is aware of its container receives it after its properties`()
    throws
  {
    let builder = ContainerBuilder()
    builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(Tally()))
    let aware = builder.prototype(named: "aware") {
      Aware()
    } configure: {
      $0.set(\.title, to: "set")
    }
    let container = try builder.build()
    let object = try container.object(aware)
    #expect(object.titleThen == "set")
    #expect(object.container?.names == ["greeter", "aware"])
    let viaReference = builder.prototype(
      named: "user", { (c: Container) in Part(c.names[0]) }, .container)
    #expect(try builder.build().object(viaReference).name == "greeter")
  }

  @Test func `OX-14 an object that was made elsewhere is injected as a definition says`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "other") { Node("other") }
    builder.prototype(named: "node") {
      Node("made by the container")
    } configure: {
      $0.set(Ref<Node>("other")) { $0.neighbours.append($1) }
    }
    builder.prototype(named: "confined", in: .thread) { Node("confined") }
    let container = try builder.build()
    let node = Node("made elsewhere")
    try container.inject(into: node, as: "node")
    #expect(node.neighbours.map(\.name) == ["other"])
    #expect(code { try container.inject(into: Part("x"), as: "node") } == .typeMismatch)
    #expect(code { try container.inject(into: node, as: "confined") } == .confinedEscapes)
    #expect(code { try container.inject(into: node, as: "nod") } == .unknownObject)
  }

  @Test func `OX-14 without a name the one definition of the object's class counts`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "part") {
      Part("made by the container")
    } configure: {
      $0.set(Ref.value("set"), named: "parts") { part, _ in part.parts = [] }
    }
    builder.singleton(named: "one") { Node("one") }
    builder.singleton(named: "two") { Node("two") }
    let container = try builder.build()
    let part = Part("mine", [Part("other")])
    try container.inject(into: part)
    #expect(part.parts.isEmpty)
    #expect(code { try container.inject(into: Node("mine")) } == .noObjectOfType)
    #expect(code { try container.inject(into: Knight()) } == .noObjectOfType)
  }

  @Test func `a shutdown disposes of what was built, dependents first, and closes the container`()
    throws
  {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let base = builder.singleton(named: "base") { Connection("base", log) }
    let middle = builder.singleton(
      named: "middle", { (_: Connection) in Connection("middle", log) }, base)
    let top = builder.singleton(
      named: "top", { (_: Provider<Connection>) in Connection("top", log) }, middle.provider)
    builder.singleton(named: "never asked for") { Connection("never", log) }
    let container = try builder.build()
    _ = try container.object(middle)
    _ = try container.object(top)
    try container.shutDown()
    #expect(log.all == ["top", "middle", "base"])
    #expect(code { _ = try container.object(base) } == .containerReleased)
  }

  @Test func `a shutdown goes on after an error and reports all of them`() throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    for name in ["a", "bad 1", "b", "bad 2"] {
      builder.singleton(named: name, traits: .eager) { Connection(name, log) }
    }
    let container = try builder.build()
    let error = #expect(throws: ContainerError.self) { try container.shutDown() }
    #expect(error?.problems.map(\.code) == [.shutdownFailed, .shutdownFailed])
    #expect(Set(log.all) == ["a", "b", "bad 1", "bad 2"])
  }

  private func code(_ body: () throws -> Void) -> ContainerError.Code? {
    do { try body() } catch { return (error as? ContainerError)?.code }
    return nil
  }
}

private struct Recorder: ObjectPostProcessor {
  let order: Int
  let log: Collected<String>
  let replacing: Bool

  func process<T>(_ object: T, named name: String) throws -> T {
    guard let node = object as? Node else { return object }
    log.append("\(order): \(node.name) \(node.isComplete)")
    return replacing ? Node("replaced \(order)") as? T ?? object : object
  }
}

private final class Aware: ContainerAware {
  var title = ""
  var titleThen = ""
  var container: Container?
  func setContainer(_ container: Container) {
    self.container = container
    titleThen = title
  }
}

private final class Connection: Disposable {
  let name: String
  let log: Collected<String>
  init(_ name: String, _ log: Collected<String>) {
    self.name = name
    self.log = log
  }
  func dispose() throws {
    log.append(name)
    if name.hasPrefix("bad") { throw Refusal(name) }
  }
}
