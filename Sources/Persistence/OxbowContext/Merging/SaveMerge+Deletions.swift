internal import OxbowModel
internal import OxbowStore

// Deletions of one side that meet changes of the other.

extension SaveMerge {
  /// Takes back each deletion that deleted an object, as a whole: cascades and removed links too.
  func takeBackDeletions(of object: ManagedObject) {
    while let index = context.unsaved.deletions.firstIndex(where: { $0.objects.contains(object) }) {
      let deletion = context.unsaved.deletions.remove(at: index)
      for object in deletion.objects where object._state.contains(.deleted) { undelete(object) }
      let links = deletion.links.reversed().filter { link in
        [link.owner, link.member].allSatisfy { $0._state.isDisjoint(with: [.deleted, .detached]) }
      }
      for link in links { linkAgain(link.owner, link.relationship, link.member) }
      takePlaces(atEndsOf: links)
    }
    undelete(object)
  }

  /// Puts the ends of links that were made again where they were in orders, each order once.
  private func takePlaces(atEndsOf links: [Deletion.Link]) {
    var arranged: Set<UndoEnd> = []
    func arrange(_ object: ManagedObject, _ relationship: CompiledRelationship) {
      let end = UndoEnd(object: object.reference, property: relationship.property)
      if arranged.insert(end).inserted { object.takePlaces(relationship) }
    }
    for link in links {
      arrange(link.owner, link.relationship)
      if let inverse = context.model.inverse(of: link.relationship) {
        arrange(link.member, inverse)
      }
    }
  }

  /// Links two objects whose link was removed: each has the place again that the store has, or that
  /// it had in an order that was not saved.
  private func linkAgain(
    _ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject
  ) {
    context.link(owner, relationship, member)
    owner.forgetReturn(of: member.reference, relationship)
    guard let inverse = context.model.inverse(of: relationship) else { return }
    member.forgetReturn(of: owner.reference, inverse)
  }

  private func undelete(_ object: ManagedObject) {
    context.takeBackDeletion(of: object)
    if object.overlay?.hasEdits == true {
      object._state.remove(.updated)
      context.markUpdated(object)
    }
  }

  /// Deletes an object that is gone from the store, with the links in memory that lead to it.
  mutating func acceptDeletion(of object: ManagedObject) {
    for property in object.entity.relationships {
      guard let relationship = property.relationship else { continue }
      let added = object.collection(property).map { context.objects(at: $0.added) } ?? []
      let others =
        property.slot >= 0 && object._state.contains(.fault)
        ? [] : context.readObjects(of: property, object)
      for other in others + added where !other._state.contains(.deleted) {
        context.unlink(object, relationship, other)
      }
    }
    if !object._state.contains(.deleted) { context.unsaved.delete(object) }
    context.inverses.noteDeletion(of: object)
    gone.insert(object.reference)
    context.inverses.doubt()
  }

  /// Resolves a save that leads to objects which are gone from the store.
  mutating func mergeMissing(
    after error: PersistenceError, _ changes: ChangeSet
  ) throws(PersistenceError) {
    guard policy.takesDeletionsBack else { throw error }
    let new = Set(changes.inserts.map { ObjectReference(entity: $0.entity, key: $0.key) })
    let ends = Set(changes.links.flatMap { [$0.owner, $0.member] }).subtracting(new)
    let rows = try context.storedRows(of: ends)
    let missing = ends.filter {
      rows[context.identity.root($0)] == nil && !gone.contains($0)
    }
    .sorted { $0.precedes($1) }
    guard !missing.isEmpty else { throw error }
    for reference in missing {
      let object = context.object(at: reference)
      conflicts.append(conflict(of: object, nil))
      acceptDeletion(of: object)
    }
  }
}
