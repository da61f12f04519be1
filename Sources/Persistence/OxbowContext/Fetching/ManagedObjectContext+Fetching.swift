public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the objects that meet a request, unsaved changes included.
  ///
  /// - Throws: ``PersistenceError``: `invalidPredicate` or `unknownProperty` for what the model
  ///   does not have, and for a negative limit or offset, `invalidStoredValue` for a row that does
  ///   not fit the model, why the store could not be read, and any error that a getter has recorded
  ///   before.
  /// - Complexity: One request to the store, and one for each level that is prefetched.
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws(PersistenceError) -> [T] {
    try begin("fetch")
    defer { confirmObserved() }
    let fetch = try storeFetch(request)
    if hasGrown { sweep() }
    guard !request.prefetching.isEmpty else { return try objects(of: fetch, request) }
    let tree = try request.prefetching.tree()
    try check(tree, from: model.entities[fetch.entity])
    let objects = try objects(of: fetch, request)
    try prefetch(objects, tree)
    return objects
  }

  /// The objects of a fetch, without what is read ahead for them.
  func objects<T: ManagedObject>(
    of fetch: StoreFetch, _ request: FetchRequest<T>
  ) throws(PersistenceError) -> [T] {
    statistics.fetches += 1
    guard request.includesPendingChanges, try isDisturbed(fetch) else {
      // The store returns rows of the entities whose classes `storeFetch` found to be `T`, and
      // `register` an object of the row's entity; references to objects are alike in memory.
      return unsafeBitCast(
        try fetchFromStore(fetch, asFaults: !request.includesPropertyValues), to: [T].self)
    }
    return try mergedObjects(fetch).map { (object) throws(PersistenceError) in try typed(object) }
  }

  /// An object as one of a class.
  func typed<T: ManagedObject>(_ object: ManagedObject) throws(PersistenceError) -> T {
    guard let typed = object as? T else {
      throw PersistenceError(
        .classMismatch, "the object '\(object)' is a '\(type(of: object))', not a '\(T.self)'")
    }
    return typed
  }

  /// Returns the number of objects that meet a request, unsaved changes included.
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws(PersistenceError) -> Int {
    try begin("count")
    let fetch = try storeFetch(request)
    statistics.fetches += 1
    guard request.includesPendingChanges, try isDisturbed(fetch) else {
      return try store.count(of: fetch)
    }
    return try mergedCount(fetch)
  }

  /// Returns the IDs of the objects that meet a request, unsaved changes included, without reading
  /// their rows if possible.
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws(PersistenceError)
    -> [ManagedObjectID]
  {
    try begin("fetchIDs")
    let fetch = try storeFetch(request)
    statistics.fetches += 1
    guard request.includesPendingChanges, try isDisturbed(fetch) else {
      return coordinator.ids(of: try store.keys(of: fetch))
    }
    return try mergedObjects(fetch).map(\.objectID)
  }

  /// The entity of a request: the named one, or that of its class.
  private func entity<T: ManagedObject>(of request: FetchRequest<T>) throws(PersistenceError)
    -> CompiledEntity
  {
    guard let name = request.entityName else { return try entity(of: T.self) }
    let entity = try model.requireEntity(named: name)
    guard identity.types[entity.index] is T.Type else {
      throw PersistenceError(
        .classMismatch,
        "objects of the entity '\(name)' are '\(identity.types[entity.index])', not '\(T.self)'")
    }
    return entity
  }

  /// The store's form of a request.
  func storeFetch<T>(_ request: FetchRequest<T>) throws(PersistenceError) -> StoreFetch {
    if let limit = request.limit { try PersistenceError.require("limit", limit, atLeast: 0) }
    try PersistenceError.require("offset", request.offset, atLeast: 0)
    try request.predicate?.requireLimitedDepth()
    let entity = try entity(of: request)
    noteLookup(entity.index)
    var fetch = StoreFetch(entity: entity.index)
    fetch.includesSubentities = request.includesSubentities
    fetch.predicate = request.predicate
    fetch.sortKeys = try request.sortKeys.map { key throws(PersistenceError) in try key.term() }
    fetch.limit = request.limit
    fetch.offset = request.offset
    for concrete in entity.concrete where !(identity.types[concrete] is T.Type) {
      throw PersistenceError(
        .classMismatch,
        "objects of '\(model.entities[concrete].name)' are '\(identity.types[concrete])', not '\(T.self)'"
      )
    }
    return fetch
  }

  /// The fast path: no unsaved change can alter the result, so rows become objects as they come.
  private func fetchFromStore(
    _ fetch: StoreFetch, asFaults: Bool
  ) throws(PersistenceError) -> [ManagedObject] {
    let slabs =
      asFaults
      ? try store.keys(of: fetch)
      : try store.rows(of: fetch, unless: knownRows(of: fetch.entity))
    var objects: [ManagedObject] = []
    objects.reserveCapacity(slabs.reduce(0) { $0 + $1.count })
    let map = identity.maps[identity.roots[fetch.entity]]
    for slab in slabs {
      // While the context has only this fetch's objects, whose rows are all different, it has met
      // none of the slab's (docs/performance.md, M/fetch).
      try register(slab, isNew: map.count == objects.count, into: &objects)
    }
    return objects
  }
}
