public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the object of `id`, without reading the store: a fault when the context has not met it.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an ID of another store.
  public func object(with id: ManagedObjectID) throws(PersistenceError) -> ManagedObject {
    try token.requireOwner("object(with:)")
    return object(at: try coordinator.reference(for: id))
  }

  /// Returns the object of `id`, read from the store if it has to be.
  ///
  /// - Throws: ``PersistenceError``: `rowGone` when it does not exist, `classMismatch` when it is no
  ///   `T`.
  public func existingObject<T: ManagedObject>(
    with id: ManagedObjectID, as type: T.Type = T.self
  ) throws(PersistenceError) -> T {
    try begin("existingObject(with:)")
    let reference = try coordinator.reference(for: id)
    let object: ManagedObject
    if let known = registered(reference) {
      try load([known])
      object = known
    } else {
      object = try readObject(reference)
    }
    guard let typed = object as? T else {
      throw PersistenceError(
        .classMismatch, "the object '\(id)' is a '\(Swift.type(of: object))', not a '\(T.self)'")
    }
    return typed
  }

  /// Reads the row of an object that the context has not met.
  private func readObject(_ reference: ObjectReference) throws(PersistenceError) -> ManagedObject {
    statistics.fetches += 1
    let slabs = try coordinator.store.rows(of: roots[reference.entity], keys: [reference.key])
    guard let object = slabs.flatMap({ register($0) }).first else {
      throw .rowGone([coordinator.id(of: reference)])
    }
    return object
  }

  /// Returns the object of `id` if the context has met it.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard let reference = try? coordinator.reference(for: id) else { return nil }
    return maps[roots[reference.entity]][reference.key]
  }

  /// The number of objects that the context holds.
  public var registeredCount: Int { maps.reduce(0) { $0 + $1.count } }

  /// Drops the clean objects that nobody else holds.
  public func sweep() {
    for root in maps.indices where maps[root].count > 0 { maps[root].sweep() }
    sweepThreshold = max(4096, 2 * registeredCount)
  }

  func sweepIfGrown() {
    if registeredCount > sweepThreshold { sweep() }
  }

  func object(at reference: ObjectReference) -> ManagedObject {
    if let known = maps[roots[reference.entity]][reference.key] { return known }
    return makeFaults([reference])[0]
  }

  /// Makes faults, all in one cohort, for objects that the context has not met.
  @discardableResult
  func makeFaults(_ references: [ObjectReference]) -> [ManagedObject] {
    let slab = RowSlab(schema: schema, entities: [], capacity: references.count, isFault: true)
    for reference in references {
      _ = slab.beginRow(key: reference.key, version: 0, entity: reference.entity)
    }
    return register(slab)
  }

  /// Takes a slab over and returns the objects of its rows.
  @discardableResult
  func register(_ slab: RowSlab) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(slab.count)
    slab._owner = token
    for row in 0..<slab.count { objects.append(register(slab, row)) }
    return objects
  }

  /// Returns the object of a row: the one that the context has met, brought up to date if it is
  /// clean, or a new one.
  func register(_ slab: RowSlab, _ row: Int) -> ManagedObject {
    let key = slab._key(row)
    let entity = slab._entity(row)
    if let known = maps[roots[entity]][key] {
      refresh(known, from: slab, row)
      return known
    }
    let object = types[entity].init(_slab: slab, row: row, state: slab.isFault ? .fault : [])
    maps[roots[entity]].insert(object, at: key)
    if !slab.isFault && !watched[entity].isEmpty { align(object, replacing: nil) }
    return object
  }

  /// Points a clean object, or a fault, to a newer row.
  private func refresh(_ object: ManagedObject, from slab: RowSlab, _ row: Int) {
    let isOutdated =
      object._state.isDisjoint(with: .changed) && object.version != slab._version(row)
    guard !slab.isFault, object.isFault || isOutdated else { return }
    let isWatched = !watched[object.entityIndex].isEmpty
    let old = isWatched ? (slab: object._slab, row: Int(object._row)) : nil
    object._slab = slab
    object._row = Int32(truncatingIfNeeded: row)
    object._state.subtract([.fault, .inaccessible])
    if !faultErrors.isEmpty { faultErrors[object.reference] = nil }
    if !overtaken.isEmpty { overtaken.remove(object.reference) }
    if isWatched { align(object, replacing: old) }
  }
}
