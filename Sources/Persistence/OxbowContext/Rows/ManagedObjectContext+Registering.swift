internal import OxbowModel
internal import OxbowStore

// Rows that arrive become objects, or bring the context's objects up to date.

extension ManagedObjectContext {
  /// The object of a reference, a fault if the context has not met it.
  func object(at reference: ObjectReference) -> ManagedObject {
    registered(reference) ?? makeFault(reference)
  }

  private func makeFault(_ reference: ObjectReference) -> ManagedObject {
    let slab = drafts.slabForFault(token)
    slab.append(reference)
    return makeObject(slab, slab.count - 1)
  }

  /// Makes faults, all in one cohort, for objects that the context has not met.
  @discardableResult
  func makeFaults(_ references: [ObjectReference]) -> [ManagedObject] {
    let slab = RowSlab(referencesOf: model, capacity: references.count)
    for reference in references { slab.append(reference) }
    slab._owner = token
    return references.indices.map { row in
      registered(references[row]) ?? makeObject(slab, row)
    }
  }

  /// Takes a slab over and returns the objects of its rows; `isNew` if the context has met none of
  /// them.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue`, see ``register(_:_:)``.
  @discardableResult
  func register(
    _ slab: RowSlab, isNew: Bool = false
  ) throws(PersistenceError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(slab.count)
    try register(slab, isNew: isNew, into: &objects)
    return objects
  }

  /// Takes a slab over and adds the objects of its rows to others.
  func register(
    _ slab: RowSlab, isNew: Bool, into objects: inout [ManagedObject]
  ) throws(PersistenceError) {
    slab._owner = token
    if isNew {
      makeObjects(of: slab) { objects.append($0) }
    } else {
      for row in 0..<slab.count { objects.append(try register(slab, row)) }
    }
    awakeObjects(of: slab)
  }

  /// Takes a slab over whose objects the caller does not need, so that no list holds them
  /// (docs/performance.md, D).
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue`, see ``register(_:_:)``.
  func registerObjects(of slab: RowSlab) throws(PersistenceError) {
    slab._owner = token
    for row in 0..<slab.count { _ = try register(slab, row) }
    awakeObjects(of: slab)
  }

  /// Takes a slab over if the context has met none of its rows.
  func makeObjects(of slab: RowSlab) {
    slab._owner = token
    makeObjects(of: slab) { _ in }
    awakeObjects(of: slab)
  }

  /// Returns the object of a row: the one that the context has met, brought up to date if it is
  /// clean, or a new one.
  ///
  /// The object always has the row's entity, and so its class: the words of a row mean nothing to
  /// an object of another entity.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` if the row had another entity when the
  ///   context last read it.
  func register(_ slab: RowSlab, _ row: Int) throws(PersistenceError) -> ManagedObject {
    guard let known = registered(slab.reference(at: row)) else { return makeObject(slab, row) }
    guard slab.hasValues(row) else { return known }
    guard known.entityIndex == slab._entity(row) else { return try replace(known, by: slab, row) }
    update(known, from: slab, row)
    return known
  }

  /// The rows that would change nothing, so that a store need not read them: objects' rows of this
  /// version, and those of changed objects; `nil` if there are none.
  ///
  /// A fetch of registered objects costs a third of one that reads (docs/performance.md, M/again).
  func knownRows(of entity: Int) -> RowFilter? {
    let map = identity.maps[identity.roots[entity]]
    guard map.count > 0 else { return nil }
    let isFixed = !model.hasDerivations
    return RowFilter(count: map.count) { entity, key, version in
      guard let known = map[key], known.entityIndex == entity,
        known._state.isDisjoint(with: [.fault, .inaccessible])
      else { return false }
      return known.version == version && (isFixed || !known.entity.hasDerivations)
        || !known._state.isDisjoint(with: .changed) && !known.hasOnlyIncrements
    }
  }

  /// ``makeObject(_:_:)`` for each row of a slab, with shared look-ups (docs/performance.md, G).
  @inline(__always)
  private func makeObjects(of slab: RowSlab, _ body: (ManagedObject) -> Void) {
    let (types, roots, maps) = (identity.types, identity.roots, identity.maps)
    let state = state(ofObjectsIn: slab)
    let isWatched = !slab.isFault && inverses.watched.contains { !$0.isEmpty }
    guard slab.count > 0 else { return }
    var root = roots[slab._entity(0)]
    var map = maps[root]
    for row in 0..<slab.count {
      let entity = slab._entity(row)
      let object = types[entity].init(_slab: slab, row: row, state: state)
      if roots[entity] != root {
        root = roots[entity]
        map = maps[root]
      }
      map.insert(object, at: slab._key(row))
      if isWatched, !inverses.watched[entity].isEmpty { align(object, replacing: nil) }
      body(object)
    }
  }

  private func state(ofObjectsIn slab: RowSlab) -> ObjectState {
    slab.isFault ? audience.stateOfObjects.union(.fault) : audience.stateOfObjects
  }

  /// Makes the object of a row that the context has not met.
  func makeObject(_ slab: RowSlab, _ row: Int) -> ManagedObject {
    let entity = slab._entity(row)
    let object = identity.types[entity].init(_slab: slab, row: row, state: state(ofObjectsIn: slab))
    identity.maps[identity.roots[entity]].insert(object, at: slab._key(row))
    if !slab.isFault && !inverses.watched[entity].isEmpty { align(object, replacing: nil) }
    return object
  }

