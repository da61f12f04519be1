public import OxbowModel

/// A request for rows of values instead of objects: some properties of each object, or one row for
/// each group of objects.
///
/// ```swift
/// let perAccount = try context.fetchRows(
///   RowRequest("Booking", ["account.number", "sum(amount) as total"],
///     having: FetchPredicate(format: "total > 100"), sortedBy: [.descending("total")]))
/// for row in perAccount { print(row["account.number"], row["total"]) }
/// ```
///
/// An aggregate among the columns makes groups of the other columns. Unsaved changes are included,
/// as if they were saved.
public struct RowRequest: Sendable {
  /// The name of the entity.
  public var entityName: String

  /// The columns of the result: Core Data's `propertiesToFetch`; none for all stored attributes.
  public var columns: [FetchColumn]

  /// The condition on objects, or `nil` for all.
  public var predicate: FetchPredicate?

  /// The keys of groups, or `nil` for the columns that are not aggregates.
  ///
  /// Core Data calls it `propertiesToGroupBy`. It may name more than the result has.
  public var groupedBy: [FetchColumn]?

  /// The condition on groups, whose paths are names of columns; aggregates are written as in the
  /// columns: Core Data's `havingPredicate`.
  public var having: FetchPredicate?

  /// The order, by columns of the result.
  ///
  /// Rows that compare equal follow in the order of their groups, or of the keys of their objects.
  public var order: [RowOrder]

  /// Whether equal rows are one row: Core Data's `returnsDistinctResults`.
  public var returnsDistinctResults = false

  /// The largest number of rows, or `nil`; a fetch refuses a negative one.
  public var limit: Int?

  /// The number of rows to skip; a fetch refuses a negative one.
  public var offset: Int

  /// Whether objects of entities below the entity are included.
  public var includesSubentities = true

  /// Whether unsaved changes count as if they were saved.
  public var includesPendingChanges = true

  /// Creates a request.
  public init(
    _ entityName: String, _ columns: [FetchColumn] = [], where predicate: FetchPredicate? = nil,
    groupedBy: [FetchColumn]? = nil, having: FetchPredicate? = nil,
    sortedBy order: [RowOrder] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.entityName = entityName
    self.columns = columns
    self.predicate = predicate
    self.groupedBy = groupedBy
    self.having = having
    self.order = order
    self.limit = limit
    self.offset = offset
  }
}
