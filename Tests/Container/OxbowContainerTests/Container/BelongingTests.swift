import OxbowContainer
import Synchronization
import Testing

/// What ends with an object although it cannot be asked for: what is defined in place, and what a
/// post-processor replaced.
@Suite struct BelongingTests {
  private let log = Collected<String>()

  // MARK: - In place

  @Test(arguments: ["singleton", "weakSingleton"])
  func `W9 what is defined in place of a shared object is disposed of after it, at any depth`(
    scope: String
  ) throws {
    let builder = builder()
    builder.add(part("outer", scope, inner: part("inner", inner: part("core"))))
    let container = try builder.build()
    let outer = try container.object("outer", as: Nested.self)
    try container.shutDown()
    #expect(log.all == ["outer", "inner", "core"])
    #expect(outer.inner != nil)
    try container.shutDown()
    #expect(log.all.count == 3)
  }

  @Test func `W9 what is in place of a lazy object ends with that, used or not`() throws {
    let builder = builder()
    for name in ["used", "unused"] {
      builder.add(part(name, inner: part("\(name) inner"), isLazy: true))
    }
    let container = try builder.build()
    #expect(try container.object("used", as: GreeterProxy.self).greet("Ada") == "used")
    _ = try container.object("unused", as: GreeterProxy.self)
    try container.shutDown()
    #expect(log.all == ["used", "used inner"])
  }

  @Test func `W9 the target of a lazy object in place ends with its owner, if it was called`()
    throws
  {
    for (scope, isUsed) in [("singleton", true), ("singleton", false), ("thread", true)] {
      let (log, builder) = (Collected<String>(), ContainerBuilder())
      describe(builder, log)
      builder.add(part("outer", scope, inner: part("inner", inner: part("core"), isLazy: true)))
      let container = try builder.build()
      if scope == "thread" {
        try container.withThreadScope {
          try container.withObject("outer", as: Nested.self) { _ = try $0.inner?.greet("Ada") }
        }
      } else {
        let outer = try container.object("outer", as: Nested.self)
        if isUsed { #expect(try outer.inner?.greet("Ada") == "inner") }
      }
      try container.shutDown()
      #expect(log.all == (isUsed ? ["outer", "inner", "core"] : ["outer"]), "\(scope)")
    }
  }

  @Test func `W9 what is in place of a thread's or task's object ends there`() async throws {
    let builder = builder()
    for scope in ["thread", "task"] {
      builder.add(part(scope, scope, inner: part("\(scope) inner")))
    }
    builder.add(part("prototype", "prototype", inner: part("proxied inner")))
    builder.proxy(named: "local", .threadLocal, of: Ref<Nested>("prototype"), as: GreeterProxy.self)
    let container = try builder.build()
    try container.withThreadScope {
      try container.withObject("thread", as: Nested.self) { _ in }
      _ = try container.object("local", as: GreeterProxy.self).greet("Ada")
      #expect(log.all == [])
    }
    #expect(log.all == ["prototype", "thread", "thread inner"])
    try await container.withTaskScope {
      try container.withObject("task", as: Nested.self) { _ in }
    }
    try container.shutDown()
    #expect(log.all.suffix(2) == ["task", "task inner"])
  }

  @Test func `W9 in a circle each ends once, and so does what a failed build has made`() throws {
    let builder = builder()
    var inner = part("inner")
    inner.properties.append(.reference("inner", to: "outer"))
    builder.add(part("outer", inner: inner))
    builder.add(part("bad", inner: part("its inner"), fails: true))
    let container = try builder.build()
    _ = try container.object("outer", as: Nested.self)
    #expect(throws: ContainerError.self) { try container.object("bad", as: Nested.self) }
    #expect(log.all == ["bad", "its inner"])
    try container.shutDown()
    #expect(log.all.suffix(2) == ["outer", "inner"])
    #expect(log.all.count == 4)
  }

  @Test func `W9 a proxy's target that cannot be finished ends at once, with what is in its place`()
    throws
  {
    let builder = builder()
    builder.add(part("lazy", inner: part("inner"), isLazy: true, fails: true))
    builder.add(part("prototype", "prototype", fails: true))
    builder.proxy(named: "local", .threadLocal, of: Ref<Nested>("prototype"), as: GreeterProxy.self)
    let container = try builder.build()
    for name in ["lazy", "local", "lazy"] {
      let proxy = try container.object(name, as: GreeterProxy.self)
      #expect(throws: ContainerError.self) { try proxy.greet("Ada") }
    }
    try container.shutDown()
    #expect(log.all == ["lazy", "inner", "prototype", "lazy", "inner"])
  }

  @Test func `W9 what is in place of a prototype is its owner's, with the prototype`() throws {
    let builder = builder()
    builder.add(part("prototype", "prototype", inner: part("inner")))
    var user = part("user")
    user.properties.append(.reference("inner", to: "prototype"))
    builder.add(user)
    let container = try builder.build()
    _ = try container.object("prototype", as: Nested.self)
    _ = try container.object("user", as: Nested.self)
    try container.shutDown()
    #expect(log.all == ["user"])
  }

  @Test
  func `W9 what an object in place cannot end is a problem with its place, and the others end`()
    throws
  {
    let builder = builder()
    builder.add(part("outer", inner: part("stuck", inner: part("core"))))
    let container = try builder.build()
    _ = try container.object("outer", as: Nested.self)
    let error = #expect(throws: ContainerError.self) { try container.shutDown() }
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.message.contains("\"outer.inner (in place)\"") == true)
    #expect(log.all == ["outer", "stuck", "core"])
  }

