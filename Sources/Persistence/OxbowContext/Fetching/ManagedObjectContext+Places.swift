internal import OxbowModel
internal import OxbowStore

// Which objects are the first ones in an order that follows relationships. An object at the other
// end may be newer in the store than in the context, and may be changed again at any moment; so one
// statement gives the keys of the rows together with the values that it has sorted them by.

extension ManagedObjectContext {
  /// Whether a fetch is in an order by values of other objects.
  func isJoined(_ fetch: StoreFetch) -> Bool {
    let entity = model.entities[fetch.entity]
    return fetch.sortKeys.contains { model.joiningParts($0.path, from: entity).count > 1 }
  }

  /// The places of what a fetch finds, in its order, unsaved changes included.
  func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    try isDisturbed(fetch) ? try mergedPlaces(of: fetch) : try store.places(of: fetch)
  }

  /// The store's places of the objects that no change of the context can alter, and those of memory
  /// for the others, together.
  func mergedPlaces(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    let keys = try ranked(fetch)
    let changed = try changedMatches(of: fetch)
    let apart = try affectedObjects(of: fetch)
    let hidden = Set(changed.all.map(\.key))
    var places = try store.places(of: wider(fetch, without: apart.all)).filter {
      !hidden.contains($0.key)
    }
    for object in changed.matching + apart.matching {
      places.append(try object.place(in: keys))
    }
    return Array(
      try keys.sort(places, keysDescend: fetch.keysDescend)
        .dropFirst(fetch.offset).prefix(fetch.limit ?? .max))
  }

  /// The objects at the places that a fetch has, with their rows, by key; those that are gone are
  /// not among them.
  func objects(
    at places: [SortPlace], of fetch: StoreFetch
  ) throws(PersistenceError) -> [Int64: ManagedObject] {
    let map = identity.maps[identity.roots[fetch.entity]]
    func isChanged(_ key: Int64) -> Bool { map[key]?._state.isDisjoint(with: .changed) == false }
    var rows = StoreFetch(entity: fetch.entity)
    rows.includesSubentities = fetch.includesSubentities
    rows.cancellation = fetch.cancellation
    let unchanged = places.map(\.key).filter { !isChanged($0) }
    rows.keys = unchanged
    var found: [Int64: ManagedObject] = [:]
    if !unchanged.isEmpty {
      for slab in try store.rows(of: rows, unless: knownRows(of: fetch.entity)) {
        for object in try register(slab) { found[object.key] = object }
      }
    }
    for place in places where isChanged(place.key) { found[place.key] = map[place.key] }
    return found
  }
}

extension ManagedObject {
  /// The place of the object in memory; NaN that was set counts as nil, as it will in the store.
  func place(in keys: [OrderingTerm]) throws(PersistenceError) -> SortPlace {
    var place = try keys.place(of: ObjectPredicateTarget(object: self))
    guard hasChanges else { return place }
    for index in place.values.indices where place.values[index]?.isNaN == true {
      let path = keys[index].path
      let property = path.count == 1 ? entity.property(named: path[0]) : nil
      if property.map(hasStoredNaN) == true { continue }
      place.values[index] = nil
    }
    return place
  }
}
