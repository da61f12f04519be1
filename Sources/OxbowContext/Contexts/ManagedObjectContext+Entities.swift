internal import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the entity of a class.
  ///
  /// - Throws: ``PersistenceError``: `unknownEntity` when the model has no such entity,
  ///   `classMismatch` when another class, or none, was bound to it.
  func entity<T: ManagedObject>(of type: T.Type) throws(PersistenceError) -> CompiledEntity {
    if let known = entitiesByType[ObjectIdentifier(type)] { return known }
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

  /// Returns the entity of a request: the named one, or that of its class.
  func entity<T: ManagedObject>(of request: FetchRequest<T>) throws(PersistenceError)
    -> CompiledEntity
  {
    guard let name = request.entityName else { return try entity(of: T.self) }
    let entity = try model.requireEntity(named: name)
    guard types[entity.index] is T.Type else {
      throw PersistenceError(
        .classMismatch,
        "objects of the entity '\(name)' are '\(types[entity.index])', not '\(T.self)'")
    }
    return entity
  }

  /// Throws when an object belongs to another context, or to none.
  func requireOwn(_ objects: [ManagedObject], _ action: String) throws(PersistenceError) {
    guard let foreign = objects.first(where: { $0.token !== token || $0.isOrphan }) else { return }
    if foreign.isOrphan { throw foreign.orphanError("the call to \(action)") }
    throw PersistenceError(
      .foreignObject,
      "could not \(action) '\(foreign)': it belongs to the context '\(foreign.token.name)', this one "
        + "is '\(name)'; fetch the object here by its ID", objectIDs: [foreign.objectID])
  }

  /// Whether the caller may use the context, for what cannot throw; if not, the use was reported.
  func isOwned(_ action: @autoclosure () -> String) -> Bool { token.check(action(), "the context") }

  /// Throws what stands in the way of any work: a wrong owner, or an error that no call has thrown.
  func begin(_ action: String) throws(PersistenceError) {
    try token.requireOwner(action)
    if let pending = pendingFault {
      pendingFault = nil
      throw pending
    }
  }
}
