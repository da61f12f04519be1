public import OxbowModel

// Names of Core Data that differ here, so that the compiler says which to use.

extension FetchRequest {
  /// Renamed: ``limit``.
  @available(*, unavailable, renamed: "limit")
  public var fetchLimit: Int {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``offset``.
  @available(*, unavailable, renamed: "offset")
  public var fetchOffset: Int {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``sortKeys``.
  @available(
    *, unavailable, message: "an order has keys: 'request.sortKeys = [.ascending(\\.title)]'"
  )
  public var sortDescriptors: [SortKey<Result>]? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``prefetching``.
  @available(
    *, unavailable, message: "write 'request.prefetching = [\\.author]', or '.named(\"author\")'"
  )
  public var relationshipKeyPathsForPrefetching: [String]? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``init(entityNamed:where:sortedBy:limit:offset:prefetching:)``.
  @available(*, unavailable, renamed: "init(entityNamed:)")
  public init(entityName: String) { Refused.call() }

  /// Renamed: ``ManagedObjectContext/fetch(_:batchSize:)``.
  @available(*, unavailable, message: "write 'try context.fetch(request, batchSize: 50)'")
  public var fetchBatchSize: Int {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``includesPropertyValues``.
  @available(
    *, unavailable,
    message:
      "rows are read with their objects; 'request.includesPropertyValues = false' gives faults"
  )
  public var returnsObjectsAsFaults: Bool {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``ManagedObjectContext/fetchIDs(_:)``, ``ManagedObjectContext/fetchRows(_:)``.
  @available(
    *, unavailable,
    message:
      "the call says what is wanted: 'context.fetch', 'fetchIDs', 'count', or 'fetchRows(RowRequest(…))' for values"
  )
  public var resultType: ResultType {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``RowRequest``.
  @available(
    *, unavailable,
    message: "write 'context.fetchRows(RowRequest(…))' for values, or 'context.aggregate' for sums"
  )
  public var propertiesToFetch: [Any]? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``RowRequest/groupedBy``.
  @available(*, unavailable, message: "write 'context.aggregate', or 'RowRequest' with 'groupedBy'")
  public var propertiesToGroupBy: [Any]? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``RowRequest/having``.
  @available(*, unavailable, message: "write 'RowRequest' with 'having'")
  public var havingPredicate: FetchPredicate? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``RowRequest/returnsDistinctResults``.
  @available(*, unavailable, message: "write 'RowRequest' with 'returnsDistinctResults'")
  public var returnsDistinctResults: Bool {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``ManagedObjectContext/refresh(_:)``.
  @available(
    *, unavailable,
    message: "call 'try context.refresh(object)' for the objects that must be read again"
  )
  public var shouldRefreshRefetchedObjects: Bool {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``ManagedObjectContext/fetch(_:)``.
  @available(*, unavailable, message: "write 'try context.fetch(request)'")
  public func execute() throws -> [Result] { Refused.call() }
}

extension FetchRequest {
  /// Refused: the kinds of results of Core Data's requests; see ``resultType``.
  public enum ResultType {
    case managedObjectResultType, managedObjectIDResultType, dictionaryResultType, countResultType
  }
}

extension SortKey {
  /// Renamed: ``init(_:ascending:comparing:)``.
  @available(*, unavailable, message: "write 'SortKey(\"title\", ascending: true)'")
  public init(key: String?, ascending: Bool) { Refused.call() }
}
