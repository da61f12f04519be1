internal import OxbowPlatform

/// The source of a lazy proxy: one target, built by the first call.
///
/// Threads that call while it is built wait and get the same target. A build that throws leaves the
/// source empty, so that the next call tries again. Afterwards a call costs one acquiring load.
///
/// All threads use the one target, so its class must be `Sendable` even where its protocol is not.
/// The container checks that of its own definitions, and `PProxy.lazy(_:)`, which `@Proxied`
/// writes, asks for it.
public final class LazySource<Target>: ProxySource, @unchecked Sendable {
  // Sendable by argument: `make` is guarded by the cell; the access publishes what it built.

  private let cell = OnceCell()
  private let name: String
  private var make: (@Sendable (Belongings) throws -> Target)?
  private let kept = TargetAccess<Target>()
  private let belongings = Lock(Ending())
  /// What disposes of the target, where a container made the source.
  fileprivate let disposals: Disposals?
  private let container: WeakContainerReference?

  /// Creates a source that has built nothing yet.
  ///
  /// - Parameters:
  ///   - name: What is built, for messages.
  ///   - make: Builds the target; released once it has succeeded.
  public convenience init(
    _ name: String = "lazy object", _ make: @escaping @Sendable () throws -> Target
  ) where Target: Sendable {
    self.init(name, of: nil) { _ in try make() }
  }

  /// Returns a source of a target that the compiler does not know to be `Sendable`.
  ///
  /// It must be, or one thread makes all calls.
  public static func unchecked(
    _ name: String = "lazy object", _ make: @escaping @Sendable () throws -> Target
  ) -> LazySource {
    LazySource(name, of: nil) { _ in try make() }
  }

  /// Creates a source whose target ends with a container.
  init(
    _ name: String, of services: ContainerServices?,
    _ make: @escaping @Sendable (Belongings) throws -> Target
  ) {
    self.name = name
    disposals = services?.disposals
    container = services?.container
    self.make = make
  }

  /// Whether the target is built.
  public var isMaterialized: Bool { cell.isReady }

  /// How calls borrow the target, once it is built.
  public var targetAccess: TargetAccess<Target>? { kept }

  /// The target, built if it was not.
  public func target() throws -> Target {
    if let borrowed = kept.borrowed { return borrowed.call(for: self) { $0 } }
    return try built()
  }

  private func built() throws -> Target {
    var made: Target?
    do {
      try cell.run(for: name) {
        if let make {
          let belongings = Belongings()
          let target = try belongings.filled(by: make, endingBy: container)
          made = target
          keep(belongings)
          kept.open(to: target)
        }
        make = nil
      }
    } catch {
      if let made { abandon(made) }
      throw error
    }
    if let borrowed = kept.borrowed { return borrowed.call(for: self) { $0 } }
    throw ContainerError(.containerReleased(name), getting: name)
  }

  private func keep(_ belongings: Belongings) {
    let items = Ending(items: belongings.items)
    self.belongings.withLock { $0 = items }
  }

  /// Ends what was built for a container that was closed meanwhile.
  private func abandon(_ target: Target) {
    kept.close()
    disposals?.abandon(target, named: name)
    for item in endedBelongings().endings { disposals?.abandon(item.object, named: item.name) }
  }

  // MARK: - The end

  fileprivate var existing: Any? { cell.isReady ? kept.borrowed?.call(for: self) { $0 } : nil }

  fileprivate var existingBelongings: [Belongings.Item] { belongings.withLock { $0 }.items }

  fileprivate func seal() { cell.seal() }

  fileprivate func close() {
    cell.close()
    kept.close()
    _ = endedBelongings()
  }

  private func endedBelongings() -> [Belongings.Item] {
    belongings.withLock { belongings in
      let items = belongings
      belongings = Ending()
      return items
    }.items
  }
}

/// What ends with the target of a source.
///
/// Sendable by argument: the target is, and these were made for it alone.
private struct Ending: @unchecked Sendable {
  var items: [Belongings.Item] = []
}

// What a container does with the target that it keeps, disposes of and ends.
extension ForwardingProxy {
  /// The source, where the container that disposes of things this way made it and keeps its target.
  private func source(keptBy owner: Disposals) -> LazySource<Target>? {
    guard let source = _source as? LazySource<Target>, source.disposals === owner else {
      return nil
    }
    return source
  }

  /// The target that a container keeps: nil where it keeps none, an inner nil where none is built.
  func target(keptBy owner: Disposals) -> Any?? { source(keptBy: owner).map(\.existing) }

  /// What ends with the target that a container keeps.
  func belongings(keptBy owner: Disposals) -> [Belongings.Item] {
    source(keptBy: owner)?.existingBelongings ?? []
  }

  /// Ends the building of a target that a container keeps.
  func sealTarget(keptBy owner: Disposals) { source(keptBy: owner)?.seal() }

  /// Ends the borrowing of a target that a container keeps; calls that have begun keep it.
  func closeTarget(keptBy owner: Disposals) { source(keptBy: owner)?.close() }
}
