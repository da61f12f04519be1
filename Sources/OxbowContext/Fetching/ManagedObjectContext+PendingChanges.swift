internal import OxbowModel
internal import OxbowStore

// A fetch while there are unsaved changes. The store answers for all rows that the context has not
// changed; changed objects are asked in memory; both are put in order, and only then limit and
// offset apply.

extension ManagedObjectContext {
  /// Whether unsaved changes can alter what a fetch finds.
  ///
  /// - Throws: ``PersistenceError`` for a condition or an order that the store would refuse: what a
  ///   fetch may ask does not depend on unsaved changes.
  func isDisturbed(_ fetch: StoreFetch) throws(PersistenceError) -> Bool {
    removeLinksToDeleted()
    guard !unsaved.isEmpty else { return false }
    guard crossesRelationships(fetch) else { return !changedObjects(of: fetch).isEmpty }
    try coordinator.store.check(fetch)
    return true
  }

  /// The objects that a fetch finds, in its order.
  func mergedObjects(_ fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    try readChangedFaults(of: fetch)
    var found = try unchangedObjects(fetch)
    for object in changedObjects(of: fetch) where !object.isDeleted && !object.isFault {
      if try matches(object, fetch) { found.append(object) }
    }
    return Array(
      try sorted(found, by: fetch.sortKeys).dropFirst(fetch.offset).prefix(fetch.limit ?? .max))
  }

  /// The number of objects that a fetch finds.
  func mergedCount(_ fetch: StoreFetch) throws(PersistenceError) -> Int {
    if crossesRelationships(fetch) { return try mergedObjects(fetch).count }
    try readChangedFaults(of: fetch)
    let changed = changedObjects(of: fetch)
    var all = fetch
    all.limit = nil
    all.offset = 0
    all.sortKeys = []
    var count = try coordinator.store.count(of: all)
    all.predicate = .and([
      fetch.predicate ?? .constant(true),
      .isIn(.path([]), changed.filter { !$0.isInserted }.map { .object($0.objectID) }),
    ])
    count -= try coordinator.store.count(of: all)
    for object in changed where !object.isDeleted && !object.isFault {
      if try matches(object, fetch) { count += 1 }
    }
    return min(max(0, count - fetch.offset), fetch.limit ?? .max)
  }

  /// Reads the rows of faults whose links were changed: what remains a fault is no longer in the
  /// store.
  private func readChangedFaults(of fetch: StoreFetch) throws(PersistenceError) {
    let faults = changedObjects(of: fetch).filter { $0.isFault && !$0.isDeleted }
    if !faults.isEmpty { _ = try read(faults) }
  }

  /// The objects of the store that the context has not changed and that the fetch may find first.
  ///
  /// A condition or an order that follows relationships can be altered by changes to other objects,
  /// so then all rows are read and asked in memory: the slow path, and the right one.
  private func unchangedObjects(_ fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    var wider = fetch
    wider.offset = 0
    let crosses = crossesRelationships(fetch)
    if crosses {
      wider.predicate = nil
      wider.sortKeys = []
      wider.limit = nil
    } else {
      wider.limit = fetch.limit.map {
        $0.saturating(adding: fetch.offset).saturating(adding: changedObjects(of: fetch).count)
      }
    }
    var found: [ManagedObject] = []
    for slab in try coordinator.store.rows(of: wider) {
      for object in try register(slab) where object._state.isDisjoint(with: .changed) {
        if crosses, try !matches(object, fetch) { continue }
        found.append(object)
      }
    }
    return found
  }

  /// The changed objects of the entity of a fetch, deleted ones included, each once.
  private func changedObjects(of fetch: StoreFetch) -> [ManagedObject] {
    let entity = model.entities[fetch.entity]
    let wanted = fetch.includesSubentities ? Set(entity.subtree) : [entity.index]
    return unsaved.objects.filter { wanted.contains($0.entityIndex) }
  }

  private func crossesRelationships(_ fetch: StoreFetch) -> Bool {
    fetch.sortKeys.contains { $0.path.count > 1 } || fetch.predicate?.followsRelationships == true
  }

  private func matches(_ object: ManagedObject, _ fetch: StoreFetch) throws(PersistenceError)
    -> Bool
  {
    guard let predicate = fetch.predicate else { return true }
    return try predicate.isTrue(for: ObjectPredicateTarget(object: object))
  }

  /// Objects in the order of the keys, then of their object keys.
  private func sorted(_ objects: [ManagedObject], by keys: [OrderingTerm]) throws(PersistenceError)
    -> [ManagedObject]
  {
    try keys.sort(objects.map { ObjectPredicateTarget(object: $0) }).map(\.object)
  }
}

extension Int {
  fileprivate func saturating(adding other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
