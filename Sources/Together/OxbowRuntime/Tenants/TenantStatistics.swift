/// How many stores of tenants are open, and what has become of others.
public struct TenantStatistics: Sendable, Hashable {
  /// The stores that are open now, those included that are being opened or closed.
  public internal(set) var open = 0

  /// The stores that are used now: they are not closed.
  public internal(set) var used = 0

  /// The callers that wait now, for a store that is being opened or for a place.
  public internal(set) var waiting = 0

  /// How often a store was opened.
  public internal(set) var opened = 0

  /// How often a store was closed because another one needed its place.
  public internal(set) var evicted = 0

  /// Creates statistics of nothing.
  public init() {}
}
