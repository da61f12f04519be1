/// The source of a lazy proxy: one target, built by the first call.
///
/// Threads that call while it is built wait and get the same target. A build that throws leaves the
/// source empty, so that the next call tries again. Afterwards a call costs one acquiring load.
///
/// All threads use the one target, so its class must be `Sendable` even where its protocol is not. The
/// container checks that of its own definitions, and `PProxy.lazy(_:)`, which `@Proxied` writes, asks
/// for it.
public final class LazySource<Target>: ProxySource, @unchecked Sendable {
  // Sendable by argument: `make` is guarded by the cell; the lender publishes what it built.

  private let cell = OnceCell()
  private let name: String
  private var make: (@Sendable () throws -> Target)?
  private let kept = TargetLender<Target>()

  /// Creates a source that has built nothing yet.
  ///
  /// - Parameters:
  ///   - name: What is built, for messages.
  ///   - make: Builds the target; released once it has succeeded.
  public convenience init(
    _ name: String = "lazy object", _ make: @escaping @Sendable () throws -> Target
  ) where Target: Sendable {
    self.init(answeredFor: make, name)
  }

  /// Returns a source of a target that the compiler does not know to be `Sendable`.
  ///
  /// It must be, or one thread makes all calls.
  public static func unchecked(
    _ name: String = "lazy object", _ make: @escaping @Sendable () throws -> Target
  ) -> LazySource {
    LazySource(answeredFor: make, name)
  }

  private init(answeredFor make: @escaping @Sendable () throws -> Target, _ name: String) {
    self.name = name
    self.make = make
  }

  /// Whether the target stands.
  public var isMaterialized: Bool { cell.isReady }

  /// What lends the target to calls, once it stands.
  public var lender: TargetLender<Target>? { kept }

  /// The target, built if it was not.
  public func target() throws -> Target {
    if let lent = kept.lent { return lent.call(for: self) { $0 } }
    return try built()
  }

  private func built() throws -> Target {
    try cell.run(for: name) {
      if let make { kept.lend(try make()) }
      make = nil
    }
    if let lent = kept.lent { return lent.call(for: self) { $0 } }
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }
}
