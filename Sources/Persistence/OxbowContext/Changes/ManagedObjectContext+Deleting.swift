public import OxbowModel
internal import OxbowStore

// A deletion reads everything that its rules need first, and changes nothing before.

extension ManagedObjectContext {
  /// Deletes an object with the next save, and applies the delete rules of its relationships in
  /// memory at once.
  ///
  /// The rule deny is checked by the save: until then, the objects that deny it may be deleted or
  /// their links removed. A new object is gone at once, with its links, and nothing denies that,
  /// because no save has seen it.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context, why a
  ///   related object could not be read. Nothing was deleted then.
  /// - Complexity: One request for each relationship and each level of a cascade, whatever the
  ///   fault policy is, and only for what was not read yet.
  public func delete(_ object: ManagedObject) throws(PersistenceError) {
    try begin("delete")
    try requireOwn([object], "delete")
    try applyDeletion(of: object)
  }

  func applyDeletion(of object: ManagedObject) throws(PersistenceError) {
    let deletions = try preparedDeletions(from: object)
    if mergePolicy.takesDeletionsBack { unsaved.note(deletionOf: deletions) }
    // A bit of each object, because a set would cost more than the deletion (docs/performance.md,
    // T/cascade).
    for object in deletions { object._state.insert(.deleting) }
    for object in deletions { removeLinks(of: object) }
    for object in deletions { object._state.remove(.deleting) }
    for object in deletions { markDeleted(object) }
    noteVisibility(of: deletions)
    inverses.doubt()
  }

  /// The object and all that cascading rules delete with it, after their `prepareForDeletion()`,
  /// which may change what the cascade reaches.
  private func preparedDeletions(from object: ManagedObject) throws(PersistenceError)
    -> [ManagedObject]
  {
    guard hooks.all.contains(.prepareForDeletion) else {
      return try deletions(cascadingFrom: object)
    }
    // A hook that deletes its own object needs nothing more.
    if work.preparing.contains(object) { return [] }
    var asked: Set<ManagedObject> = []
    defer { work.preparing.subtract(asked) }
    for _ in 0..<RunningHook.rounds where !object.isOrphan {
      let deletions = try deletions(cascadingFrom: object)
      let fresh = deletions.filter {
        hooks.has(.prepareForDeletion, $0.entityIndex) && !work.preparing.contains($0)
      }
      if fresh.isEmpty { return deletions }
      asked.formUnion(fresh)
      work.preparing.formUnion(fresh)
      for object in fresh {
        running("prepareForDeletion()") {
          (object as? any PrepareForDeletionHook)?.prepareForDeletion()
        }
      }
      try throwPendingFault()
    }
    if object.isOrphan { return [] }
    throw PersistenceError(
      .unsettledHooks,
      "'\(object)' was not deleted: in each of \(RunningHook.rounds) rounds, prepareForDeletion() gave "
        + "it more objects that are deleted with it", objectIDs: [object.objectID])
  }

  /// The errors of the relationships that deny the deletion of an object, because they lead to
  /// objects that are not deleted with it.
  func denials(of object: ManagedObject) throws(PersistenceError) -> [PersistenceError] {
    var denials: [PersistenceError] = []
    for property in deletionPlan(of: object).denying {
      if property.slot < 0 && object.loadedMembers(of: property) == nil {
        try readMembers(of: property, [object])
      }
      let blockers = try throwing { readObjects(of: property, object) }.filter {
        $0._state.isDisjoint(with: [.deleted, .deleting])
      }
      if blockers.isEmpty { continue }
      let names = PersistenceError.listed(blockers.map(\.description))
      denials.append(
        .validation(
          "'\(object)' was not deleted: the rule of '\(property.name)' is deny, and it leads to "
            + "\(names); delete these too, or end their links",
          rule: .deny, property: property.name, object: object.objectID,
          objectIDs: [object.objectID] + blockers.map(\.objectID)))
    }
    return denials
  }

  func deletionPlan(of object: ManagedObject) -> DeletionPlan {
    model.deletionPlans[object.entityIndex]
  }

