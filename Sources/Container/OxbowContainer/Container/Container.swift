internal import OxbowDocuments
internal import OxbowPlatform

/// Objects by name, built as their definitions say when somebody asks.
///
/// A container is immutable and `Sendable`: any thread may ask for any object at any time. A
/// singleton is built once, even when many threads ask first at the same moment, and a hit on one
/// takes no lock; a hit on a weak singleton takes one.
///
/// Who may have an object follows from its scope. A singleton is `Sendable` and anybody's. A
/// prototype is new and leaves as `sending`: it is the caller's alone. An object of thread scope
/// never leaves: see ``withObject(_:as:_:)``.
///
/// The container holds its singletons. Providers, factories and proxies hold the container that
/// made them, so they work for as long as somebody has them. A singleton that holds one of these
/// holds its container, which holds the singleton: such a container lives until ``close()``.
public final class Container: Sendable {
  let engine: Engine
  /// What keeps the objects; nil for the container that one of them has.
  private let life: ContainerLife?
  /// What keeps the objects of a container that one of them has.
  private let route: ContainerReference?

  init(_ engine: Engine) {
    let life = ContainerLife(engine)
    engine.container.set(life) { [weak life] in life?.keeps($0) ?? false }
    self.engine = engine
    self.life = life
    route = nil
  }

  /// The container that its own objects have, which must not keep it when it is closed.
  init(_ engine: Engine, by reference: ContainerReference) {
    self.engine = engine
    route = reference
    life = nil
  }

  convenience init(plan: ContainerPlan, builder: UInt64) throws {
    self.init(
      try Engine(
        plan: plan, builder: builder,
        containerInjection: Self.injection(and: plan.input.injections)))
    do {
      try engine.buildEager()
    } catch {
      // The container holds the life of what is disposed of.
      throw withExtendedLifetime(self) { engine.ended(after: error) }
    }
  }

  /// The names of all objects, in the order in which they were defined.
  public var names: [String] { engine.names }

  /// The way to the container that its objects have, one for each container.
  package var reference: WeakContainerReference { engine.container }

  /// Whether there is an object of a name.
  public func contains(_ name: String) -> Bool { engine.numbers[name] != nil }

  /// Releases all objects without disposing of them; see ``shutDown()``.
  ///
  /// A caller that asks the container, a provider or a
  /// proxy for an object from now on gets the error `containerReleased`. Threads may be asking at
  /// this moment: each gets its object or that error.
  ///
  /// The objects end as soon as no caller can be asking for one: with the last reference to the
  /// container that ``ContainerBuilder/build()`` returned, and with the last call that had begun.
  /// Objects that somebody else holds live on. Those of the calling thread end now, those of others
  /// with their thread or with the container and its thread-local proxies.
  public func close() {
    try? inside("container") { engine.close() }
  }

  /// What keeps the objects for as long as it is held.
  var keeper: AnyObject? { life ?? route?.keeper }

  /// Runs `body` while the container keeps its objects.
  ///
  /// - Throws: `containerReleased` where the container is one that an object has, and was closed.
  func inside<R>(_ name: String, _ body: () throws -> R) throws -> R {
    // The caller holds the container, and that its life.
    guard let route else { return try body() }
    return try route.inside(for: name, body)
  }

  /// The same for a request for an object, which an object's constructor may make without end.
  @inline(__always) func asking<R>(_ name: String, _ body: () throws -> R) throws -> R {
    guard let route else { return try body() }
    return try route.call(for: name, body)
  }
}

/// What keeps a container's objects: held by everybody who may ask for one.
///
/// A hit on a singleton marks nothing that others could see, so no object may be released while
/// anybody could be asking. A caller holds the life: a ``Container`` that the builder returned
/// holds it, and providers, factories and proxies hold it by a `ContainerReference`, which
/// `close()` empties (`docs/decisions/0140`).
final class ContainerLife: Sendable, Unreflected {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  deinit { engine.takeApart() }
}

extension ContainerLife {
  /// Whether an object is one of those that all share.
  func keeps(_ object: AnyObject) -> Bool {
    engine.entries.contains {
      engine.identity(of: engine.existing(of: $0)) == ObjectIdentifier(object)
    }
  }
}

extension Container: CustomStringConvertible, CustomReflectable {
  /// The number of objects, their names and types, of many the first ten.
  ///
  /// ``graph`` and ``explain(_:file:line:)`` say more.
  public var description: String {
    let shown = typedNames.map { "\"\($0.name)\": \($0.type)" }
    return "Container(\(shownList(shown)))"
  }

  /// The names of the objects, each with the type.
  public var customMirror: Mirror {
    Mirror(self, children: typedNames.map { (label: $0.name, value: "\($0.type)") })
  }

  private var typedNames: [(name: String, type: any Any.Type)] {
    engine.entries.filter { engine.numbers[$0.name] != nil }.map { ($0.name, $0.type) }
  }
}
