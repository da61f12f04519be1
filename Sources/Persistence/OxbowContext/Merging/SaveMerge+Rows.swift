internal import OxbowModel
internal import OxbowStore

// How a policy merges an object with the newer stored row.

extension SaveMerge {
  /// Merges the objects of a conflict with the stored rows.
  ///
  /// - Throws: ``PersistenceError``: the error itself, with the conflicts that the policy does not
  ///   resolve; why the rows could not be read.
  mutating func mergeRows(
    after error: PersistenceError, _ changes: ChangeSet
  ) throws(PersistenceError) {
    let objects = conflictingObjects(error)
    if objects.isEmpty {
      if try mergeLatecomers() { return }
      return try mergeMissing(after: error, changes)
    }
    let rows = try context.storedRows(of: objects.map(\.reference))
    // A row that another program wrote for a new object, or made one of another entity, is not a
    // newer row of the object.
    for object in objects {
      let row = rows[context.identity.root(object.reference)]
      let isOther = row.map { $0.slab._entity($0.row) != object.entityIndex } ?? false
      if isOther || object._state.contains(.inserted) && !object.isReturning { throw error }
    }
    let conflicts = objects.map {
      conflict(of: $0, rows[context.identity.root($0.reference)])
    }
    let unanswered = zip(objects, conflicts).filter { object, conflict in
      !isAnswered(conflict, object, rows[context.identity.root(object.reference)])
    }.map(\.1)
    guard unanswered.isEmpty else { throw error.adding(unanswered) }
    let links = oneToOneLinks(of: objects)
    for (object, conflict) in zip(objects, conflicts) {
      self.conflicts.append(conflict)
      try merge(object, rows[context.identity.root(object.reference)])
    }
    for link in links where rewritten.contains(link.object.reference) { try tieAgain(link) }
    // Collections that were read since are without them.
    for object in objects where rewritten.contains(object.reference) {
      context.align(object, replacing: nil)
    }
  }

  private func isAnswered(
    _ conflict: MergeConflict, _ object: ManagedObject, _ theirs: SlabRow?
  ) -> Bool {
    // A missing row does not meet a condition.
    if conflict.kind == .updateOfDeleted, policy.prevails, let overlay = object.overlay,
      context.unsaved.conditions[object.reference]?.predicate(of: overlay) != nil
    {
      return false
    }
    guard policy == .mergeByProperty else { return true }
    if object.isReturning, theirs == nil { return true }
    switch conflict.kind {
    case .update: return conflict.contestedProperties.isEmpty && !leadsToDeleted(object, theirs)
    case .delete: return true
    case .updateOfDeleted, .deleteOfUpdated, .uniqueness: return false
    }
  }

  private mutating func merge(
    _ object: ManagedObject, _ theirs: SlabRow?
  ) throws(PersistenceError) {
    switch (object._state.contains(.deleted), theirs) {
    case (true, nil):
      gone.insert(object.reference)
    case (true, let row?) where policy.takesDeletionsBack:
      try takeBackDeletion(of: object)
      try merge(object, row, policy)
      try keepTargets(of: object)
    case (true, let row?):
      context.takeOver(row, at: object)
    // Deleted again since: the next attempt inserts it.
    case (false, nil) where object.isReturning: break
    case (false, nil) where policy.prevails:
      rewritten.insert(object.reference)
    case (false, nil):
      acceptDeletion(of: object)
    case (false, let row?):
      rewritten.remove(object.reference)
      try merge(object, row, policy)
      try keepTargets(of: object)
    }
  }

  /// Whether others have led an end without inverse to a deleted object.
  private func leadsToDeleted(_ object: ManagedObject, _ theirs: SlabRow?) -> Bool {
    guard let theirs else { return false }
    return object.entity.relationships.contains { property in
      guard property.slot >= 0, property.relationship?.inverse == nil, !object.isEdited(property),
        let target = theirs.slab.reference(theirs.row, property)
      else { return false }
      return context.inverses.deletedTargets.contains(target)
    }
  }

  /// Takes back the deletion of objects that a newer row leads to, if the store wins.
  private func keepTargets(of object: ManagedObject) throws(PersistenceError) {
    guard policy.takesDeletionsBack else { return }
    for property in object.entity.relationships where property.slot >= 0 {
      guard !object.isEdited(property), let reference = object.storedReference(property),
        let target = context.registered(reference), target._state.contains(.deleted)
      else { continue }
      try takeBackDeletion(of: target)
      // The deletion has ended the link at the other end, which has a key too.
      guard let relationship = property.relationship, relationship.isOneToOne else { continue }
      context.link(object, relationship, target)
    }
  }

