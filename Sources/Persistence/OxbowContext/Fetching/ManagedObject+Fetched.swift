public import OxbowModel
internal import OxbowStore

extension ManagedObject {
  /// Returns the objects of a fetched property: those that its condition finds for this object.
  ///
  /// ```swift
  /// let sequels: [Book] = try book.fetched("sequels", sortedBy: [.ascending(\.year)])
  /// ```
  ///
  /// Each call fetches; nothing is kept. Unsaved changes count, those of this object included.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` for a name that is not a fetched property of
  ///   the entity; `invalidPredicate`; `wrongOwner`; and as a fetch.
  public final func fetched<T: ManagedObject>(
    _ name: String, as type: T.Type = T.self, sortedBy sortKeys: [SortKey<T>] = []
  ) throws(PersistenceError) -> [T] {
    try requireContext("fetching '\(name)'")
    let property = try requireFetchedProperty(named: name)
    guard let context = token.context else { return [] }
    let target = ObjectPredicateTarget(object: self)
    let predicate = try property.predicate?.substituting(sources: [
      "FETCH_SOURCE": { path throws(PersistenceError) in try target.value(at: path) },
      "FETCHED_PROPERTY": { path throws(PersistenceError) in try property.value(at: path) },
    ])
    return try context.fetch(
      FetchRequest<T>(
        entityNamed: property.destination, where: predicate, sortedBy: sortKeys,
        limit: property.limit))
  }

  private final func requireFetchedProperty(
    named name: String
  ) throws(PersistenceError) -> FetchedPropertyDescription {
    let all = entity.lineage(in: _slab.model).flatMap(\.description.fetchedProperties)
    if let found = all.first(where: { $0.name == name }) { return found }
    let names = all.map(\.name)
    throw PersistenceError(
      .unknownProperty,
      "'\(entity.name)' has no fetched property '\(name)'; it has \(PersistenceError.listed(names))",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }
}

extension FetchedPropertyDescription {
  /// The value of `$FETCHED_PROPERTY.userInfo.key`.
  fileprivate func value(at path: [String]) throws(PersistenceError) -> FetchValue {
    guard path.first == "userInfo", path.count > 1,
      let value = userInfo[path.dropFirst().joined(separator: ".")]
    else {
      throw PersistenceError(
        .invalidPredicate,
        "'$FETCHED_PROPERTY\(path.map { "." + $0 }.joined())' of '\(name)' has no value: behind the "
          + "variable is 'userInfo' and one of the keys \(PersistenceError.listed(userInfo.keys.sorted()))"
      )
    }
    return .attribute(.string(value))
  }
}
