internal import OxbowModel
internal import OxbowStore

// A fetch with unsaved changes. The store answers for all rows that the context has not changed;
// changed objects are checked in memory; both are sorted together, and only then limit and offset
// apply.

extension ManagedObjectContext {
  /// Whether unsaved changes can alter the result of a fetch.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownProperty`.
  func isDisturbed(_ fetch: StoreFetch) throws(PersistenceError) -> Bool {
    untieDeleted()
    guard !unsaved.isEmpty else { return false }
    guard changedObjects(of: fetch).isEmpty else { return true }
    return try !RelationshipChains(of: fetch, in: model).found.isEmpty
  }

  func mergedObjects(_ fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    if fetch.limit != nil || fetch.after != nil, isJoined(fetch) {
      let places = try mergedPlaces(of: fetch)
      let found = try objects(at: places, of: fetch)
      return places.compactMap { found[$0.key] }
    }
    let keys = try ranked(fetch)
    let changed = try changedMatches(of: fetch).matching
    let found = try unchangedObjects(fetch) + changed
    return Array(
      try sorted(found, by: keys, fetch).dropFirst(fetch.offset).prefix(fetch.limit ?? .max))
  }

  /// The changed objects of a fetch's entity, and those of them that it finds.
  func changedMatches(
    of fetch: StoreFetch
  ) throws(PersistenceError) -> (all: [ManagedObject], matching: [ManagedObject]) {
    try readChangedFaults(of: fetch)
    let changed = changedObjects(of: fetch)
    var matching: [ManagedObject] = []
    for object in changed where !object.isDeleted && !object.isFault {
      if try matches(object, fetch) { matching.append(object) }
    }
    return (changed, matching)
  }

  func mergedCount(_ fetch: StoreFetch) throws(PersistenceError) -> Int {
    let changed = try changedMatches(of: fetch)
    let affected = try affectedObjects(of: fetch)
    var all = unaffected(fetch, by: affected.all + changed.all.filter { !$0.isInserted })
    all.limit = nil
    all.offset = 0
    if fetch.after == nil { all.sortKeys = [] }
    let count = try store.count(of: all) + changed.matching.count + affected.matching.count
    return min(max(0, count - fetch.offset), fetch.limit ?? .max)
  }

  /// Reads the rows of faults whose links were changed; those that remain faults no longer exist in
  /// the store.
  private func readChangedFaults(of fetch: StoreFetch) throws(PersistenceError) {
    let faults = changedObjects(of: fetch).filter { $0.isFault && !$0.isDeleted }
    if !faults.isEmpty { _ = try read(faults) }
  }

  /// The unchanged objects of the store that the fetch may find first.
  ///
  /// Objects that other changes affect are checked in memory, and the store answers for the rest.
  private func unchangedObjects(_ fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    let affected = try affectedObjects(of: fetch)
    return try unchangedObjects(at: wider(fetch, without: affected.all)) + affected.matching
  }

  /// A fetch of so many that the first of them are unchanged, without the objects whose result
  /// other changes can alter.
  func wider(_ fetch: StoreFetch, without affected: [ManagedObject]) -> StoreFetch {
    var wider = unaffected(fetch, by: affected)
    wider.offset = 0
    wider.limit = fetch.limit.map {
      $0.saturating(adding: fetch.offset).saturating(adding: changedObjects(of: fetch).count)
    }
    return wider
  }

  /// A fetch without the objects whose result other changes can alter.
  ///
  /// They are left out by their keys: one that another writer moves in between would meet their
  /// condition in both statements, or in none.
  private func unaffected(_ fetch: StoreFetch, by affected: [ManagedObject]) -> StoreFetch {
    guard !affected.isEmpty else { return fetch }
    var rest = fetch
    let keys = FetchPredicate.isIn(.path([]), affected.map { .object($0.objectID) })
    rest.predicate = .and([fetch.predicate ?? .constant(true), .not(keys)])
    return rest
  }

  /// The unchanged objects whose result other changes can alter, and those of them that the fetch
  /// finds in memory.
  func affectedObjects(
    of fetch: StoreFetch
  ) throws(PersistenceError) -> (all: [ManagedObject], matching: [ManagedObject]) {
    guard let affected = try affected(by: fetch) else { return ([], []) }
    var request = StoreFetch(entity: fetch.entity)
    request.includesSubentities = fetch.includesSubentities
    request.predicate = affected
    let all = try unchangedObjects(at: request)
    var matching: [ManagedObject] = []
    for object in all where try matches(object, fetch) { matching.append(object) }
    return (all, matching)
  }

  /// The objects that the store finds and the context has not changed.
  private func unchangedObjects(at fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    var found: [ManagedObject] = []
    for slab in try store.rows(of: fetch, unless: knownRows(of: fetch.entity)) {
      for object in try register(slab) where object._state.isDisjoint(with: .changed) {
        found.append(object)
      }
    }
    return found
  }

  /// The changed objects of a fetch's entity, deleted ones included, each once.
  private func changedObjects(of fetch: StoreFetch) -> [ManagedObject] {
    let entity = model.entities[fetch.entity]
    let wanted = fetch.includesSubentities ? Set(entity.subtree) : [entity.index]
    return unsaved.objects.filter { wanted.contains($0.entityIndex) }
  }

  /// Whether an object in memory meets the condition of a fetch.
  func matches(_ object: ManagedObject, _ fetch: StoreFetch) throws(PersistenceError) -> Bool {
    let target = ObjectPredicateTarget(object: object)
    if let predicate = fetch.predicate, try !predicate.isTrue(for: target) { return false }
    guard let place = fetch.after else { return true }
    let (start, position) = (
      try fetch.sortKeys.position(at: place), try fetch.sortKeys.position(of: target)
    )
    return fetch.sortKeys.areInOrder(start, position, keysDescend: fetch.keysDescend)
      && start.hasFirstValue == position.hasFirstValue
  }

  /// Sorts objects by their places, as they would be in the store.
  private func sorted(
    _ objects: [ManagedObject], by keys: [OrderingTerm], _ fetch: StoreFetch
  ) throws(PersistenceError) -> [ManagedObject] {
    var places: [SortPlace] = []
    var found: [Int64: ManagedObject] = [:]
    for object in objects {
      places.append(try object.place(in: keys))
      found[object.key] = object
    }
    return try keys.sort(places, keysDescend: fetch.keysDescend).compactMap { found[$0.key] }
  }
}

extension Int {
  fileprivate func saturating(adding other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