  /// Merges the edits of an object with a newer row, property by property.
  func merge(
    _ object: ManagedObject, _ theirs: SlabRow, _ policy: MergePolicy
  ) throws(PersistenceError) {
    let base = (slab: object._slab, row: Int(object._row))
    let isReturning = object.isReturning
    if isReturning { becomeUpdated(object) }
    var restored: [CompiledProperty] = []
    var relinked: [(CompiledProperty, ObjectReference?)] = []
    for property in object.entity.properties where property.slot >= 0 {
      // An increment is added to any value of the newer row.
      let isContested =
        isReturning || !isSame(property, base, theirs) && object.increment(of: property) == nil
      if object.isEdited(property) {
        let isLost =
          policy == .rollback || isContested && policy == .mergeByPropertyStoreTrump
          || isReturning && property.attribute?.derivation != nil
        if isContested, !isLost, property.relationship?.isOneToOne == true {
          // The object that the newer row leads to has a key too: linked again once it was read.
          relinked.append((property, object.destination(of: property)))
          takeBackEdit(of: object, property)
        }
        if isLost { takeBackEdit(of: object, property) }
      } else if isContested, !isReturning, policy == .overwrite,
        property.attribute?.derivation == nil
      {
        restored.append(property)
      }
    }
    if policy == .rollback {
      for property in object.entity.relationships where property.slot < 0 {
        context.takeBackLinks(of: object, property)
      }
    }
    context.takeOver(theirs, at: object)
    for property in restored { try restore(property, of: object, from: base) }
    for (property, other) in relinked { try relink(object, property, to: other) }
    forgetEqualEdits(of: object)
  }

  private func isSame(_ property: CompiledProperty, _ a: SlabRow, _ b: SlabRow) -> Bool {
    guard property.relationship == nil else {
      return a.slab.reference(a.row, property) == b.slab.reference(b.row, property)
    }
    return AttributeValue.areIdentical(
      a.slab.storedValue(a.row, property), b.slab.storedValue(b.row, property))
  }

  func takeBackEdit(of object: ManagedObject, _ property: CompiledProperty) {
    guard property.relationship == nil else {
      context.takeBackLinks(of: object, property)
      // Without an inverse there is one end, and one that others have taken over stays with them.
      if object.isEdited(property) { context.takeBackKey(of: object, property) }
      return
    }
    object.noteObservableChange(property.index)
    object.overlay?[property.index] = .unchanged
    object.forgetUpdateWithoutEdits()
  }

  /// Restores the value of a property from an earlier row, as an edit.
  private func restore(
    _ property: CompiledProperty, of object: ManagedObject, from base: SlabRow
  ) throws(PersistenceError) {
    guard property.relationship != nil else {
      return try context.throwing {
        object.setAttribute(property.index, to: base.slab.storedValue(base.row, property))
      }
    }
    try relink(object, property, to: base.slab.reference(base.row, property))
  }

  /// Leads a to-one end of an object with a newer row elsewhere, after reading the row that it
  /// leads to.
  private func relink(
    _ object: ManagedObject, _ property: CompiledProperty, to reference: ObjectReference?
  ) throws(PersistenceError) {
    if let former = object.storedReference(property) {
      for slab in try context.storedSlabs(of: [former]) { try context.register(slab) }
    }
    let other = reference.map { context.object(at: $0) }
    try context.throwing { object.setRelatedObject(of: property, to: other) }
  }

  /// Forgets edits to values that the newer row already has.
  private func forgetEqualEdits(of object: ManagedObject) {
    for property in object.entity.properties
    where property.slot >= 0 && object.isEdited(property) {
      guard let overlay = object.overlay else { return }
      switch overlay[property.index] {
      case .attribute(let value):
        let stored = object._slab.storedValue(Int(object._row), property)
        if AttributeValue.areIdentical(value, stored) { overlay[property.index] = .unchanged }
      case .object(let reference):
        if object.storedReference(property) == reference { overlay[property.index] = .unchanged }
      case .null:
        let isNull =
          property.relationship == nil
          ? object._slab.storedValue(Int(object._row), property) == nil
          : object.storedReference(property) == nil
        if isNull { overlay[property.index] = .unchanged }
      case .unchanged, .increment, .collection, .memory: break
      }
    }
    object.forgetUpdateWithoutEdits()
  }
}
