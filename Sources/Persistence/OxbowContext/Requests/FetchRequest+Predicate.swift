public import OxbowFoundation
public import OxbowModel

extension FetchRequest where Result: ModelObject {
  /// Creates a request for the objects that meet a `#Predicate`.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` or `unsupported`, naming the part
  ///   that a store cannot answer.
  public init(
    where predicate: Predicate<Result>, sortedBy sortKeys: [SortKey<Result>] = [],
    limit: Int? = nil, offset: Int = 0, prefetching: PrefetchPaths<Result> = PrefetchPaths()
  ) throws(PersistenceError) {
    self.init(
      where: try FetchPredicate(predicate), sortedBy: sortKeys, limit: limit, offset: offset,
      prefetching: prefetching)
  }
}
