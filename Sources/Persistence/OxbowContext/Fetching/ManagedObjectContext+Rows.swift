public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns rows of values, unsaved changes included as if they were saved.
  ///
  /// The store answers if no unsaved change can matter; otherwise the objects are asked in memory.
  ///
  /// - Throws: ``PersistenceError``: `invalidPredicate`, `unknownProperty` or `unknownEntity` for
  ///   what the model does not have, `invalidPredicate` for a sum without a result, why the store
  ///   could not be read, and any recorded error of a getter.
  public func fetchRows(_ request: RowRequest) throws(PersistenceError) -> [FetchedRow] {
    try begin("fetchRows")
    return try rows(of: request).all
  }

  func rows(of request: RowRequest) throws(PersistenceError) -> FetchedRows {
    if let limit = request.limit { try PersistenceError.require("limit", limit, atLeast: 0) }
    try PersistenceError.require("offset", request.offset, atLeast: 0)
    let entity = try model.requireEntity(named: request.entityName)
    var query = try ColumnQuery(
      entity: entity.index, columns: columns(of: request, entity), groupedBy: request.groupedBy,
      having: request.having, sortedBy: request.order,
      isDistinct: request.returnsDistinctResults)
    query.includesSubentities = request.includesSubentities
    query.predicate = request.predicate
    query.limit = request.limit
    query.offset = request.offset
    statistics.fetches += 1
    let names = query.columns.prefix(query.visibleCount).map(\.name)
    return FetchedRows(
      names, request.includesPendingChanges ? try rows(of: query) : try store.rows(of: query))
  }

  /// The columns that a request names, or all stored attributes.
  private func columns(of request: RowRequest, _ entity: CompiledEntity) -> [FetchColumn] {
    guard request.columns.isEmpty, request.groupedBy == nil else { return request.columns }
    return entity.properties.filter { $0.attribute != nil && $0.slot >= 0 && !$0.isComposite }
      .map { FetchColumn($0.name) }
  }

  /// The rows of a query, unsaved changes included.
  func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    noteLookup(query.entity)
    return try isDisturbed(query) ? try mergedRows(query) : try store.rows(of: query)
  }

  private func isDisturbed(_ query: ColumnQuery) throws(PersistenceError) -> Bool {
    let fetch = objects(of: query)
    if try isDisturbed(fetch) { return true }
    guard !unsaved.isEmpty else { return false }
    let values = query.columns.compactMap(\.expression.source)
    return try !RelationshipChains(of: fetch, values, in: model).found.isEmpty
  }

  /// The objects that a query reads.
  private func objects(of query: ColumnQuery) -> StoreFetch {
    var fetch = StoreFetch(entity: query.entity)
    fetch.includesSubentities = query.includesSubentities
    fetch.predicate = query.predicate
    return fetch
  }

  /// The rows with unsaved changes, from objects in memory.
  private func mergedRows(_ query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    let types = try store.check(query)
    if let rows = try combinedRows(query, types) { return rows }
    if hasGrown { sweep() }
    let targets = try mergedObjects(objects(of: query)).map { ObjectPredicateTarget(object: $0) }
    return try ranked(query).rows(of: targets, types: types, in: model)
  }

  /// The store's rows for the unchanged objects, combined with those of memory for the others;
  /// `nil` if that is not the result for all.
  private func combinedRows(
    _ query: ColumnQuery, _ types: [AttributeType]
  ) throws(PersistenceError) -> ColumnRows? {
    let fetch = objects(of: query)
    let values = query.columns.compactMap(\.expression.source)
    guard var rest = query.parts(types),
      try RelationshipChains(of: fetch, values, in: model).found.isEmpty
    else { return nil }
    let changed = try changedMatches(of: fetch)
    let ids = changed.all.filter { !$0.isInserted }.map { FetchValue.object($0.objectID) }
    rest.predicate = .and([query.predicate ?? .constant(true), .not(.isIn(.path([]), ids))])
    do throws(PersistenceError) {
      let mine = try rest.rows(
        of: changed.matching.map { ObjectPredicateTarget(object: $0) }, types: types, in: model)
      return try query.combined(try store.rows(of: rest), mine, types, in: model)
    } catch {
      // The sum of a part may be too large although the total is not.
      guard error.code == .invalidPredicate else { throw error }
      return nil
    }
  }
}
