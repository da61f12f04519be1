internal import OxbowModel
internal import OxbowStore

// Deletions of one side that meet changes of the other.

extension SaveMerge {
  /// Takes back the deletion of an object as a whole, with cascades and removed links.
  ///
  /// - Throws: ``PersistenceError``: why the rows of linked objects could not be read.
  func takeBackDeletion(of object: ManagedObject) throws(PersistenceError) {
    if let deletion = context.unsaved.takeDeletion(of: object) {
      try DeltaApplier(deletion.inverted, in: context).takeBack()
    }
    DeltaApplier(GraphDelta(), in: context).undelete([object])
  }

  /// Deletes an object that the store no longer has, with the links in memory that lead to it.
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

  /// Resolves a save that leads to objects which the store no longer has.
  mutating func mergeMissing(
    after error: PersistenceError, _ changes: ChangeSet
  ) throws(PersistenceError) {
    guard policy.takesDeletionsBack else { throw error }
    let new = Set(changes.inserts.map(\.reference))
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
