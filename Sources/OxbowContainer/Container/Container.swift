internal import OxbowDocuments

/// Objects by name, built as their definitions say when somebody asks.
///
/// A container is immutable and `Sendable`: any thread may ask for any object at any time. A singleton is
/// built once, even when many threads ask first at the same moment, and a hit on one takes no lock.
///
/// Who may have an object follows from its scope. A singleton is `Sendable` and anybody's. A prototype is
/// new and leaves as `sending`: it is the caller's alone. An object of thread scope never leaves: see
/// ``withObject(_:as:_:)``.
///
/// The container holds its singletons. Providers, factories and proxies hold the container that made
/// them, so they work for as long as somebody has them. A singleton that holds one of these holds its
/// container, which holds the singleton: such a container lives until ``close()``.
public final class Container: Sendable {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  convenience init(plan: ContainerPlan, builder: UInt64) throws {
    self.init(try Engine(plan: plan, builder: builder))
    try engine.buildEager()
  }

  /// The names of all objects, in the order in which they were defined.
  public var names: [String] { engine.names }

  /// Whether there is an object of a name.
  public func contains(_ name: String) -> Bool { engine.numbers[name] != nil }

  /// Lets go of every object and of everything between the definitions, without a word to them.
  ///
  /// ``shutDown()`` disposes of the objects first.
  /// Objects that somebody else holds live on; providers and proxies of the container throw
  /// `containerReleased` from now on. Call it when no thread uses the container any more.
  public func close() { engine.close() }
}
