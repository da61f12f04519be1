public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the object of `id`, without reading the store: a fault when the context has not met it.
  ///
  /// The fault is of the entity that the ID names. If the row turns out to be of another one, the fault
  /// cannot be read (its ``ManagedObject/faultError`` says so), and the context's object is a new one of
  /// the row's class.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an ID of another store, `unknownEntity` for an
  ///   ID whose entities are not those of the model.
  public func object(with id: ManagedObjectID) throws(PersistenceError) -> ManagedObject {
    try token.requireOwner("object(with:)")
    return object(at: try coordinator.reference(for: id))
  }

  /// Returns the object of `id`, read from the store if it has to be.
  ///
  /// The object is of the entity of its row, whatever entity the ID names.
  ///
  /// - Throws: ``PersistenceError``: `rowGone` when it does not exist, `classMismatch` when it is no
  ///   `T`, `unknownEntity` for an ID whose entities are not those of the model.
  public func existingObject<T: ManagedObject>(
    with id: ManagedObjectID, as type: T.Type = T.self
  ) throws(PersistenceError) -> T {
    try begin("existingObject(with:)")
    let object = try loadedObject(at: try coordinator.reference(for: id))
    guard let typed = object as? T else {
      throw PersistenceError(
        .classMismatch, "the object '\(id)' is a '\(Swift.type(of: object))', not a '\(T.self)'")
    }
    return typed
  }

  /// Returns the object of `id` if the context has met it.
  ///
  /// Off the owner, `nil`; the use is reported, and the owner's next throwing call throws it.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard isOwned("registeredObject(for:)"), let reference = try? coordinator.reference(for: id)
    else { return nil }
    return maps[roots[reference.entity]][reference.key]
  }

  /// The number of objects that the context holds; off the owner 0, and the use is reported.
  public var registeredCount: Int {
    isOwned("registeredCount") ? maps.reduce(0) { $0 + $1.count } : 0
  }

  /// Drops the clean objects that nobody else holds.
  ///
  /// Off the owner it does nothing, and the use is reported.
  public func sweep() {
    guard isOwned("sweep()") else { return }
    for root in maps.indices where maps[root].count > 0 { maps[root].sweep() }
    sweepThreshold = max(4096, 2 * registeredCount)
  }

  func sweepIfGrown() {
    if registeredCount > sweepThreshold { sweep() }
  }

  func object(at reference: ObjectReference) -> ManagedObject {
    if let known = registered(reference) { return known }
    return makeFaults([reference])[0]
  }

  /// The object of a key, if the context has met it.
  func registered(_ reference: ObjectReference) -> ManagedObject? {
    maps[roots[reference.entity]][reference.key]
  }

  /// Makes faults, all in one cohort, for objects that the context has not met.
  @discardableResult
  func makeFaults(_ references: [ObjectReference]) -> [ManagedObject] {
    let slab = RowSlab(model: model, entities: [], capacity: references.count, isFault: true)
    for reference in references {
      _ = slab.beginRow(key: reference.key, version: 0, entity: reference.entity)
    }
    slab._owner = token
    return references.indices.map { row in
      registered(references[row]) ?? makeObject(slab, row)
    }
  }

  /// Takes a slab over and returns the objects of its rows.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue`, see ``register(_:_:)``.
  @discardableResult
  func register(_ slab: RowSlab) throws(PersistenceError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(slab.count)
    slab._owner = token
    for row in 0..<slab.count { objects.append(try register(slab, row)) }
    return objects
  }

  /// Returns the object of a row: the one that the context has met, brought up to date if it is
  /// clean, or a new one.
  ///
  /// The object is always of the row's entity, and so of its class: the words of a row mean nothing to
  /// an object of another entity.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` when the row was of another entity when the
  ///   context read it last.
  func register(_ slab: RowSlab, _ row: Int) throws(PersistenceError) -> ManagedObject {
    guard let known = maps[roots[slab._entity(row)]][slab._key(row)] else {
      return makeObject(slab, row)
    }
    guard known.entityIndex == slab._entity(row) else { return try replace(known, by: slab, row) }
    refresh(known, from: slab, row)
    return known
  }

  /// Makes the object of a row that the context has not met.
  private func makeObject(_ slab: RowSlab, _ row: Int) -> ManagedObject {
    let entity = slab._entity(row)
    let object = types[entity].init(_slab: slab, row: row, state: slab.isFault ? .fault : [])
    maps[roots[entity]].insert(object, at: slab._key(row))
    if !slab.isFault && !watched[entity].isEmpty { align(object, replacing: nil) }
    return object
  }

  /// Points a clean object, or a fault, to a newer row.
  private func refresh(_ object: ManagedObject, from slab: RowSlab, _ row: Int) {
    let isOutdated =
      object._state.isDisjoint(with: .changed) && object.version != slab._version(row)
    guard !slab.isFault, object._state.contains(.fault) || isOutdated else { return }
    let isWatched = !watched[object.entityIndex].isEmpty
    let old = isWatched ? (slab: object._slab, row: Int(object._row)) : nil
    object.point(to: slab, row)
    object._state.subtract([.fault, .inaccessible])
    if !faultErrors.isEmpty { faultErrors[object.reference] = nil }
    if !overtaken.isEmpty { overtaken[object.reference] = nil }
    if isWatched { align(object, replacing: old) }
  }

  /// Makes the object of a row whose key the context knows with another entity.
  ///
  /// A fault was made of an ID or of a key beside which another entity stands. It gives way, and keeps
  /// the error.
  private func replace(_ known: ManagedObject, by slab: RowSlab, _ row: Int)
    throws(PersistenceError) -> ManagedObject
  {
    guard known._state.contains(.fault), known._state.isDisjoint(with: .changed) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the row of '\(known)' is one of '\(model.entities[slab._entity(row)].name)' by now, which "
          + "another program must have done: an object never changes its entity. Correct the row in "
          + "the store, or let go of the object with `reset()`", objectIDs: [known.objectID])
    }
    let object = makeObject(slab, row)
    keepError(.wrongEntity(of: known, object), of: known)
    return object
  }
}

extension PersistenceError {
  /// A fault that was made for another entity than that of its row.
  static func wrongEntity(of fault: ManagedObject, _ object: ManagedObject) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "could not read '\(fault)': its row is that of '\(object)'. The ID or the relationship that led "
        + "to it names the wrong entity; use the object's own ID, or correct the type beside the key "
        + "in the store", objectIDs: [object.objectID])
  }
}
