// The names of Core Data that are others here, so that the compiler says which.

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
}
