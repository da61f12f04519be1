internal import OxbowModel
internal import OxbowStore

// The rows whose result unsaved changes of other objects can alter. A condition that follows
// relationships is altered for an object only if one of its chains of relationships meets a changed
// object or one with a changed link; the store can answer for all other objects.

extension ManagedObjectContext {
  /// The objects whose result in a fetch depends on a changed link or another changed object, as a
  /// condition for the store.
  ///
  /// - Returns: The condition, or `nil` if there are none. It is met by too many objects rather
  ///   than too few.
  func affected(by fetch: StoreFetch) throws(PersistenceError) -> FetchPredicate? {
    let entity = model.entities[fetch.entity]
    let chains = try RelationshipChains(of: fetch, in: model).found
    let touched = touchedObjects()
    guard !chains.isEmpty, !touched.isEmpty else { return nil }
    let conditions = [[]] + chains.sorted { $0.lexicographicallyPrecedes($1) }
    return .or(conditions.compactMap { meeting(touched, after: $0[...], from: entity) })
  }

  /// The objects with unsaved changes, and those at the other ends of changed links, by root
  /// entity.
  private func touchedObjects() -> [Int: Set<ObjectReference>] {
    var touched: [Int: Set<ObjectReference>] = [:]
    func touch(_ reference: ObjectReference) {
      touched[identity.roots[reference.entity], default: []].insert(reference)
    }
    for object in unsaved.objects {
      touch(object.reference)
      guard let links = object.links else { continue }
      for property in object.entity.relationships {
        switch links[property.index] {
        case .object(let other): touch(other)
        case .collection(let state):
          state.added.forEach(touch)
          state.removed.forEach(touch)
        case .unchanged, .null, .attribute, .increment, .memory: break
        }
      }
    }
    return touched
  }

  /// The condition that a chain of relationships leads to a touched object, or `nil` if none has
  /// the entity at its end.
  private func meeting(
    _ touched: [Int: Set<ObjectReference>], after chain: ArraySlice<String>,
    from start: CompiledEntity
  ) -> FetchPredicate? {
    var entity = start
    for (index, name) in zip(chain.indices, chain) {
      guard let relationship = entity.property(named: name)?.relationship else { return nil }
      entity = model.entities[relationship.destination]
      guard relationship.isToMany else { continue }
      return meeting(touched, after: chain[(index + 1)...], from: entity).map {
        .any(path: Array(chain[...index]), $0)
      }
    }
    return touched[entity.root].map { objects in
      .isIn(.path(Array(chain)), objects.map { .object(coordinator.id(of: $0)) })
    }
  }
}