  /// Points an object that is clean, a fault, or has increments only to a newer row; derived values
  /// change without a new version.
  private func update(_ object: ManagedObject, from slab: RowSlab, _ row: Int) {
    let isOutdated =
      (object._state.isDisjoint(with: .changed) || object.hasOnlyIncrements)
      && (object.version != slab._version(row) || object.entity.hasDerivations)
    guard !slab.isFault, object._state.contains(.fault) || isOutdated else { return }
    let isWatched = !inverses.watched[object.entityIndex].isEmpty
    let old = isWatched ? (slab: object._slab, row: Int(object._row)) : nil
    object.point(to: slab, row)
    object._state.subtract([.fault, .inaccessible])
    if !faults.errors.isEmpty { faults.errors[object.reference] = nil }
    if !inverses.overtaken.isEmpty { inverses.overtaken[object.reference] = nil }
    if isWatched { align(object, replacing: old) }
  }

  /// Points an object to a newer row, and aligns the other ends of what it has not edited.
  func takeOver(_ theirs: SlabRow, at object: ManagedObject) {
    let old = (slab: object._slab, row: Int(object._row))
    object.point(to: theirs.slab, theirs.row)
    object._state.subtract([.fault, .inaccessible])
    faults.errors[object.reference] = nil
    inverses.overtaken[object.reference] = nil
    if !inverses.watched[object.entityIndex].isEmpty { align(object, replacing: old) }
    inverses.doubt()
    endLinksEndedElsewhere(of: object)
    object.forgetUpdateWithoutEdits()
  }

  /// Makes the object of a row whose key the context knows with another entity.
  ///
  /// A fault was made from an ID or a key that names another entity. The new object takes its key,
  /// and the fault keeps the error.
  private func replace(_ known: ManagedObject, by slab: RowSlab, _ row: Int)
    throws(PersistenceError) -> ManagedObject
  {
    guard known._state.contains(.fault), known._state.isDisjoint(with: .changed) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the row of '\(known)' is one of '\(model.entities[slab._entity(row)].name)' by now, which "
          + "another program must have done: an object never changes its entity. Correct the row "
          + "in the store, or let go of the object with `reset()`", objectIDs: [known.objectID])
    }
    let object = makeObject(slab, row)
    keepError(.wrongEntity(of: known, object), of: known)
    return object
  }
}

extension ManagedObject {
  final func becomeFault(_ model: CompiledModel, owner: ContextToken) {
    if !_state.contains(.fault) { token.context?.warn(self) }
    noteObservableChange()
    overlay = nil
    forgetRow(model, owner: owner)
    _state = _state.intersection([.listed, .observed]).union(.fault)
  }

  /// Points the object to a row with its key alone.
  final func forgetRow(_ model: CompiledModel, owner: ContextToken) {
    let slab = RowSlab(referencesOf: model, capacity: 1)
    slab._owner = owner
    slab.append(reference)
    point(to: slab, 0)
  }

  /// Gives the object a row that contains its edits, if `version` is given, and forgets them;
  /// loaded collections and transient values stay.
  final func takeOverEdits(to writer: inout RowWriter, version: Int64?) {
    // The values of a draft are copied with its row.
    let overlay = links
    _state.remove(.draft)
    if let version {
      let row = writer.write(version: version, replacing: (_slab, Int(_row))) {
        overlay?.written($0, of: self) ?? .unchanged
      }
      point(to: row.slab, row.row, isSame: true)
    }
    _state.subtract([.inserted, .updated])
    if let overlay { forgetEdits(overlay) }
  }

  /// Gives the object a row with its values, except for those that `cell` returns.
  final func write(
    to writer: inout RowWriter, version: Int64, _ cell: (CompiledProperty) -> RowWriter.Cell
  ) {
    let row = writer.write(version: version, replacing: (_slab, Int(_row)), cell)
    point(to: row.slab, row.row)
  }
}

extension PersistenceError {
  static func wrongEntity(of fault: ManagedObject, _ object: ManagedObject) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "could not read '\(fault)': its row is that of '\(object)'. The ID or the relationship that "
        + "led to it names the wrong entity; use the object's own ID, or correct the type beside the "
        + "key in the store", objectIDs: [object.objectID])
  }
}

// MARK: - Hooks of objects whose rows come and go

extension ManagedObjectContext {
  /// Counts the arrived rows of a slab, and runs their hooks.
  func awakeObjects(of slab: RowSlab) {
    statistics.rowsRead += slab.isFault ? 0 : slab.count
    guard hooks.all.contains(.awakeFromFetch), !slab.isFault else { return }
    for row in 0..<slab.count
    where hooks.has(.awakeFromFetch, slab._entity(row)) && slab.hasValues(row) {
      guard let object = identity.object(slab, row) as? any AwakeFromFetchHook else { continue }
      running("awakeFromFetch()", .nothing) { object.awakeFromFetch() }
    }
  }

  /// Runs the hook of an object that is about to become a fault.
  func warn(_ object: ManagedObject) {
    guard hooks.has(.willTurnIntoFault, object.entityIndex),
      let object = object as? any WillTurnIntoFaultHook
    else { return }
    running("willTurnIntoFault()", .nothing) { object.willTurnIntoFault() }
  }
}