  /// The object and all that cascading rules delete with it, after reading everything that is
  /// needed.
  func deletions(cascadingFrom object: ManagedObject) throws(PersistenceError)
    -> [ManagedObject]
  {
    var met: [ManagedObject] = []
    var gone: Set<ManagedObject> = []
    defer { for object in met { object._state.remove(.deleting) } }
    var level = [object]
    while !level.isEmpty {
      var fresh = level.filter { $0.beginsDeletion() }
      met += fresh
      let missing = try readRows(of: fresh)
      if missing.contains(object) { throw .rowGone([object.objectID]) }
      gone.formUnion(missing)
      if !missing.isEmpty { fresh.removeAll { gone.contains($0) } }
      try readEnds(of: fresh)
      level = cascade(from: fresh)
    }
    return gone.isEmpty ? met : met.filter { !gone.contains($0) }
  }

  /// The objects that cascading rules lead to.
  private func cascade(from objects: [ManagedObject]) -> [ManagedObject] {
    var level: [ManagedObject] = []
    for object in objects {
      for property in deletionPlan(of: object).cascading {
        level += readObjects(of: property, object)
      }
    }
    return level
  }

  /// Reads the rows of objects that contain keys of others, and of all objects while deletions can
  /// be undone.
  ///
  /// - Returns: Those whose row is gone.
  private func readRows(of objects: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    let faults = objects.filter { object in
      object._state.contains(.fault) && (undoLog != nil || deletionPlan(of: object).hasKeys)
    }
    guard !faults.isEmpty else { return [] }
    statistics.fetches += 1
    return try read(faults)
  }

  /// Reads the collections that the deletion of `objects` changes, and the rows at their other
  /// ends.
  private func readEnds(of objects: [ManagedObject]) throws(PersistenceError) {
    var faults: [ManagedObject] = []
    let ends = owners(of: objects) { object, plan in
      object._state.contains(.inserted) ? plan.readOfNew : plan.read
    }
    for (property, owners) in ends {
      if property.slot < 0 {
        let unread = owners.filter { $0.loadedMembers(of: property) == nil }
        if !unread.isEmpty { statistics.fetches += 1 }
        try readMembers(of: property, unread)
      }
      guard let inverse = property.relationship.flatMap({ model.inverse(of: $0) }),
        !inverse.isToMany
      else { continue }
      for owner in owners { faults += self.faults(of: property, owner) }
    }
    if undoLog != nil { try readOrders(of: objects) }
    // A later relationship may have read some of them; a row that is gone needs no change.
    faults.removeAll { !$0._state.contains(.fault) }
    guard !faults.isEmpty else { return }
    statistics.fetches += 1
    _ = try read(faults)
  }

  /// The objects of a relationship whose rows were not read.
  func faults(of property: CompiledProperty, _ owner: ManagedObject) -> [ManagedObject] {
    guard property.relationship?.isToMany == true else {
      return readObjects(of: property, owner).filter { $0._state.contains(.fault) }
    }
    let unread = (confirmedMembers(of: property, owner) ?? MemberList()).filter {
      registered($0)?._state.contains(.fault) != false
    }
    return unread.isEmpty ? [] : objects(at: unread)
  }

  /// Reads the ordered collections at the other ends of objects, whose places would be lost.
  func readOrders(of objects: [ManagedObject]) throws(PersistenceError) {
    let ends = owners(of: objects) { object, plan in
      object._state.contains(.inserted) ? object.entity.relationships : plan.changed
    }
    for (property, owners) in ends {
      guard let inverse = property.relationship.flatMap({ model.inverse(of: $0) }),
        inverse.isOrdered
      else { continue }
      try readOrders(of: owners.flatMap { readObjects(of: property, $0) }, inverse)
    }
  }

  /// Reads an ordered relationship of the objects that have not read it.
  func readOrders(
    of objects: [ManagedObject], _ relationship: CompiledRelationship
  ) throws(PersistenceError) {
    let property = model.property(relationship.id)
    let unread = Set(objects).filter { $0.loadedMembers(of: property) == nil && !$0.isInserted }
    guard !unread.isEmpty else { return }
    statistics.fetches += 1
    try readMembers(of: property, Array(unread))
  }

