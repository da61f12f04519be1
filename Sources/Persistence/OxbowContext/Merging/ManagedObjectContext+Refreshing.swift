public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Forgets an object's unsaved changes, and reads its row again with its next access.
  ///
  /// A change of a link is forgotten at both ends, for the object's to-one and many-to-many
  /// relationships. The members of a one-to-many relationship keep theirs, which are changes of the
  /// members. A deleted object is no longer deleted; what its deletion did to others stays, but
  /// links without an inverse lead to it again. A new object, which has no row yet, stays as it is.
  /// Of an object that a getter could not read and that has been removed since, the error is
  /// forgotten, which would have refused the next save.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context; why the row
  ///   could not be read, if it must be compared at once with a link that others have taken over;
  ///   `insideTransaction` if it would forget changes that a transactional call will save.
  public func refresh(_ object: ManagedObject) throws(PersistenceError) {
    try refresh(object, mergingChanges: false)
  }

  /// Reads an object's row again, and keeps the object's unsaved changes if `mergingChanges`.
  ///
  /// Merging reads the row at once. The changes become changes of the newer row, so that a save no
  /// longer conflicts with earlier saves of others; everything else, members of relationships
  /// included, is as in the store. A deleted object stays deleted. Without unsaved changes, or
  /// without merging, this is ``refresh(_:)``.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context; `rowGone` if
  ///   the row was deleted meanwhile, and why it could not be read: nothing has changed then.
  public func refresh(
    _ object: ManagedObject, mergingChanges: Bool
  ) throws(PersistenceError) {
    try begin("refresh")
    if object.isOrphan, object.token === token, faults.standIns[object.reference] != nil {
      return faults.forget(object)
    }
    try requireOwn([object], "refresh")
    // A one-to-one end that both sides changed is linked again, for which other rows are read.
    let mayReadOthers =
      (mergingChanges || object.isInserted)
      && object.entity.relationships.contains {
        $0.relationship?.isOneToOne == true && object.isEdited($0)
      }
    try asAWhole(mayReadOthers) { () throws(PersistenceError) in
      try refreshOwn(object, mergingChanges)
    }
  }

  private func refreshOwn(
    _ object: ManagedObject, _ mergingChanges: Bool
  ) throws(PersistenceError) {
    let merges = mergingChanges && !object._state.isDisjoint(with: .changed)
    if object.isInserted {
      return try mergeReturn(of: object, merges ? .mergeByPropertyObjectTrump : .rollback)
    }
    guard merges else { return try forgetEdits(of: object) }
    if !object.isFault { try mergeEdits(of: object) }
    forgetLoadedMembers(of: object)
    faults.forget(object)
  }

  private func forgetEdits(of object: ManagedObject) throws(PersistenceError) {
    try requireUnmarked("refresh", !object._state.isDisjoint(with: .changed))
    unsaved.conditions[object.reference] = nil
    takeBackDeletions(of: [object])
    withoutRecording {
      for property in object.entity.relationships { takeBackLinks(of: object, property) }
    }
    let remaining = remainingLinks(of: object)
    let old = (slab: object._slab, row: Int(object._row))
    object.becomeFault(model, owner: token)
    inverses.doubt()
    faults.forget(object)
    try restore(remaining, to: object, old.slab, old.row)
  }

  /// Makes changes, and takes all of them back if they fail halfway.
  private func asAWhole(
    _ mayFailHalfway: Bool, _ change: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    let memento = mayFailHalfway ? GraphMemento(of: self) : nil
    do throws(PersistenceError) { try change() } catch {
      memento?.restore(self)
      throw error
    }
  }

  /// Reads all objects again with their next access, and keeps unsaved changes if `mergingChanges`.
  ///
  /// - Throws: ``PersistenceError`` as ``refresh(_:mergingChanges:)``; nothing has changed then.
  /// - Complexity: O(objects), and one request for each changed object whose changes are merged.
  public func refreshAllObjects(mergingChanges: Bool = true) throws(PersistenceError) {
    try begin("refresh")
    try asAWhole(!unsaved.isEmpty) { () throws(PersistenceError) in
      for object in identity.filter({ !$0._state.contains(.fault) }) where !object.isOrphan {
        try refreshOwn(object, mergingChanges)
      }
    }
  }

  /// Makes the edits of an object changes of the stored row.
  private func mergeEdits(of object: ManagedObject) throws(PersistenceError) {
    guard let row = try storedRow(of: object) else { throw .rowGone([object.objectID]) }
    guard !object.isDeleted else { return takeOver(row, at: object) }
    try merge(object, row, .mergeByPropertyObjectTrump)
  }

  /// Makes an object that came back one of the store, if another context has written it again; a
  /// new object stays as it is.
  private func mergeReturn(
    of object: ManagedObject, _ policy: MergePolicy
  ) throws(PersistenceError) {
    guard object.isReturning, let row = try storedRow(of: object) else { return }
    if policy == .rollback { try requireUnmarked("refresh", true) }
    try merge(object, row, policy)
  }

  private func storedRow(of object: ManagedObject) throws(PersistenceError) -> SlabRow? {
    statistics.fetches += 1
    let row = try storedRows(of: [object.reference])[identity.root(object.reference)]
    return row.flatMap { $0.slab._entity($0.row) == object.entityIndex ? $0 : nil }
  }

  private func merge(
    _ object: ManagedObject, _ row: SlabRow, _ policy: MergePolicy
  ) throws(PersistenceError) {
    try withoutRecording { () throws(PersistenceError) in
      try SaveMerge(in: self).merge(object, row, policy)
    }
  }

  /// Forgets loaded members, and keeps which came and went.
  private func forgetLoadedMembers(of object: ManagedObject) {
    for property in object.entity.relationships where object.collection(property) != nil {
      object.updateCollection(property) { if !$0.isReordered { $0.forgetMembers() } }
    }
  }

  /// Takes back the deletions of those `objects` that the next save deletes.
  func takeBackDeletions(of objects: [ManagedObject]) {
    let deleted = objects.filter { $0._state.contains(.deleted) }
    for object in deleted {
      unsaved.undelete(object)
      inverses.takeBackDeletion(of: object.reference)
    }
    noteVisibility(of: deleted)
    for object in deleted { tieAgain(object) }
  }

  /// Takes back an unsaved change of a relationship, at both ends.
  func takeBackLinks(of object: ManagedObject, _ property: CompiledProperty) {
    guard let relationship = property.relationship,
      let inverse = model.inverse(of: relationship), object.isEdited(property)
    else { return }
    if !relationship.isToMany {
      let partner = object.destination(of: property).flatMap { registered($0) }
      if let partner { unlink(object, relationship, partner) }
      relinkAsStored(object, relationship)
      if let partner, !inverse.isToMany { relinkAsStored(partner, inverse) }
    } else if relationship.storage != .inverseKey, let state = object.collection(property) {
      for member in objects(at: state.added) { unlink(object, relationship, member) }
      for member in objects(at: state.removed) where !member.isDeleted {
        link(object, relationship, member)
        member.forgetReturn(of: object.reference, inverse)
        member.takePlaces(inverse)
        object.forgetReturn(of: member.reference, relationship)
      }
      object.takePlaces(relationship)
    }
  }

  /// Takes back the change of a to-one end, also at the end that its row leads to, unless that is
  /// deleted or others have taken it.
  ///
  /// An end whose own row leads elsewhere stays: one of the rows is out of date, and a link of the
  /// two would be a new change.
  private func relinkAsStored(_ object: ManagedObject, _ relationship: CompiledRelationship) {
    let property = object.entity.properties[relationship.property]
    guard !object.isInserted, object.isEdited(property),
      let inverse = model.inverse(of: relationship),
      let stored = object.storedReference(property)
    else { return }
    let other = self.object(at: stored)
    let back = other.entity.properties[inverse.property]
    if other.isDeleted || other.isTaken(back) { return }
    guard other.wasUnlinked(back, from: object) else { return takeBackKey(of: object, property) }
    link(object, relationship, other)
    other.forgetReturn(of: object.reference, inverse)
    other.takePlaces(inverse)
  }

  /// The edits of relationships that others depend on: links that they have taken over, and the
  /// unsaved links of members.
  private func remainingLinks(of object: ManagedObject) -> [(index: Int, cell: Overlay.Cell)] {
    guard let overlay = object.overlay else { return [] }
    return object.entity.relationships.compactMap { property in
      var cell = overlay[property.index]
      if case .collection(var state) = cell {
        state.forgetMembers()
        cell = .collection(state)
      }
      guard let relationship = property.relationship, relationship.inverse != nil else {
        return nil
      }
      let isOfOthers = property.slot >= 0 ? cell.isNull : relationship.storage == .inverseKey
      return cell.isEdit && isOfOthers ? (property.index, cell) : nil
    }
  }

  /// Restores the edits that others depend on.
  ///
  /// A key that others have taken stays cleared only if the row, which is read again, still has it.
  private func restore(
    _ links: [(index: Int, cell: Overlay.Cell)], to object: ManagedObject, _ slab: RowSlab,
    _ row: Int
  ) throws(PersistenceError) {
    var links = links
    let keys = links.map { object.entity.properties[$0.index] }.filter { $0.slot >= 0 }
    if !keys.isEmpty {
      // The save compares a key with the row.
      statistics.fetches += 1
      if !(try read([object])).isEmpty { throw .rowGone([object.objectID]) }
      endLinksEndedElsewhere(of: object)
      let moved = keys.filter {
        object.storedReference($0) != slab.reference(row, $0)
      }
      links.removeAll { link in moved.contains { $0.index == link.index } }
    }
    guard !links.isEmpty else { return }
    let overlay = object.makeOverlay()
    for link in links { overlay[link.index] = link.cell }
    markUpdated(object)
  }
}

extension ManagedObject {
  fileprivate final func isTaken(_ property: CompiledProperty) -> Bool {
    if case .object? = overlay?[property.index] { true } else { false }
  }

  /// Whether an unsaved change removed an end's link to an object, to which its row leads.
  fileprivate final func wasUnlinked(_ property: CompiledProperty, from object: ManagedObject)
    -> Bool
  {
    if let state = collection(property) { return state.removed.contains(object.reference) }
    return isEdited(property) && storedReference(property) == object.reference
  }

  /// Gives a member whose removal was taken back its stored position; ``takePlaces(_:)`` gives it a
  /// position in an unsaved order.
  final func forgetReturn(
    of member: ObjectReference, _ relationship: CompiledRelationship
  ) {
    guard relationship.isOrdered else { return }
    updateCollection(entity.properties[relationship.property]) { $0.forgetReturn(of: member) }
    forgetUpdateWithoutEdits()
  }

  /// Puts members whose removals were taken back where they were in an unsaved order.
  final func takePlaces(_ relationship: CompiledRelationship) {
    guard relationship.isOrdered else { return }
    updateCollection(entity.properties[relationship.property]) { $0.takePlaces() }
    forgetUpdateWithoutEdits()
  }
}
