internal import OxbowFoundation
internal import OxbowModel
internal import OxbowStore

/// An object as the memory executor sees it: as it will be after the save, without deleted objects.
///
/// A failed read is thrown at once instead of recorded.
struct ObjectPredicateTarget: PredicateTarget {
  let object: ManagedObject

  var predicateEntity: CompiledEntity { object.entity }
  var predicateModel: CompiledModel { object.token.coordinator.model }
  var predicateID: ManagedObjectID { object.objectID }

  func predicateValue(of property: CompiledProperty) throws(PersistenceError) -> AttributeValue? {
    do throws(PersistenceError) {
      return try reading { object.attributeValue(of: property) }
    } catch {
      // Conditions and orders know NaN, which Core Data keeps of a decimal number.
      guard object.hasStoredNaN(property) else { throw error }
      return .decimal(.nan)
    }
  }

  func predicateReference(of property: CompiledProperty) throws(PersistenceError)
    -> ManagedObjectID?
  { try reading { object.relatedObject(of: property) }?.objectID }

  func predicateObject(of property: CompiledProperty) throws(PersistenceError)
    -> ObjectPredicateTarget?
  {
    guard let related = try reading({ object.relatedObject(of: property) }), !related.isDeleted,
      let context = object.token.context, try context.readForCondition(related)
    else { return nil }
    return ObjectPredicateTarget(object: related)
  }

  func predicateObjects(of property: CompiledProperty) throws(PersistenceError)
    -> [ObjectPredicateTarget]
  {
    try reading { object.relatedObjects(of: property) }.filter { !$0.isDeleted }
      .map { ObjectPredicateTarget(object: $0) }
  }

  private func reading<R>(_ read: () -> R) throws(PersistenceError) -> R {
    guard let context = object.token.context else { return read() }
    context.faults.isAnsweringFetch = true
    defer { context.faults.isAnsweringFetch = false }
    return try context.throwing(read)
  }
}
