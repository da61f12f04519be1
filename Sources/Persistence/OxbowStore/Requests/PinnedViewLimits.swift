/// How long a context may read one moment of its store, and how much the store may grow meanwhile.
///
/// While a context reads an old moment, the store's write-ahead log cannot restart: saves are
/// appended to it, and a server keeps all rows of before. So a view ends at the first limit, and
/// later reads throw `viewEnded`.
public struct PinnedViewLimits: Sendable, Hashable {
  /// The greatest age of the view.
  public var age: Duration

  /// The greatest size of the write-ahead log, in bytes, of a store in a file.
  public var logBytes: Int

  /// Creates limits, by default ten minutes and 256 MiB.
  public init(age: Duration = .seconds(600), logBytes: Int = 256 << 20) {
    self.age = age
    self.logBytes = logBytes
  }
}
