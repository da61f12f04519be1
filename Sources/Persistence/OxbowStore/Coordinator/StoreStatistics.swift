/// Counts of what a store has done since it was opened, and its size.
///
/// Stores of one process with the same file share its connections, and so its counts.
///
/// ```swift
/// let before = coordinator.statistics
/// try report()
/// #expect(coordinator.statistics.since(before).rowsScanned == 0)  // an index led to every row
/// ```
public struct StoreStatistics: Sendable, Hashable {
  /// The statements that were run, those that begin and end transactions included.
  public var statements = 0

  /// The rows that statements have given: of objects, keys, values and groups.
  public var rowsRead = 0

  /// The rows that SQLite looked at one after the other, because no index led to them.
  public var rowsScanned = 0

  /// The saves that were written.
  public var saves = 0

  /// The transactions that were committed; saves of several threads may share one.
  public var commits = 0

  /// The size of the database, in bytes; 0 in memory.
  public var databaseBytes = 0

  /// The size of the write-ahead log's file, in bytes.
  public var logBytes = 0

  /// Creates statistics of nothing.
  public init() {}

  /// The counts since an earlier moment; the sizes are those of now.
  public func since(_ earlier: StoreStatistics) -> StoreStatistics {
    var difference = self
    for count in Self.counts { difference[keyPath: count] -= earlier[keyPath: count] }
    return difference
  }

  static func + (a: StoreStatistics, b: StoreStatistics) -> StoreStatistics {
    var sum = a
    for count in counts + [\.databaseBytes, \.logBytes] {
      sum[keyPath: count] += b[keyPath: count]
    }
    return sum
  }

  private static var counts: [WritableKeyPath<StoreStatistics, Int>] {
    [\.statements, \.rowsRead, \.rowsScanned, \.saves, \.commits]
  }
}
