internal import OxbowModel
internal import OxbowStore

// Both ends of a link change together, at once and in memory. What a to-one end led to before lets go.
//
// An end that has a key in its own row is only changed while that row is there: the save compares with
// it, and its version tells whether somebody else was there first. `prepareLinks` reads what is missing
// before anything changes.

extension ManagedObjectContext {
  /// Ties `member` to `owner` through `relationship` and its inverse.
  func link(_ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject) {
    let property = owner.entity.properties[relationship.property]
    if !relationship.isToMany, let old = toOne(owner, property) {
      if old === member { return }
      unlink(owner, relationship, old)
    }
    guard let inverse = relationship.inverse else { return set(owner, property, member) }
    let back = member.entity.properties[inverse]
    if back.slot >= 0, let old = toOne(member, back), old !== owner {
      unlink(old, relationship, member)
    }
    set(owner, property, member)
    set(member, back, owner)
    guard relationship.isOneToOne, owner.isEdited(property) != member.isEdited(back) else { return }
    // One of the rows is out of date. The save writes both, so it has to check both versions.
    owner.insistOnKey(property, member.reference)
    member.insistOnKey(back, owner.reference)
    for object in [owner, member] { markUpdated(object) }
  }

  /// Unties `member` from `owner`.
  func unlink(_ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject)
  {
    let property = owner.entity.properties[relationship.property]
    guard let inverse = relationship.inverse else {
      return clear(owner, property, member.reference)
    }
    let back = member.entity.properties[inverse]
    guard member.isTied(back, to: owner), owner.isTied(property, to: member) else {
      // The row at one end has been read since, or is gone: there is no such link any more.
      drop(member.reference, from: owner, property)
      return drop(owner.reference, from: member, back)
    }
    clear(owner, property, member.reference)
    clear(member, back, owner.reference)
  }

  /// Makes a key what it is in the row.
  func takeBackKey(of object: ManagedObject, _ property: CompiledProperty) {
    object.setKey(property, object._slab.reference(Int(object._row), property))
    noteChange(of: object, property)
  }

  /// Gives the objects of an ordered relationship another order.
  func reorder(_ owner: ManagedObject, _ property: CompiledProperty, _ order: MemberList) {
    guard let members = owner.collection(property)?.members, !members.elementsEqual(order) else {
      return
    }
    owner.updateCollection(property) { state in
      state.members = order
      state.isReordered = true
    }
    markUpdated(owner)
  }

  /// Sets one end of a link.
  private func set(_ object: ManagedObject, _ property: CompiledProperty, _ other: ManagedObject) {
    if let relationship = property.relationship, relationship.isToMany {
      object.updateCollection(property) {
        $0.add(other.reference, isOrdered: relationship.isOrdered)
      }
    } else {
      object.setKey(property, other.reference)
    }
    noteChange(of: object, property)
  }

  /// Clears one end of a link.
  func clear(_ object: ManagedObject, _ property: CompiledProperty, _ other: ObjectReference) {
    if property.relationship?.isToMany == true {
      object.updateCollection(property) { $0.remove(other) }
    } else {
      object.setKey(property, nil)
    }
    noteChange(of: object, property)
  }

  /// Remembers that the next save has to look at `object`, or that it need not any more because the
  /// property is as it was.
  func noteChange(of object: ManagedObject, _ property: CompiledProperty) {
    if object.overlay?.isEdit(at: property.index) == true {
      markUpdated(object)
    } else {
      object.forgetUpdateWithoutEdits()
    }
  }

  /// Remembers that the next save has to look at `object`.
  func markUpdated(_ object: ManagedObject) {
    if object._state.contains(.updated) { return }
    object._state.insert(.updated)
    if object.isInserted || object._state.contains(.listed) { return }
    object._state.insert(.listed)
    updatedObjects.append(object)
    noteUnsavedWork()
  }

  func noteUnsavedWork() { token.hasUnsavedWork = true }
}

extension ManagedObject {
  /// Whether an end that is about to be cleared leads to `other`, as far as the context knows; an end
  /// with a key has to be there.
  fileprivate final func isTied(_ property: CompiledProperty, to other: ManagedObject) -> Bool {
    if property.slot >= 0 && isFault { return false }
    return mayLead(property, to: other.reference)
  }

  /// Changes the key of a to-one end; a key that is as in the row is no edit.
  fileprivate final func setKey(_ property: CompiledProperty, _ reference: ObjectReference?) {
    let overlay = makeOverlay()
    // A link of the row that the other end has denied is tied anew, and the version tells.
    let isAsStored =
      !isInserted && overlay[property.index].isEdit
      && _slab.reference(Int(_row), property) == reference
    overlay[property.index] =
      isAsStored ? .unchanged : reference.map { .object($0) } ?? .null
  }

  /// Makes a key an edit, as in the row or not.
  fileprivate final func insistOnKey(_ property: CompiledProperty, _ reference: ObjectReference) {
    makeOverlay()[property.index] = .object(reference)
  }

  /// An object whose edits were all taken back is as in the store.
  final func forgetUpdateWithoutEdits() {
    guard _state.contains(.updated), !isInserted, let overlay, !overlay.hasEdits else { return }
    _state.remove(.updated)
    dropOverlayIfEmpty()
  }
}
