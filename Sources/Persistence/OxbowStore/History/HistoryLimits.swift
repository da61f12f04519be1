/// How much of a store's history is kept.
///
/// Nothing goes before a limit is reached; then the oldest saves go, and a consumer that has not
/// seen them gets a ``HistoryGap``. The program that writes looks after it, at most once a minute.
/// To remove what all consumers have seen earlier than that, call
/// `PersistentStoreCoordinator.deleteHistory(before:force:)`.
public struct HistoryLimits: Sendable, Hashable {
  /// The age in days up to which saves are kept.
  public var days: Int

  /// The size in bytes up to which saves are kept.
  public var bytes: Int

  /// Creates limits: 30 days, and one gigabyte.
  public init(days: Int = 30, bytes: Int = 1 << 30) {
    self.days = max(0, days)
    self.bytes = max(0, bytes)
  }
}
