public import OxbowModel
internal import OxbowStore

// Parts of a result that begin at a place in the order, and not at a number of objects. What has no
// value for the first sort key is one block of the order, and the rest another: a statement reads
// one of them, so that an index can answer it, and a slice that reaches the end of a block goes on
// in the other one.

extension ManagedObjectContext {
  /// Returns a part of what a request finds, unsaved changes included: the first `limit` objects,
  /// or those where a token of another part says.
  ///
  /// ```swift
  /// let first = try context.slice(request, limit: 50)
  /// let second = try context.slice(request, after: first.next, limit: 50)
  /// ```
  ///
  /// The order is that of the sort keys, and then of object keys: with any sort keys but `rank`,
  /// objects are in exactly one slice while nothing changes. An object that is changed meanwhile is
  /// found where it is then.
  ///
  /// - Parameters:
  ///   - request: What is asked; `limit` and `offset` are left out.
  ///   - token: `next` or `previous` of another slice of this request; `nil` for the first slice.
  ///   - limit: The largest number of objects.
  /// - Returns: The objects, and the tokens of the slices beside them.
  /// - Throws: ``PersistenceError`` as ``fetch(_:)``; `pageTokenForeign` for a token of another
  ///   request; `invalidPredicate` for a limit that is not positive, a request with a limit or an
  ///   offset, and the order of ranks.
  /// - Complexity: One request to the store; two if a sort key follows a relationship or unsaved
  ///   changes are left out; and as many again where the slice has objects with and without a value
  ///   for the first sort key.
  public func slice<T: ManagedObject>(
    _ request: FetchRequest<T>, after token: PageToken? = nil, limit: Int
  ) throws(PersistenceError) -> FetchedSlice<T> {
    try begin("slice")
    defer { confirmObserved() }
    try PersistenceError.require("limit", limit, atLeast: 1)
    var request = request
    request.includesPropertyValues = true
    var fetch = try storeFetch(request)
    let tree = try request.prefetching.tree()
    try check(tree, from: model.entities[fetch.entity])
    let origin = try origin(of: fetch)
    if let token { try origin.require(token, fetch.sortKeys) }
    let isBackward = token?.isBackward == true
    if isBackward { fetch.reverse() }
    fetch.limit = limit == .max ? limit : limit + 1
    fetch.after = token?.place
    if hasGrown { sweep() }
    let found = try objects(inBlocksOf: fetch, request)
    let placed = found.prefix(limit)
    let items = placed.compactMap(\.object)
    try prefetch(items, tree)
    let far = found.count > limit ? try placed.last?.place(in: fetch.sortKeys) : nil
    var near = token != nil ? try placed.first?.place(in: fetch.sortKeys) : nil
    if placed.isEmpty { near = token?.place.included(isBackward: isBackward) }
    let onward = far.map { PageToken(isBackward: isBackward, origin: origin, place: $0) }
    let back = near.map { PageToken(isBackward: !isBackward, origin: origin, place: $0) }
    return isBackward
      ? FetchedSlice(items: items.reversed(), next: back, previous: onward)
      : FetchedSlice(items: items, next: onward, previous: back)
  }

  /// What a token of a fetch is made for.
  private func origin(of fetch: StoreFetch) throws(PersistenceError) -> SliceOrigin {
    guard fetch.limit == nil, fetch.offset == 0 else {
      throw PersistenceError(
        .invalidPredicate,
        "a slice has its size from 'limit:' and its beginning from its token; leave out 'limit' and "
          + "'offset' of the request")
    }
    guard !fetch.sortKeys.haveRank else {
      throw PersistenceError(
        .invalidPredicate,
        "a slice cannot be in the order of ranks, which all change with each text that is saved; "
          + "fetch with a limit and an offset")
    }
    let entity = model.entities[fetch.entity]
    let order = fetch.sortKeys.map { key in
      "\(key.path.joined(separator: ".")) \(key.isAscending) \(key.comparison.collation) "
        + (key.comparison.language ?? "")
    }
    return SliceOrigin(
      store: store.identifier(of: fetch.entity),
      order: ([entity.name, "\(fetch.includesSubentities)"] + order).joined(separator: "\n"),
      condition: try fetch.predicate.map { (condition) throws(PersistenceError) in
        "\(try condition.withSortedLists())"
      } ?? "")
  }

