internal import OrderedCollections
internal import OxbowModel
internal import OxbowStore

// Both ends of a link change together, at once and in memory. What a to-one end led to before lets go.

extension ManagedObjectContext {
  /// Ties `member` to `owner` through `relationship` and its inverse.
  func link(_ owner: ManagedObject, _ relationship: RelationshipSchema, _ member: ManagedObject) {
    let property = owner.entity.properties[relationship.property]
    if !relationship.isToMany, let old = owner.reference(of: property) {
      if old == member.reference { return }
      unlink(owner, relationship, object(at: old))
    }
    guard let inverse = schema.inverse(of: relationship) else {
      return set(owner, property, member)
    }
    let back = member.entity.properties[inverse.property]
    if !inverse.isToMany, let old = member.reference(of: back) {
      if old == owner.reference { return }
      unlink(object(at: old), relationship, member)
    }
    set(owner, property, member)
    set(member, back, owner)
  }

  /// Unties `member` from `owner`.
  func unlink(_ owner: ManagedObject, _ relationship: RelationshipSchema, _ member: ManagedObject) {
    clear(owner, owner.entity.properties[relationship.property], member)
    if let inverse = schema.inverse(of: relationship) {
      clear(member, member.entity.properties[inverse.property], owner)
    }
  }

  /// Gives the objects of an ordered relationship another order.
  func reorder(
    _ owner: ManagedObject, _ property: PropertySchema, _ order: OrderedSet<ObjectReference>
  ) {
    guard var state = owner.collection(property), state.members?.elements != order.elements else {
      return
    }
    state.members = order
    state.isReordered = true
    owner.setCollection(property, state)
    markUpdated(owner)
  }

  /// Sets one end of a link.
  private func set(_ object: ManagedObject, _ property: PropertySchema, _ other: ManagedObject) {
    if property.relationship?.isToMany == true {
      var state = object.collection(property) ?? CollectionState()
      state.add(other.reference)
      object.setCollection(property, state)
    } else {
      object.makeOverlay()[property.index] = .object(other.reference)
    }
    markUpdated(object)
  }

  /// Clears one end of a link.
  private func clear(_ object: ManagedObject, _ property: PropertySchema, _ other: ManagedObject) {
    if property.relationship?.isToMany == true {
      var state = object.collection(property) ?? CollectionState()
      state.remove(other.reference)
      object.setCollection(property, state)
    } else {
      object.makeOverlay()[property.index] = .null
    }
    markUpdated(object)
  }

  /// Remembers that the next save has to look at `object`.
  func markUpdated(_ object: ManagedObject) {
    if object._state.contains(.updated) { return }
    object._state.insert(.updated)
    if object.isInserted { return }
    updatedObjects.append(object)
    noteUnsavedWork()
  }

  func noteUnsavedWork() { token.hasUnsavedWork = true }

  /// Whether `objects` may become the other end of a relationship; if not, the error was recorded.
  func accepts(_ objects: [ManagedObject], for property: PropertySchema, of owner: ManagedObject)
    -> Bool
  {
    guard let relationship = property.relationship else { return false }
    let destination = schema.entities[relationship.destination]
    for object in objects {
      if let error = refusal(of: object, destination, property, owner) {
        record(error, for: nil)
        return false
      }
    }
    return true
  }

  private func refusal(
    of object: ManagedObject, _ destination: EntitySchema, _ property: PropertySchema,
    _ owner: ManagedObject
  ) -> PersistenceError? {
    let change = "'\(property.name)' of '\(owner)' was not changed: "
    guard object.token === token else {
      return PersistenceError(
        .foreignObject,
        change
          + "'\(object)' belongs to the context '\(object.token.name)'; fetch it here by its ID",
        objectIDs: [owner.objectID, object.objectID])
    }
    guard object.entity.isKind(of: destination) else {
      return PersistenceError(
        .classMismatch,
        change + "it leads to '\(destination.name)', not to '\(object.entity.name)'",
        objectIDs: [owner.objectID, object.objectID])
    }
    guard !object.isDeleted, !object.isOrphan else {
      return PersistenceError(
        .foreignObject,
        change + "'\(object)' is \(object.isOrphan ? "in no context any more" : "to be deleted")",
        objectIDs: [owner.objectID, object.objectID])
    }
    return nil
  }
}
