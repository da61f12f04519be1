public import OxbowFoundation
public import OxbowModel

extension ManagedObjectContext {
  /// Returns one value for each group of objects of a class, unsaved changes included as if they
  /// were saved.
  ///
  /// ```swift
  /// let sums = try context.aggregate(Booking.self, where: .greater("amount", 0)) {
  ///   (account: $0.key(\.account?.number), month: $0.month(\.date), sum: $0.sum(\.amount))
  /// }
  /// for line in sums { print(line.account ?? "none", line.month, line.sum) }
  /// ```
  ///
  /// Objects with the same keys make a group; without keys, all objects are one group, also when
  /// there are none. Groups follow in the order of their keys unless `order` says otherwise.
  ///
  /// The predicate is about objects; `having`, the order, the limit and the offset about groups.
  /// `row` is called once more, with stand-ins, to find out what it reads.
  ///
  /// - Throws: ``PersistenceError`` as ``fetchRows(_:)``; `invalidStoredValue` for a value of
  ///   another type, and for a path without `?` if a group has no value.
  /// - Complexity: One request to the store.
  public func aggregate<T: ManagedObject & ModelObject, Row>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    having: ((GroupTerms<T>) -> FetchPredicate)? = nil,
    sortedBy order: ((GroupTerms<T>) -> [RowOrder])? = nil, limit: Int? = nil, offset: Int = 0,
    includesPendingChanges: Bool = true, _ row: (GroupReader<T>) -> Row
  ) throws(PersistenceError) -> [Row] {
    try begin("aggregate")
    let entity = try entity(of: type).name
    let reader = GroupReader<T>()
    var request = try reader.request(entity, having, order, row)
    request.predicate = predicate
    request.limit = limit
    request.offset = offset
    request.includesPendingChanges = includesPendingChanges
    return try reader.read(try rows(of: request).all, row)
  }

  /// Returns one value for each group of the objects that meet a `#Predicate`, unsaved changes
  /// included as if they were saved.
  ///
  /// - Throws: ``PersistenceError`` as with a `FetchPredicate`, and `unsupported` for a condition
  ///   that a store cannot answer.
  public func aggregate<T: ManagedObject & ModelObject, Row>(
    _ type: T.Type, where predicate: Predicate<T>,
    having: ((GroupTerms<T>) -> FetchPredicate)? = nil,
    sortedBy order: ((GroupTerms<T>) -> [RowOrder])? = nil, limit: Int? = nil, offset: Int = 0,
    includesPendingChanges: Bool = true, _ row: (GroupReader<T>) -> Row
  ) throws(PersistenceError) -> [Row] {
    try aggregate(
      type, where: try FetchPredicate(predicate), having: having, sortedBy: order, limit: limit,
      offset: offset, includesPendingChanges: includesPendingChanges, row)
  }
}

extension GroupReader {
  /// Calls the closure with stand-ins and returns the request that answers it.
  func request<Row>(
    _ entity: String, _ having: ((GroupTerms<Entity>) -> FetchPredicate)?,
    _ order: ((GroupTerms<Entity>) -> [RowOrder])?, _ row: (GroupReader) -> Row
  ) throws(PersistenceError) -> RowRequest {
    _ = row(self)
    if let error { throw error }
    let terms = GroupTerms<Entity>()
    var request = RowRequest(entity, columns)
    // Keys alone make groups too.
    request.groupedBy = keys
    request.having = having?(terms)
    request.order = order?(terms) ?? []
    if let error = terms.error { throw error }
    return request
  }

  func read<Row>(
    _ rows: [FetchedRow], _ row: (GroupReader) -> Row
  ) throws(PersistenceError) -> [Row] {
    var result: [Row] = []
    result.reserveCapacity(rows.count)
    for fetched in rows {
      begin(fetched)
      result.append(row(self))
      if let error { throw error }
    }
    return result
  }
}
