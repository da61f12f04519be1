internal import OxbowModel
internal import OxbowStore

// The hooks of objects whose rows come and go.

extension ManagedObjectContext {
  /// Counts the rows that have arrived with a slab, and tells their objects.
  func awakeObjects(of slab: RowSlab) {
    statistics.rowsRead += slab.isFault ? 0 : slab.count
    guard hooks.all.contains(.awakeFromFetch), !slab.isFault else { return }
    for row in 0..<slab.count
    where hooks.has(.awakeFromFetch, slab._entity(row)) && slab.hasValues(row) {
      guard let object = registered(slab, row) as? any AwakeFromFetchHook else { continue }
      running("awakeFromFetch()", .nothing) { object.awakeFromFetch() }
    }
  }

  /// Tells an object that it is about to become a fault.
  func warn(_ object: ManagedObject) {
    guard hooks.has(.willTurnIntoFault, object.entityIndex),
      let object = object as? any WillTurnIntoFaultHook
    else { return }
    running("willTurnIntoFault()", .nothing) { object.willTurnIntoFault() }
  }
}
