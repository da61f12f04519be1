public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Returns the object of `id`, without reading the store: a fault when the context has not met
  /// it.
  ///
  /// The fault is of the entity that the ID names. If the row turns out to be of another one, the
  /// fault cannot be read (its ``ManagedObject/faultError`` says so), and the context's object is a
  /// new one of the row's class.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an ID of another store, `unknownEntity`
  ///   for an ID whose entities are not those of the model.
  public func object(with id: ManagedObjectID) throws(PersistenceError) -> ManagedObject {
    try token.requireOwner("object(with:)")
    return object(at: try coordinator.reference(for: id))
  }

  /// Returns the object of `id`, read from the store if it has to be.
  ///
  /// The object is of the entity of its row, whatever entity the ID names.
  ///
  /// - Throws: ``PersistenceError``: `rowGone` when it does not exist, `classMismatch` when it is
  ///   no `T`, `unknownEntity` for an ID whose entities are not those of the model.
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
