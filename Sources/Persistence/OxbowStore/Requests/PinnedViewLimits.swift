/// How long a context may read one moment of its store, and how much the store may grow meanwhile.
///
/// While somebody reads an old moment, the store's write-ahead log cannot begin again: what others
/// save is appended to it. So a view ends at whichever limit comes first, and what is read from it
/// after that throws `viewEnded`.
public struct PinnedViewLimits: Sendable, Hashable {
  /// How old the view may become.
  public var age: Duration

  /// How many bytes the write-ahead log may have.
  public var logBytes: Int

  /// Creates limits: ten minutes and 256 MiB, unless said otherwise.
  public init(age: Duration = .seconds(600), logBytes: Int = 256 << 20) {
    self.age = age
    self.logBytes = logBytes
  }
}
