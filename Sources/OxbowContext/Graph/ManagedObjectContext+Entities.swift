internal import OxbowModel

extension ManagedObjectContext {
  /// Returns the entity of a class.
  ///
  /// - Throws: ``PersistenceError``: `unknownEntity` when the model has no such entity,
  ///   `classMismatch` when another class, or none, was bound to it.
  func entity<T: ManagedObject>(of type: T.Type) throws(PersistenceError) -> CompiledEntity {
    if let lastEntity, lastEntity.type == type { return lastEntity.entity }
    if let known = entitiesByType[ObjectIdentifier(type)] {
      lastEntity = (type, known)
      return known
    }
    guard let named = type as? any ModelObject.Type else {
      throw PersistenceError(
        .classMismatch,
        "the class '\(type)' stands for no entity; mark it with @Entity or name the entity")
    }
    let entity = try model.requireEntity(named: named.entityName)
    guard types[entity.index] == type else {
      throw PersistenceError(
        .classMismatch,
        "the entity '\(entity.name)' was opened with the class '\(types[entity.index])', not with "
          + "'\(type)'; pass '\(type).self' among the classes when the store is opened")
    }
    entitiesByType[ObjectIdentifier(type)] = entity
    return entity
  }
}
