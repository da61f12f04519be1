public import OxbowModel
internal import OxbowStore

// A delete reads all that its rules need first, and changes nothing before everything is there.

extension ManagedObjectContext {
  /// Deletes an object with the next save, and applies the delete rules of its relationships in
  /// memory at once.
  ///
  /// The rule deny is checked by the save: until then, the objects that deny it may be deleted or
  /// their links removed. A new object is gone at once, so its rules are checked here.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context, why a
  ///   related object could not be read, `validation` when a rule of a new object denies it.
  ///   Nothing was deleted then.
  /// - Complexity: One request for each relationship and each level of a cascade, whatever the
  ///   fault policy is, and only for what was not read yet.
  public func delete(_ object: ManagedObject) throws(PersistenceError) {
    try begin("delete")
    try requireOwn([object], "delete")
    let deletions = try preparedDeletions(from: object)
    let all = Set(deletions)
    for object in deletions where object.isInserted { try checkDenials(of: object, among: all) }
    if mergePolicy.takesDeletionsBack { self.deletions.append(Deletion(objects: deletions)) }
    for object in deletions { removeLinks(of: object, among: all) }
    for object in deletions { markDeleted(object) }
    doubtCollections()
  }

  /// The object and all that cascading rules delete with it, after `prepareForDeletion()` of those
  /// that have it, which may change what the cascade reaches.
  private func preparedDeletions(from object: ManagedObject) throws(PersistenceError)
    -> [ManagedObject]
  {
    guard hooks.all.contains(.prepareForDeletion) else {
      return try deletions(cascadingFrom: object)
    }
    // A hook that deletes its own object has its wish already.
    if preparing.contains(object) { return [] }
    var asked: Set<ManagedObject> = []
    defer { preparing.subtract(asked) }
    for _ in 0..<Self.hookRounds where !object.isOrphan {
      let deletions = try deletions(cascadingFrom: object)
      let fresh = deletions.filter {
        hooks.has(.prepareForDeletion, $0.entityIndex) && !preparing.contains($0)
      }
      if fresh.isEmpty { return deletions }
      asked.formUnion(fresh)
      preparing.formUnion(fresh)
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
      "'\(object)' was not deleted: in each of \(Self.hookRounds) rounds, prepareForDeletion() gave "
        + "it more objects that are deleted with it", objectIDs: [object.objectID])
  }

  private func checkDenials(of object: ManagedObject, among deletions: Set<ManagedObject>)
    throws(PersistenceError)
  {
    if let denial = try denials(of: object, among: deletions).first { throw denial }
  }

  /// The relationships that deny the deletion of an object, because it leads by them to others that
  /// are not deleted with it.
  func denials(of object: ManagedObject, among deletions: Set<ManagedObject> = [])
    throws(PersistenceError) -> [PersistenceError]
  {
    var denials: [PersistenceError] = []
    for property in object.entity.relationships
    where property.relationship?.deleteRule == .deny {
      if property.slot < 0 && object.loadedMembers(of: property) == nil {
        try readMembers(of: property, [object])
      }
      let blockers = try throwing { readObjects(of: property, object) }.filter {
        !$0.isDeleted && !deletions.contains($0)
      }
      if blockers.isEmpty { continue }
      let names = PersistenceError.listed(blockers.map(\.description))
      denials.append(
        .validation(
          "'\(object)' was not deleted: the rule of '\(property.name)' is deny, and it leads to "
            + "\(names); delete or untie these as well",
          rule: .deny, property: property.name, object: object.objectID,
          objectIDs: [object.objectID] + blockers.map(\.objectID)))
    }
    return denials
  }

  /// The object and all that cascading rules delete with it, with everything read that is needed.
  func deletions(cascadingFrom object: ManagedObject) throws(PersistenceError)
    -> [ManagedObject]
  {
    var deletions: [ManagedObject] = []
    var known: Set<ManagedObject> = []
    var level = [object]
    while !level.isEmpty {
      var fresh = level.filter { !$0.isDeleted && known.insert($0).inserted }
      let gone = try readRows(of: fresh)
      if gone.contains(object) { throw .rowGone([object.objectID]) }
      fresh.removeAll { gone.contains($0) }
      try readEnds(of: fresh)
      deletions += fresh
      level = fresh.flatMap { object in
        object.entity.relationships.filter { $0.relationship?.deleteRule == .cascade }
          .flatMap { readObjects(of: $0, object) }
      }
    }
    return deletions
  }

  /// Reads the rows of objects that have keys of others in them, and of all while deletions can be
  /// undone.
  ///
  /// - Returns: Those whose row is gone.
  private func readRows(of objects: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    let faults = objects.filter { object in
      object.isFault
        && (undoLog != nil || object.entity.relationships.contains { $0.slot >= 0 })
    }
    guard !faults.isEmpty else { return [] }
    statistics.fetches += 1
    return try read(faults)
  }

