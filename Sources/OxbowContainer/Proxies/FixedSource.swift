/// The source of a proxy whose target stands from the beginning and never changes.
///
/// All threads use the one target, so its class must be `Sendable` even where its protocol is not;
/// whoever creates a source answers for it.
public struct FixedSource<Target>: ProxySource {
  /// What lends the target to calls.
  public let lender: TargetLender<Target>?

  // Sendable by argument, see the type.
  private nonisolated(unsafe) let stored: Target

  /// Creates a source of one target.
  public init(_ target: Target) {
    let lender = TargetLender<Target>()
    lender.lend(target)
    self.lender = lender
    stored = target
  }

  /// The target.
  public func target() throws -> Target { stored }
}
