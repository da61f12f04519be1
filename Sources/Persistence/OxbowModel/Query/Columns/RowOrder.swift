/// One key of the order of rows: a column of the result, by its name or as it is written.
public struct RowOrder: Sendable, Hashable {
  /// The column.
  public let column: String

  /// Whether small values come first.
  public let isAscending: Bool

  /// How texts compare; without options by their bytes.
  public let comparison: TextOrder

  /// Creates a key for a column.
  public init(_ column: String, ascending: Bool = true, comparing comparison: TextOrder = []) {
    self.column = column
    isAscending = ascending
    self.comparison = comparison
  }

  /// A key that puts small values first.
  public static func ascending(
    _ column: String, comparing comparison: TextOrder = []
  ) -> RowOrder { RowOrder(column, comparing: comparison) }

  /// The objects first that meet the search for words of the condition best.
  ///
  /// The rank need not be a column of the result.
  public static var rank: RowOrder { RowOrder(OrderingTerm.rank) }

  /// A key that puts large values first.
  public static func descending(
    _ column: String, comparing comparison: TextOrder = []
  ) -> RowOrder { RowOrder(column, ascending: false, comparing: comparison) }
}