  /// Reads the collections that the deletion of `objects` changes, and the rows at their other
  /// ends.
  private func readEnds(of objects: [ManagedObject]) throws(PersistenceError) {
    var others: [ManagedObject] = []
    for (property, owners) in relationships(of: objects) {
      if property.slot < 0 {
        let unread = owners.filter { $0.loadedMembers(of: property) == nil }
        if !unread.isEmpty { statistics.fetches += 1 }
        try readMembers(of: property, unread)
      }
      guard let inverse = property.relationship.flatMap({ model.inverse(of: $0) }),
        !inverse.isToMany
      else { continue }
      others += owners.flatMap { readObjects(of: property, $0) }
    }
    if undoLog != nil { try readOrders(of: objects) }
    // A row at the other end that is gone needs no change.
    let faults = others.filter(\.isFault)
    guard !faults.isEmpty else { return }
    statistics.fetches += 1
    _ = try read(faults)
  }

  /// Reads the ordered collections at the other ends of objects, whose places would be lost.
  func readOrders(of objects: [ManagedObject]) throws(PersistenceError) {
    for (property, owners) in relationships(of: objects) {
      guard let inverse = property.relationship.flatMap({ model.inverse(of: $0) }),
        inverse.isOrdered
      else { continue }
      try readOrders(of: owners.flatMap { readObjects(of: property, $0) }, inverse)
    }
  }

  /// Reads an ordered relationship of those objects that have not read it.
  func readOrders(
    of objects: [ManagedObject], _ relationship: CompiledRelationship
  ) throws(PersistenceError) {
    let property = model.entities[relationship.entity].properties[relationship.property]
    let unread = Set(objects).filter { $0.loadedMembers(of: property) == nil && !$0.isInserted }
    guard !unread.isEmpty else { return }
    statistics.fetches += 1
    try readMembers(of: property, Array(unread))
  }

  /// The relationships that a deletion changes, each with the objects that have it.
  private func relationships(of objects: [ManagedObject])
    -> [(property: CompiledProperty, owners: [ManagedObject])]
  {
    var groups: [RelationshipID: (property: CompiledProperty, owners: [ManagedObject])] = [:]
    for object in objects {
      for property in object.entity.relationships {
        guard let relationship = property.relationship,
          object.isInserted || relationship.isChangedByDeletion
        else { continue }
        groups[relationship.id, default: (property, [])].owners.append(object)
      }
    }
    return Array(groups.values)
  }

  /// Removes the links of an object to all that is not deleted with it.
  ///
  /// Rule no action leaves the other end as it is, but a link in rows of its own ends with either
  /// of its objects, and nothing leads to what was never saved. Rule deny leaves both ends: the
  /// save asks them.
  private func removeLinks(of object: ManagedObject, among deletions: Set<ManagedObject>) {
    for property in object.entity.relationships {
      guard let relationship = property.relationship else { continue }
      if undoLog != nil { noteRemainingLinks(of: object, property, among: deletions) }
      guard object.isInserted || relationship.isChangedByDeletion,
        relationship.deleteRule != .deny
      else { continue }
      for other in readObjects(of: property, object)
      where relationship.isJoined || !deletions.contains(other) {
        unlink(object, relationship, other)
        if mergePolicy.takesDeletionsBack, !deletions.isEmpty {
          self.deletions[self.deletions.count - 1].links.append((object, relationship, other))
        }
      }
    }
  }

  /// Notes the links of an object that its deletion leaves, so that they can come back with it:
  /// those to objects that are deleted with it, and what its own row leads to.
  private func noteRemainingLinks(
    of object: ManagedObject, _ property: CompiledProperty, among deletions: Set<ManagedObject>
  ) {
    guard let relationship = property.relationship, !relationship.isJoined else { return }
    let isLeft = !object.isInserted && !relationship.isChangedByDeletion
    for other in readObjects(of: property, object)
    where deletions.contains(other) || isLeft && property.slot >= 0 {
      undoLog?.noteOrder(object, property)
      undoLog?.noteLink(object, relationship, other.reference, isAdded: false)
    }
  }

  func markDeleted(_ object: ManagedObject) {
    undoLog?.noteDeletion(object)
    if !model.referrers[object.entityIndex].isEmpty {
      deletedTargets.insert(object.reference)
    }
    if object.isInserted {
      expel(object)
    } else {
      unsaved.delete(object)
      token.unsavedWork.isPresent = true
      noteVisibility(of: object.reference)
    }
  }
}

extension CompiledRelationship {
  /// Whether links are rows of their own.
  var isJoined: Bool { storage == .joinRows || storage == .joinRowsOfInverse }

  /// Whether deleting an object changes its links.
  fileprivate var isChangedByDeletion: Bool { deleteRule != .noAction || isJoined }
}
