public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Reads the rows of those `objects` that are faults.
  ///
  /// - Throws: ``PersistenceError``: `rowGone`, naming the objects that no longer exist.
  /// - Complexity: One request to the store for each root entity.
  public func load(_ objects: [ManagedObject]) throws(PersistenceError) {
    try begin("load")
    try requireOwn(objects, "load")
    let faults = objects.filter(\.isFault)
    guard !faults.isEmpty else { return }
    statistics.fetches += 1
    let missing = try read(faults)
    guard missing.isEmpty else {
      for object in missing { faultErrors[object.reference] = nil }
      throw .rowGone(missing.map(\.objectID))
    }
  }

  /// Reads the rows of a fault and of its cohort, for a getter.
  ///
  /// - Returns: Whether the object's row is there now; if not, the error was recorded.
  func fire(_ object: ManagedObject, _ action: String) -> Bool {
    if object._state.contains(.inaccessible) {
      if pendingFault == nil { pendingFault = faultErrors[object.reference] }
      return false
    }
    guard permit("the object '\(object)'", action, object) else { return false }
    do throws(PersistenceError) {
      let missing = try read(cohort(of: object))
      if missing.contains(where: { $0 === object }) { throw .rowGone([object.objectID]) }
      return true
    } catch {
      record(error, for: object)
      return false
    }
  }

  /// Reads the row of a fault and of its cohort for a condition or an order, which a fetch may do under
  /// any policy.
  ///
  /// - Returns: Whether there is a row; a key that leads nowhere is no error of a condition.
  func readForCondition(_ object: ManagedObject) throws(PersistenceError) -> Bool {
    guard object.isFault else { return true }
    return try !read(cohort(of: object)).contains { $0 === object }
  }

  /// Asks the policy whether a getter may read the store.
  func permit(_ visited: String, _ action: String, _ object: ManagedObject) -> Bool {
    switch faultPolicy {
    case .allow: break
    case .log: coordinator.report("\(name): \(action) read \(visited) from the store")
    case .refuse:
      record(
        PersistenceError(
          .faultRefused,
          "\(action) would have read \(visited) from the store, which the fault policy of the "
            + "context '\(name)' refuses; load it first with `load`", objectIDs: [object.objectID]),
        for: nil)
      return false
    }
    statistics.faultsFired += 1
    return true
  }

  /// Keeps an error that a getter cannot throw, for the next call that can.
  func record(_ error: PersistenceError, for object: ManagedObject?) {
    if pendingFault == nil { pendingFault = error }
    if let object {
      faultErrors[object.reference] = error
      object._state.insert(.inaccessible)
    }
  }

  /// The faults that came together with `object`, itself first.
  private func cohort(of object: ManagedObject) -> [ManagedObject] {
    let slab = object._slab
    var faults = [object]
    for row in 0..<slab.count where row != Int(object._row) {
      if let other = maps[roots[slab._entity(row)]][slab._key(row)], other._slab === slab,
        other.isFault
      {
        faults.append(other)
      }
    }
    return faults
  }

  /// Reads the rows of faults.
  ///
  /// - Returns: Those that have no row.
  private func read(_ faults: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    var keys: [Int: [Int64]] = [:]
    for fault in faults { keys[roots[fault.entityIndex], default: []].append(fault.key) }
    for (root, keys) in keys {
      for slab in try coordinator.store.rows(of: root, keys: keys) { register(slab) }
    }
    return faults.filter(\.isFault)
  }
}

extension PersistenceError {
  /// Objects whose rows no longer exist.
  static func rowGone(_ ids: [ManagedObjectID]) -> PersistenceError {
    let names = ids.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    let more = ids.count > 5 ? " and \(ids.count - 5) more" : ""
    return PersistenceError(
      .rowGone,
      "could not read \(names)\(more): no such row is in the store; another context or process "
        + "deleted it. Fetch again, or reset the context", objectIDs: ids)
  }
}
