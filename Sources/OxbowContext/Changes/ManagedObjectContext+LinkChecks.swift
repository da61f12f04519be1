internal import OxbowModel
internal import OxbowStore

// What is looked at before a relationship changes.

extension ManagedObjectContext {
  /// Whether `objects` may become the other end of a relationship; if not, the error was recorded.
  func accepts(_ objects: [ManagedObject], for property: PropertySchema, of owner: ManagedObject)
    -> Bool
  {
    guard let relationship = property.relationship else { return false }
    let destination = schema.entities[relationship.destination]
    let change = "'\(property.name)' of '\(owner)' was not changed: "
    if owner.isDeleted {
      record(
        PersistenceError(
          .foreignObject, change + "the object is to be deleted", objectIDs: [owner.objectID]))
      return false
    }
    for object in objects {
      if let error = refusal(of: object, destination, change, owner) {
        record(error)
        return false
      }
    }
    return true
  }

  private func refusal(
    of object: ManagedObject, _ destination: EntitySchema, _ change: String,
    _ owner: ManagedObject
  ) -> PersistenceError? {
    let objects = [owner.objectID, object.objectID]
    guard !object.isOrphan else {
      return PersistenceError(
        .foreignObject,
        change
          + "'\(object)' belonged to the context '\(object.token.name)' and belongs to none any "
          + "more; fetch or insert another",
        objectIDs: objects)
    }
    guard object.token === token else {
      return PersistenceError(
        .foreignObject,
        change
          + "'\(object)' belongs to the context '\(object.token.name)'; fetch it here by its ID",
        objectIDs: objects)
    }
    guard object.entity.isKind(of: destination) else {
      return PersistenceError(
        .classMismatch,
        change + "it leads to '\(destination.name)', not to '\(object.entity.name)'",
        objectIDs: objects)
    }
    guard !object.isDeleted else {
      return PersistenceError(
        .foreignObject, change + "'\(object)' is to be deleted", objectIDs: objects)
    }
    return nil
  }

  /// Reads the rows whose keys a change of links has to compare with, all in one request for each end.
  ///
  /// `gained` are the objects that `owner` is to be tied to, `lost` those that it is to be untied from.
  ///
  /// - Returns: Whether the change can be made; if not, the error was recorded and nothing changes.
  func prepareLinks(
    of owner: ManagedObject, _ property: PropertySchema, gained: [ManagedObject],
    lost: [ManagedObject]
  ) -> Bool {
    guard let relationship = property.relationship,
      let inverse = schema.inverse(of: relationship), !inverse.isToMany
    else { return true }
    let action = "changing '\(property.name)' of '\(owner)'"
    guard readFaults(among: gained + lost, action) else { return false }
    if let gone = gained.first(where: \.isFault) {
      recordStandIn(.rowGone([gone.objectID]), for: gone)
      return false
    }
    guard !relationship.isToMany else { return true }
    // One-to-one: whom the gained object belonged to loses it.
    let former = gained.compactMap { toOne($0, $0.entity.properties[inverse.property]) }
    return readFaults(among: former, action)
  }

  /// Reads the rows of those objects that are faults; a row that is gone stays one.
  ///
  /// - Returns: Whether the store could be read; if not, the error was recorded.
  private func readFaults(among objects: [ManagedObject], _ action: @autoclosure () -> String)
    -> Bool
  {
    let faults = objects.filter(\.isFault)
    guard let first = faults.first else { return true }
    guard permit("the object '\(first)'", action(), first) else { return false }
    do throws(PersistenceError) {
      _ = try read(faults)
      return true
    } catch {
      recordStandIn(error, for: first)
      return false
    }
  }
}