  /// Relationships, each with the objects that have it.
  private func owners(
    of objects: [ManagedObject],
    _ properties: (ManagedObject, DeletionPlan) -> [CompiledProperty]
  ) -> [(property: CompiledProperty, owners: [ManagedObject])] {
    var groups: [RelationshipID: (property: CompiledProperty, owners: [ManagedObject])] = [:]
    for object in objects {
      for property in properties(object, deletionPlan(of: object)) {
        guard let id = property.relationship?.id else { continue }
        groups[id, default: (property, [])].owners.append(object)
      }
    }
    return Array(groups.values)
  }

  /// Removes the links of an object to all objects that are not deleted with it.
  ///
  /// The rule no action leaves the other end as it is, but a link in a row of its own ends with
  /// either of its objects, and nothing leads to an unsaved object. The rule deny leaves both ends
  /// of saved objects, and the save checks them.
  private func removeLinks(of object: ManagedObject) {
    let isNew = object._state.contains(.inserted)
    let looksAtAll = isNew || undoLog != nil
    let changed = deletionPlan(of: object).changed
    if undoLog != nil { removeLinksToDeleted(of: object) }
    for property in looksAtAll ? object.entity.relationships : changed {
      guard let relationship = property.relationship else { continue }
      if undoLog != nil { noteRemainingLinks(of: object, property) }
      guard isNew || relationship.isChangedByDeletion && relationship.deleteRule != .deny
      else { continue }
      for other in remainingObjects(of: property, relationship, object) {
        unlink(object, relationship, other)
        if mergePolicy.takesDeletionsBack {
          unsaved.noteLink(endedByDeletionOf: object, relationship, other)
        }
      }
    }
  }

  /// The objects of a relationship whose links must be removed: those that are not deleted too; all
  /// of them for links in rows of their own; and all saved ones for a new object, because nothing
  /// may lead to what is gone at once.
  private func remainingObjects(
    of property: CompiledProperty, _ relationship: CompiledRelationship, _ object: ManagedObject
  ) -> [ManagedObject] {
    if relationship.isJoined { return readObjects(of: property, object) }
    let leaving = object.isInserted ? [.deleting, .inserted] : ObjectState.deleting
    func isLeaving(_ reference: ObjectReference) -> Bool {
      registered(reference)?._state.isSuperset(of: leaving) == true
    }
    if relationship.isToMany {
      let members = confirmedMembers(of: property, object) ?? MemberList()
      let remaining = members.filter { !isLeaving($0) }
      return remaining.isEmpty ? [] : objects(at: remaining)
    }
    // The end in memory is checked before both ends are compared.
    if inverses.overtaken.isEmpty, let reference = object.destination(of: property),
      isLeaving(reference)
    {
      return []
    }
    return readObjects(of: property, object).filter { !$0._state.isSuperset(of: leaving) }
  }

  /// Notes the links of an object that its deletion leaves, so that they can come back with it:
  /// those to objects that are deleted with it, and those in its own row.
  private func noteRemainingLinks(of object: ManagedObject, _ property: CompiledProperty) {
    guard let relationship = property.relationship, !relationship.isJoined else { return }
    let isLeft = !object.isInserted && !relationship.isChangedByDeletion
    for other in readObjects(of: property, object)
    where other._state.contains(.deleting) || isLeft && property.slot >= 0 {
      undoLog?.noteOrder(object, property)
      undoLog?.noteLink(object, relationship, other.reference, isAdded: false)
    }
  }

  func markDeleted(_ object: ManagedObject) {
    undoLog?.noteDeletion(object)
    inverses.noteDeletion(of: object)
    if object.isInserted {
      expel(object)
    } else {
      unsaved.delete(object)
      token.unsavedWork.isPresent = true
    }
  }
}

extension ManagedObject {
  /// Makes the object one that the running deletion deletes, unless it already is or will be
  /// deleted by the next save.
  fileprivate final func beginsDeletion() -> Bool {
    guard _state.isDisjoint(with: [.deleted, .deleting]) else { return false }
    _state.insert(.deleting)
    return true
  }
}
