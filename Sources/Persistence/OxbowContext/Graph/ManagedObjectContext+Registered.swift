public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the object of `id` if the context has met it.
  ///
  /// Off the owner, `nil`; the use is reported, and the owner's next throwing call throws it.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard isOwned("registeredObject(for:)"), let reference = try? coordinator.reference(for: id)
    else { return nil }
    return registered(reference)
  }

  /// The number of objects that the context holds; off the owner 0, and the use is reported.
  public var registeredCount: Int {
    isOwned("registeredCount") ? maps.reduce(0) { $0 + $1.count } : 0
  }

  /// Drops the clean objects that nothing else holds.
  ///
  /// Off the owner it does nothing, and the use is reported.
  public func sweep() {
    guard isOwned("sweep()") else { return }
    for map in maps where map.count > 0 { map.sweep() }
    forgetObservers()
    sweepThreshold = max(4096, 2 * registeredCount)
  }

  /// Whether the context holds twice as many objects as after the last sweep, so that another one
  /// costs little for each of them.
  var hasGrown: Bool { registeredCount > sweepThreshold }

  /// The object of a reference, if the context has met it.
  func registered(_ reference: ObjectReference) -> ManagedObject? {
    maps[roots[reference.entity]][reference.key]
  }

  /// The object of another row of a slab, if that is still the object's row.
  func registered(_ slab: RowSlab, _ row: Int) -> ManagedObject? {
    guard let object = registered(slab.reference(at: row)), object._slab === slab else {
      return nil
    }
    return object
  }

  /// Adds an object that the context has not met.
  func register(_ object: ManagedObject) {
    maps[roots[object.entityIndex]].insert(object, at: object.key)
  }

  /// Removes an object.
  func unregister(_ object: ManagedObject) {
    maps[roots[object.entityIndex]].remove(object.key)
  }

  /// Drops an object that nothing else holds; `reference` is the only trace of it that the caller
  /// has.
  ///
  /// - Returns: The object, if somebody holds it.
  func dropIfUnheld(_ reference: ObjectReference) -> ManagedObject? {
    let root = roots[reference.entity]
    return maps[root].dropIfUnheld(reference.key) ? nil : maps[root][reference.key]
  }
}
