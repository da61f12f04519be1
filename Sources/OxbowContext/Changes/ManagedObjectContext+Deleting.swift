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
    let deletions = try deletions(cascadingFrom: object)
    let all = Set(deletions)
    for object in deletions where object.isInserted { try checkDenials(of: object, among: all) }
    for object in deletions { removeLinks(of: object, among: all) }
    for object in deletions { markDeleted(object) }
    doubtCollections()
  }

  /// Throws when an object that is to be deleted still leads to others, not to be deleted with it,
  /// by a relationship that denies it.
  func checkDenials(of object: ManagedObject, among deletions: Set<ManagedObject> = [])
    throws(PersistenceError)
  {
    for property in object.entity.relationships
    where property.relationship?.deleteRule == .deny {
      if property.slot < 0 && object.loadedMembers(of: property) == nil {
        try readMembers(of: property, [object])
      }
      let blockers = try throwing { readObjects(of: property, object) }.filter {
        !$0.isDeleted && !deletions.contains($0)
      }
      guard blockers.isEmpty else {
        let names = PersistenceError.listed(blockers.map(\.description))
        throw PersistenceError(
          .validation,
          "'\(object)' was not deleted: the rule of '\(property.name)' is deny, and it leads to "
            + "\(names); delete or untie these as well",
          objectIDs: [object.objectID] + blockers.map(\.objectID))
      }
    }
  }

  /// The object and all that cascading rules delete with it, with everything read that is needed.
  private func deletions(cascadingFrom object: ManagedObject) throws(PersistenceError)
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

  /// Reads the rows of objects that have keys of others in them.
  ///
  /// - Returns: Those whose row is gone.
  private func readRows(of objects: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    let faults = objects.filter { object in
      object.isFault && object.entity.relationships.contains { $0.slot >= 0 }
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
    // A row at the other end that is gone needs no change.
    let faults = others.filter(\.isFault)
    guard !faults.isEmpty else { return }
    statistics.fetches += 1
    _ = try read(faults)
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
      guard let relationship = property.relationship,
        object.isInserted || relationship.isChangedByDeletion, relationship.deleteRule != .deny
      else { continue }
      for other in readObjects(of: property, object)
      where relationship.isJoined || !deletions.contains(other) {
        unlink(object, relationship, other)
      }
    }
  }

  private func markDeleted(_ object: ManagedObject) {
    if !model.referrers[object.entityIndex].isEmpty {
      deletedTargets.insert(object.reference)
    }
    if object.isInserted {
      expel(object)
    } else {
      unsaved.delete(object)
      token.unsavedWork.isPresent = true
    }
  }
}

extension CompiledRelationship {
  /// Whether links are rows of their own.
  fileprivate var isJoined: Bool { storage == .joinRows || storage == .joinRowsOfInverse }

  /// Whether deleting an object changes its links.
  fileprivate var isChangedByDeletion: Bool { deleteRule != .noAction || isJoined }
}
