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
        "'\(type)' is not the class of an entity; mark it with @Entity or name the entity")
    }
    guard let entity = model.entity(named: named.entityName) else {
      throw .unknownEntity(of: type, named: named.entityName, among: model.entities.map(\.name))
    }
    guard types[entity.index] == type else { throw mismatch(of: type, and: entity) }
    entitiesByType[ObjectIdentifier(type)] = entity
    return entity
  }

  private func mismatch<T: ManagedObject>(
    of type: T.Type, and entity: CompiledEntity
  ) -> PersistenceError {
    let opened = types[entity.index]
    // A class without `@Entity` has the entity of its superclass.
    func isAbove<Known: ManagedObject>(_ known: Known.Type) -> Bool {
      type is Known.Type && known != ManagedObject.self
    }
    guard !isAbove(opened) else {
      return PersistenceError(
        .classMismatch,
        "the class '\(type)' does not have an entity of its own: '\(entity.name)' is that of '\(opened)'; "
          + "mark '\(type)' with @Entity")
    }
    return PersistenceError(
      .classMismatch,
      "the entity '\(entity.name)' was opened with the class '\(opened)', not with '\(type)'; pass "
        + "'\(type).self' among the classes when the store is opened")
  }
}
