internal import OxbowModel
internal import OxbowStore

// What a reversal does, in this order: objects come back, links end and begin, attributes change,
// objects go, orders are restored.

extension UndoReversal {
  /// Takes the record back.
  ///
  /// - Returns: What does it again.
  /// - Throws: ``PersistenceError`` that a setter has recorded; `prepare` leaves no reason for one.
  mutating func apply() throws(PersistenceError) -> UndoRecord {
    context.unsaved.compact()
    for vanished in record.vanished { bringBack(vanished) }
    context.unsaved.compact()
    takeInMembers(of: record.vanished.map(\.object).filter(\.isInserted))
    for link in record.passing where isInMemory(link) { end(link) }
    for change in record.links.reversed() where change.isAdded { end(change.link) }
    for change in record.links.reversed() where !change.isAdded { begin(change.link) }
    for change in record.attributes { restore(change) }
    for change in record.increments { try restore(change) }
    let gone = leaving.map { takeAway($0) }
    for order in record.orders { restore(order) }
    context.inverses.doubt()
    context.unsaved.deletions.removeAll { !$0.objects.contains { $0._state.contains(.deleted) } }
    context.token.unsavedWork.isPresent = !context.unsaved.isEmpty
    try context.throwPendingFault()
    return record.inverted(vanished: gone)
  }

  // MARK: Objects

  private func bringBack(_ vanished: UndoRecord.Vanished) {
    let object = vanished.object
    context.inverses.takeBackDeletion(of: object.reference)
    // The record has the links that it knows.
    context.inverses.untiedLinks[object.reference] = nil
    if object._state.contains(.deleted) {
      object._state.remove(.deleted)
      context.noteVisibility(of: object.reference)
      guard object.overlay?.hasEdits == true else { return }
      object._state.remove(.updated)
      return context.markUpdated(object)
    }
    guard object._state.contains(.detached) else { return }
    // Somebody else may have written the row again; a fault of the key was made since.
    if let other = context.registered(object.reference) {
      guard other._state.contains(.fault) else { return }
      context.identity.remove(other)
      other._state.insert(.detached)
    }
    revive(vanished)
  }

  /// Makes an object new again whose row is gone, without links.
  private func revive(_ vanished: UndoRecord.Vanished) {
    let object = vanished.object
    let version = object.version
    let entity = object.entity
    let slab = context.drafts.slabForNewRow(context.token)
    _ = slab.beginRow(key: object.key, version: version, entity: entity.index)
    object.point(to: slab, slab.count - 1)
    let overlay = Overlay.copying(context.drafts.cells(of: entity))
    for (property, value) in vanished.values {
      overlay[property] = value.map { .attribute($0) } ?? .null
    }
    for property in entity.relationships where property.relationship?.isLeftByDeletion == true {
      overlay[property.index] = .unchanged
    }
    object._state = context.audience.stateOfObjects.union(.inserted)
    object.noteObservableChange()
    object.overlay = overlay
    context.faults.errors[object.reference] = nil
    context.identity.insert(object)
    context.unsaved.insert(object)
  }

  /// Gives objects that are new again the members whose unsaved changes lead to them, which their
  /// deletion had left.
  private func takeInMembers(of revived: [ManagedObject]) {
    let owners = revived.filter { object in
      object.entity.relationships.contains { $0.relationship?.isLeftByDeletion == true }
    }
    if owners.isEmpty { return }
    let references = Set(owners.map(\.reference))
    for member in context.unsaved.objects where !member._state.contains(.deleted) {
      for key in member.entity.relationships where key.slot >= 0 && member.isEdited(key) {
        guard let property = context.model.inverse(of: key),
          property.relationship?.isLeftByDeletion == true,
          let reference = member.destination(of: key), references.contains(reference),
          let owner = context.registered(reference)
        else { continue }
        context.addLink(owner, property, member.reference)
      }
    }
  }

  /// Deletes an object, and ends what links it still has, but for those that its deletion has left.
  private func takeAway(_ object: ManagedObject) -> UndoRecord.Vanished {
    for property in object.entity.relationships {
      guard let relationship = property.relationship, !relationship.isLeftByDeletion else {
        continue
      }
      for other in context.readObjects(of: property, object)
      where object.isInserted || !isBegun(object.reference, property, other.reference) {
        context.unlink(object, relationship, other)
      }
    }
    let vanished = UndoRecord.Vanished(of: object)
    if context.mergePolicy.takesDeletionsBack {
      context.unsaved.deletions.append(Deletion(objects: [object]))
    }
    context.markDeleted(object)
    return vanished
  }

  // MARK: Links and values

  private func isInMemory(_ link: UndoLink) -> Bool {
    context.registered(link.owner) != nil && context.registered(link.member) != nil
  }

