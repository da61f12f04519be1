public import OxbowFoundation
public import OxbowModel

extension ObjectContext {
  /// Returns one value for each group of objects of a class, unsaved changes included.
  @available(*, noasync, message: "use perform { context in … }")
  public func aggregate<T: ManagedObject & ModelObject, Row>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    having: ((GroupTerms<T>) -> FetchPredicate)? = nil,
    sortedBy order: ((GroupTerms<T>) -> [RowOrder])? = nil, limit: Int? = nil, offset: Int = 0,
    includesPendingChanges: Bool = true, _ row: (GroupReader<T>) -> Row
  ) throws -> [Row] {
    let reader = GroupReader<T>()
    var request = try reader.request(T.entityName, having, order, row)
    request.predicate = predicate
    request.limit = limit
    request.offset = offset
    request.includesPendingChanges = includesPendingChanges
    return try reader.read(try fetchRows(request), row)
  }

  /// Returns one value for each group of the objects that meet a `#Predicate`, unsaved changes
  /// included.
  @available(*, noasync, message: "use perform { context in … }")
  public func aggregate<T: ManagedObject & ModelObject, Row>(
    _ type: T.Type, where predicate: Predicate<T>,
    having: ((GroupTerms<T>) -> FetchPredicate)? = nil,
    sortedBy order: ((GroupTerms<T>) -> [RowOrder])? = nil, limit: Int? = nil, offset: Int = 0,
    includesPendingChanges: Bool = true, _ row: (GroupReader<T>) -> Row
  ) throws -> [Row] {
    try aggregate(
      type, where: try FetchPredicate(predicate), having: having, sortedBy: order, limit: limit,
      offset: offset, includesPendingChanges: includesPendingChanges, row)
  }
}