  /// The objects behind the place of a fetch, in its block of the order and in the one behind it.
  private func objects<T: ManagedObject>(
    inBlocksOf fetch: StoreFetch, _ request: FetchRequest<T>
  ) throws(PersistenceError) -> [PlacedObject<T>] {
    let found = try placedObjects(of: fetch, request)
    guard let limit = fetch.limit, found.count < limit, let rest = fetch.nextBlock(in: model)
    else { return found }
    // What moved from one block to the other between the statements is where it was first. It takes
    // no place from others, whose absence would end the order.
    let known = Set(found.map(\.key))
    return found + (try placedObjects(of: rest, request)).filter { !known.contains($0.key) }
  }

  /// The objects of a fetch, with the places that the store has for them where the context may have
  /// other ones.
  private func placedObjects<T: ManagedObject>(
    of fetch: StoreFetch, _ request: FetchRequest<T>
  ) throws(PersistenceError) -> [PlacedObject<T>] {
    guard isJoined(fetch) || !request.includesPendingChanges else {
      return try objects(of: fetch, request).map {
        PlacedObject(key: $0.key, object: $0, knownPlace: nil)
      }
    }
    statistics.fetches += 1
    let places =
      request.includesPendingChanges ? try self.places(of: fetch) : try store.places(of: fetch)
    let found = try objects(at: places, of: fetch)
    var placed: [PlacedObject<T>] = []
    for place in places {
      var object: T?
      if let found = found[place.key] { object = try typed(found) }
      placed.append(PlacedObject(key: place.key, object: object, knownPlace: place))
    }
    return placed
  }
}

/// An object of a slice, and where it is in the order.
private struct PlacedObject<Entity: ManagedObject> {
  let key: Int64

  /// The object; `nil` for one that was deleted after its place was read, which leaves a gap.
  let object: Entity?

  /// Where a fetch of places has it; `nil` where that is what the object has.
  let knownPlace: SortPlace?

  /// The place for a token.
  func place(in keys: [OrderingTerm]) throws(PersistenceError) -> SortPlace? {
    guard let object else { return knownPlace }
    let place = if let knownPlace { knownPlace } else { try object.place(in: keys) }
    try place.requireNumbers(of: object, keys)
    return place
  }
}

extension SortPlace {
  /// The place whose object is the first one of a slice in the other direction, if it is there.
  fileprivate func included(isBackward: Bool) -> SortPlace {
    SortPlace(
      values: values, key: isBackward ? max(key, .min + 1) - 1 : min(key, .max - 1) + 1)
  }

  /// Refuses NaN that a store has kept, as Core Data's do.
  fileprivate func requireNumbers(
    of object: ManagedObject, _ keys: [OrderingTerm]
  ) throws(PersistenceError) {
    guard let index = values.firstIndex(where: { $0?.isNaN == true }) else { return }
    throw PersistenceError(
      .unsupported,
      "'\(keys[index].path.joined(separator: "."))' of '\(object)' is not a number in the store, "
        + "and a slice cannot begin there; leave such objects out of the condition",
      objectIDs: [object.objectID])
  }
}

extension StoreFetch {
  /// Turns the order around.
  fileprivate mutating func reverse() {
    sortKeys = sortKeys.map {
      OrderingTerm(path: $0.path, ascending: !$0.isAscending, comparing: $0.comparison)
    }
    keysDescend.toggle()
  }

  /// All of the block behind that of the place, or `nil` if the block of the place is the last one.
  ///
  /// A fetch without a place has both.
  fileprivate func nextBlock(in model: CompiledModel) -> StoreFetch? {
    guard let after, let first = sortKeys.first, let value = after.values.first,
      (value == nil) == first.isAscending
    else { return nil }
    let attribute = model.entities[entity].property(named: first.path[0])
    if value != nil, first.path.count == 1, attribute?.mayBeEmpty == false { return nil }
    var rest = self
    rest.after = nil
    let presence = FetchPredicate.comparison(
      .path(first.path), value == nil ? .notEqual : .equal, .value(.null))
    rest.predicate = predicate.map { .and([$0, presence]) } ?? presence
    return rest
  }
}
