/// The source of a proxy whose target stands from the beginning and never changes.
///
/// All threads use the one target, so its class must be `Sendable` even where its protocol is not:
/// `PProxy.fixed(_:)`, which `@Proxied` writes, asks for that.
public struct FixedSource<Target>: ProxySource {
  /// What lends the target to calls.
  public let lender: TargetLender<Target>?

  // Sendable by argument: the target is, or who called `unchecked` answers for it.
  private nonisolated(unsafe) let stored: Target

  /// Creates a source of one target.
  public init(_ target: Target) where Target: Sendable { self.init(answeredFor: target) }

  /// Returns a source of one target that the compiler does not know to be `Sendable`.
  ///
  /// It must be, or one thread makes all calls.
  public static func unchecked(_ target: Target) -> FixedSource { FixedSource(answeredFor: target) }

  private init(answeredFor target: Target) {
    let lender = TargetLender<Target>()
    lender.lend(target)
    self.lender = lender
    stored = target
  }

  /// The target.
  public func target() throws -> Target { stored }
}
