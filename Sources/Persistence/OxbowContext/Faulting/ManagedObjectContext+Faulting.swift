public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Reads the rows of those `objects` that are faults.
  ///
  /// - Throws: ``PersistenceError``: `rowGone`, naming the objects that no longer exist;
  ///   `invalidStoredValue` for a fault whose row is of another entity.
  /// - Complexity: One request to the store for each root entity.
  public func load(_ objects: [ManagedObject]) throws(PersistenceError) {
    try begin("load")
    try requireOwn(objects, "load")
    let faults = objects.filter { $0._state.contains(.fault) }
    guard !faults.isEmpty else { return }
    statistics.fetches += 1
    let missing = try read(faults)
    guard missing.isEmpty else {
      if let error = missing.lazy.compactMap({ self.wrongEntity(of: $0) }).first { throw error }
      for object in missing { forgetError(of: object) }
      throw .rowGone(missing.map(\.objectID))
    }
  }

  /// The object of a reference, read if necessary; it has the entity of its row.
  func loadedObject(at reference: ObjectReference) throws(PersistenceError) -> ManagedObject {
    if let known = registered(reference), !known._state.contains(.fault) { return known }
    statistics.fetches += 1
    let root = identity.roots[reference.entity]
    for slab in try store.rows(of: root, keys: [reference.key]) { try register(slab) }
    if let object = registered(reference) {
      if !object._state.contains(.fault) { return object }
      forgetError(of: object)
    }
    throw .rowGone([coordinator.id(of: reference)])
  }

  /// The stored rows of references, as the last saves have left them, in one request for each root
  /// entity, without touching the objects.
  func storedSlabs(
    of references: some Sequence<ObjectReference>
  ) throws(PersistenceError) -> [RowSlab] {
    let store = primaryStore
    var slabs: [RowSlab] = []
    for (root, references) in references.grouped(by: { identity.roots[$0.entity] }) {
      slabs += try store.rows(of: root, keys: references.map(\.key))
    }
    return slabs
  }

  /// The stored rows of objects, by root entity and key, without touching the objects.
  func storedRows(
    of references: some Sequence<ObjectReference>
  ) throws(PersistenceError) -> [ObjectReference: SlabRow] {
    var rows: [ObjectReference: SlabRow] = [:]
    for slab in try storedSlabs(of: references) {
      slab._owner = token
      for row in 0..<slab.count {
        rows[identity.root(slab.reference(at: row))] = (slab, row)
      }
    }
    return rows
  }

  /// The error of a fault whose row belongs to an object of another entity.
  private func wrongEntity(of fault: ManagedObject) -> PersistenceError? {
    guard let object = registered(fault.reference), object.entityIndex != fault.entityIndex else {
      return nil
    }
    return .wrongEntity(of: fault, object)
  }

  /// Reads the rows of a fault and of its cohort, for a getter.
  ///
  /// - Returns: Whether the object's row was read; otherwise the error was recorded.
  func fire(_ object: ManagedObject, _ action: String) -> Bool {
    if object._state.contains(.inaccessible) {
      if let error = faults.errors[object.reference] { faults.recordStandIn(error, for: object) }
      return false
    }
    guard permit("the object '\(object)'", action, object) else { return false }
    do throws(PersistenceError) {
      let missing = try read(cohort(of: object))
      if missing.contains(where: { $0 === object }) {
        throw wrongEntity(of: object) ?? .rowGone([object.objectID])
      }
      return true
    } catch {
      keepError(error, of: object)
      faults.recordStandIn(error, for: object)
      return false
    }
  }

  /// Reads the row of a fault and of its cohort for a condition or an order, as a fetch may under
  /// any policy.
  ///
  /// - Returns: Whether the row exists; a dangling key is not an error of a condition.
  func readForCondition(_ object: ManagedObject) throws(PersistenceError) -> Bool {
    guard object.isFault else { return true }
    return try !read(cohort(of: object)).contains { $0 === object }
  }

  /// Whether the policy lets a getter read the store.
  func permit(_ visited: String, _ action: String, _ object: ManagedObject) -> Bool {
    if faults.isAnsweringFetch {
      statistics.fetches += 1
      return true
    }
    let site = callSite()
    if faultPolicy != .refuse {
      let text = "\(name): \(action) read \(visited) from the store"
      UnplannedReads.current?.note(text, site)
      if faultPolicy == .log { coordinator.report(text + (site.map { " at \($0)" } ?? "")) }
      statistics.faultsFired += 1
      return true
    }
    let refusal = PersistenceError(
      .faultRefused,
      "\(action) would have read \(visited) from the store, which the fault policy of the "
        + "context '\(name)' refuses; load it first with `load`", objectIDs: [object.objectID])
    faults.recordStandIn(site.map { refusal.adding("read at", "\($0)") } ?? refusal, for: object)
    return false
  }

  /// The faults that came together with `object`, itself first.
  private func cohort(of object: ManagedObject) -> [ManagedObject] {
    let slab = object._slab
    var faults = [object]
    guard slab.isCohort else { return faults }
    for row in 0..<slab.count where row != Int(object._row) {
      if let other = identity.object(slab, row), other._state.contains(.fault) {
        faults.append(other)
      }
    }
    return faults
  }

  /// Reads the rows of faults.
  ///
  /// - Returns: Those that have no row.
  func read(_ faults: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    var keys: [Int: [Int64]] = [:]
    for fault in faults { keys[identity.roots[fault.entityIndex], default: []].append(fault.key) }
    for (root, keys) in keys {
      for slab in try store.rows(of: root, keys: keys) { try registerObjects(of: slab) }
    }
    return faults.filter { $0._state.contains(.fault) }
  }
}

extension PersistenceError {
  static func rowGone(_ ids: [ManagedObjectID]) -> PersistenceError {
    let names = listed(ids.map { "\($0)" })
    return PersistenceError(
      .rowGone,
      "could not read \(names): no such row is in the store; another context or process "
        + "deleted it. Fetch again, or reset the context", objectIDs: ids)
  }
}

// MARK: - Objects by ID

extension ManagedObjectContext {
  /// Returns the object of `id` without reading the store: a fault if the context has not met it.
  ///
  /// The fault has the entity that the ID names. If the row has another one, the fault cannot be
  /// read (see ``ManagedObject/faultError``), and the context's object is a new one of the row's
  /// class.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an ID of another store, `unknownEntity`
  ///   for an ID whose entities are not those of the model.
  public func object(with id: ManagedObjectID) throws(PersistenceError) -> ManagedObject {
    try token.requireOwner("object(with:)")
    return object(at: try coordinator.reference(for: id))
  }

  /// Returns the object of `id`, read from the store if necessary.
  ///
  /// The object has the entity of its row, whichever entity the ID names.
  ///
  /// - Throws: ``PersistenceError``: `rowGone` if it does not exist, `classMismatch` if it is not a
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
}
