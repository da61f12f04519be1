public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Deletes an object with the next save, and applies the delete rules of its relationships in memory
  /// at once.
  ///
  /// - Throws: ``PersistenceError``: `validation` when a relationship's rule is deny and names the
  ///   objects in the way; `foreignObject` for an object of another context; why a related object
  ///   could not be read. Nothing was deleted then.
  public func delete(_ object: ManagedObject) throws(PersistenceError) {
    try begin("delete")
    try requireOwn([object], "delete")
    let doomed = try deletionClosure(of: object)
    for object in doomed { detach(object, among: doomed) }
    for object in doomed { markDeleted(object) }
  }

  /// The object and all that cascading rules delete with it.
  private func deletionClosure(of object: ManagedObject) throws(PersistenceError)
    -> Set<ManagedObject>
  {
    var doomed: Set<ManagedObject> = []
    var queue = object.isDeleted ? [] : [object]
    var next = 0
    while next < queue.count {
      let object = queue[next]
      next += 1
      guard !object.isDeleted, doomed.insert(object).inserted else { continue }
      for property in object.entity.properties {
        guard property.relationship?.deleteRule == .cascade else { continue }
        queue += try related(object, property)
      }
    }
    try checkDenials(doomed)
    return doomed
  }

  private func checkDenials(_ doomed: Set<ManagedObject>) throws(PersistenceError) {
    for object in doomed {
      for property in object.entity.properties where property.relationship?.deleteRule == .deny {
        let blockers = try related(object, property).filter { !doomed.contains($0) }
        guard blockers.isEmpty else {
          let names = PersistenceError.listed(blockers.map(\.description))
          throw PersistenceError(
            .validation,
            "'\(object)' was not deleted: the rule of '\(property.name)' is deny, and it leads to "
              + "\(names); delete or untie these first",
            objectIDs: [object.objectID] + blockers.map(\.objectID))
        }
      }
    }
  }

  /// The objects of a relationship, or the error that a getter would record.
  private func related(_ object: ManagedObject, _ property: PropertySchema)
    throws(PersistenceError) -> [ManagedObject]
  {
    let objects =
      property.relationship?.isToMany == true
      ? object.relatedObjects(of: property)
      : object.relatedObject(of: property).map { [$0] } ?? []
    if let error = pendingFault {
      pendingFault = nil
      throw error
    }
    return objects
  }

  /// Unties a doomed object from all that stays.
  ///
  /// Rule no action leaves the other end as it is, but a link in rows of its own goes with either
  /// of its ends.
  private func detach(_ object: ManagedObject, among doomed: Set<ManagedObject>) {
    for property in object.entity.properties {
      guard let relationship = property.relationship else { continue }
      let isJoined = relationship.storage == .joinRows || relationship.storage == .joinRowsOfInverse
      guard relationship.deleteRule != .noAction || isJoined else { continue }
      let others =
        relationship.isToMany
        ? object.relatedObjects(of: property)
        : object.relatedObject(of: property).map { [$0] } ?? []
      for other in others where isJoined || !doomed.contains(other) {
        unlink(object, relationship, other)
      }
    }
  }

  private func markDeleted(_ object: ManagedObject) {
    if object.isInserted {
      expel(object)
    } else {
      deletedObjects.append(object)
      noteUnsavedWork()
    }
    object._state.insert(.deleted)
  }
}