  // MARK: - Replaced

  @Test func `W9 what a post-processor replaced is disposed of, after what took its place`() throws
  {
    let builder = builder()
    builder.add(Replacing())
    builder.singleton(named: "shared") { [log] in Nested("shared", log) }
    builder.singleton(named: "lazy", lazy: GreeterProxy.self) { [log] in Nested("lazy", log) }
    builder.prototype(named: "thread", in: .thread) { [log] in Nested("thread", log) }
    builder.prototype(named: "prototype") { [log] in Nested("prototype", log) }
    builder.add(part("outer", inner: part("inner")))
    let container = try builder.build()
    container.withThreadScope {
      _ = try? container.withObject("thread", as: Nested.self) { _ in 0 }
    }
    #expect(log.all == ["new thread", "thread"])
    _ = try container.object("prototype", as: Nested.self)
    for name in ["shared", "outer"] { _ = try container.object(name, as: Nested.self) }
    _ = try container.object("lazy", as: GreeterProxy.self).greet("Ada")
    try container.shutDown()
    let ended = log.all.dropFirst(2)
    #expect(ended.count == 8)
    for name in ["shared", "lazy", "outer", "inner"] {
      let (new, old) = (ended.firstIndex(of: "new \(name)"), ended.firstIndex(of: name))
      #expect(new.map { $0 + 1 } == old && new != nil, "\(name)")
    }
  }

  @Test func `W9 an object that is only handed on under a replaced name ends where it is kept`()
    throws
  {
    let builder = builder()
    builder.add(Replacing(only: "alias"))
    let part = builder.singleton(named: "part") { [log] in Nested("part", log) }
    builder.singleton(named: "user", { [log] (_: Nested) in Nested("user", log) }, part)
    builder.singleton(named: "alias", { (part: Nested) in part }, part)
    let container = try builder.build()
    for name in ["alias", "user"] { _ = try container.object(name, as: Nested.self) }
    try container.shutDown()
    #expect(log.all.sorted() == ["new part", "part", "user"])
    #expect(log.all.last == "part")
  }

  // MARK: - Support

  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    describe(builder, log)
    return builder
  }

  private func describe(_ builder: ContainerBuilder, _ log: Collected<String>) {
    builder.registerProxy(GreeterProxy.self)
    builder.register(
      ComponentDescriptor(
        Nested.self, name: "Nested", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Nested("", log) }],
        properties: [
          .property(
            "text", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type }, set: { $0.text = $1 }),
          .property(
            "fails", Bool.self, typeName: "Bool", sendability: .of(),
            accepts: { $0 is Bool.Type }, set: { if $1 { throw Refusal("\($0.text) is bad") } }),
          .property(
            "inner", (any Greeter & Sendable).self, typeName: "(any Greeter & Sendable)?",
            sendability: .of(), isOptional: true, accepts: { $0 is any Greeter.Type },
            set: { $0.inner = $1 }),
        ]))
  }

  private func part(
    _ name: String, _ scope: String = "singleton", inner: ObjectDefinition? = nil,
    isLazy: Bool = false, fails: Bool = false
  ) -> ObjectDefinition {
    var part = ObjectDefinition(name, class: "Nested", scope: scope, isLazy: isLazy)
    part.properties = [.value("text", name)]
    if let inner { part.properties.append(PropertyAssignment("inner", to: .definition(inner))) }
    if fails { part.properties.append(.value("fails", "true")) }
    return part
  }
}

/// Puts a new object in place of each.
private struct Replacing: ObjectPostProcessor {
  var only: String?
  func process<T>(_ object: T, named name: String) throws -> T {
    guard let part = object as? Nested, only == nil || only == name else { return object }
    let new = Nested("new \(part.text)", part.log)
    new.inner = part.inner
    return new as? T ?? object
  }
}

private final class Nested: Greeter, Disposable {
  private struct State {
    var text: String
    var inner: (any Greeter & Sendable)?
  }
  private let state: Mutex<State>
  let log: Collected<String>

  init(_ text: String, _ log: Collected<String>) {
    state = Mutex(State(text: text))
    self.log = log
  }

  var text: String {
    get { state.withLock { $0.text } }
    set { state.withLock { $0.text = newValue } }
  }
  var inner: (any Greeter & Sendable)? {
    get { state.withLock { $0.inner } }
    set { state.withLock { $0.inner = newValue } }
  }
  var count: Int { 0 }
  func name() throws -> String { text }
  func greet(_ guest: String) throws -> String { text }
  func dispose() throws {
    log.append(text)
    if text == "stuck" { throw Refusal("it is stuck") }
  }
}