  private func end(_ link: UndoLink) {
    let property = property(link.relationship)
    guard let relationship = property.relationship else { return }
    let back = context.model.inverse(of: property)
    guard let owner = linkable(link.owner, property), let member = linkable(link.member, back)
    else {
      endDangling(link.owner, property, link.member)
      if let back { endDangling(link.member, back, link.owner) }
      return
    }
    guard context.isKnownAsLinked(owner, relationship, member) else { return }
    context.unlink(owner, relationship, member)
  }

  /// Ends the end that is left of a link to an object that is gone.
  private func endDangling(
    _ reference: ObjectReference, _ property: CompiledProperty, _ gone: ObjectReference
  ) {
    guard property.slot >= 0, let object = object(reference),
      object.destination(of: property) == gone
    else { return }
    context.removeLink(object, property, gone)
  }

  private func begin(_ link: UndoLink) {
    let property = property(link.relationship)
    guard let relationship = property.relationship else { return }
    guard let owner = linkable(link.owner, property),
      let member = linkable(link.member, context.model.inverse(of: property))
    else { return beginDangling(link) }
    guard !context.isKnownAsLinked(owner, relationship, member) else { return }
    context.link(owner, relationship, member)
  }

  /// An object that a link can lead to: one that is to be deleted as well, if the deletion leaves
  /// the link.
  private func linkable(
    _ reference: ObjectReference, _ property: CompiledProperty?
  ) -> ManagedObject? {
    if let object = object(reference) { return object }
    guard let relationship = property?.relationship,
      relationship.isLeftByDeletion || relationship.deleteRule == .deny,
      let object = context.registered(reference), object._state.contains(.deleted)
    else { return nil }
    return object
  }

  /// A link to an object that is gone, whose deletion had left it: one end is enough, or it begins
  /// when that deletion is taken back.
  private func beginDangling(_ link: UndoLink) {
    let property = property(link.relationship)
    guard let back = context.model.inverse(of: property) else { return }
    if back.relationship?.isLeftByDeletion == true, let owner = object(link.owner) {
      lead(owner, property, to: link.member, back)
    } else if property.relationship?.isLeftByDeletion == true, let member = object(link.member) {
      lead(member, back, to: link.owner, property)
    } else {
      context.undoLog?.handOver(link, of: object(link.owner) == nil ? link.owner : link.member)
    }
  }

  private func lead(
    _ object: ManagedObject, _ property: CompiledProperty, to gone: ObjectReference,
    _ back: CompiledProperty
  ) {
    object.setKey(property, gone)
    context.noteChange(of: object, property)
    guard let fault = context.registered(gone) else { return }
    context.drop(object.reference, from: fault, back)
  }

  /// Adds what was added with the other sign: others may have added as well.
  private func restore(_ change: UndoRecord.IncrementChange) throws(PersistenceError) {
    guard let object = object(change.object) else { return }
    let property = object.entity.properties[change.property]
    if isAsLeft(change, object, property) {
      object.setIncrement(of: property, to: change.before, by: change.by)
    } else {
      try object.increment(property, by: change.inverted.by)
    }
  }

  /// Whether the value before was a sum with what was to be added to the store's, and is again.
  private func restoreIncrement(
    _ change: UndoRecord.AttributeChange, _ object: ManagedObject
  ) -> Bool {
    let property = object.entity.properties[change.property]
    guard let increment = change.incrementBefore, !object._state.contains(.inserted),
      case .success(let sum?) = object.sum(property, increment),
      AttributeValue.areIdentical(sum, change.before)
    else { return false }
    object.setIncrement(of: property, to: increment, by: increment)
    return true
  }

  private func restore(_ change: UndoRecord.AttributeChange) {
    guard let object = object(change.object), !restoreIncrement(change, object) else { return }
    object.setAttribute(change.property, to: change.before)
    let property = object.entity.properties[change.property]
    guard property.slot < 0, !change.wasEdit, let overlay = object.overlay else { return }
    overlay[change.property] = overlay[change.property]
      .withoutEdit(default: property.attribute?.defaultValue)
    object.forgetUpdateWithoutEdits()
  }

  /// Gives the members of an ordered relationship the places that they had; others come last.
  private func restore(_ order: UndoRecord.OrderChange) {
    guard let owner = object(order.end.object) else { return }
    let property = owner.entity.properties[order.end.property]
    guard let members = owner.loadedMembers(of: property) else { return }
    var list = MemberList(order.before.filter { members.contains($0) })
    for member in members { list.append(member) }
    context.reorder(owner, property, list)
  }
}

extension CompiledRelationship {
  /// Whether the deletion of an object leaves the other ends as they are, in the store as well.
  var isLeftByDeletion: Bool { deleteRule == .noAction && isToMany && !isJoined }
}
