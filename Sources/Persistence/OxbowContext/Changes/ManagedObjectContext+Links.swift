internal import OxbowModel
internal import OxbowStore

// Both ends of a link change together, at once and in memory. The object that a to-one end led to
// before loses its link as well.
//
// An end that has a key in its own row is only changed while that row is there: the save compares
// the row's version, to find out whether somebody else has saved it. `prepareLinks` reads what is
// missing before anything changes.

extension ManagedObjectContext {
  /// Makes `relationship` and its inverse lead from `owner` to `member` and back.
  func link(_ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject) {
    let property = owner.entity.properties[relationship.property]
    // The member first: its link may hide the one that the owner has in the store.
    if let inverse = relationship.inverse, member.entity.properties[inverse].slot >= 0,
      let old = toOne(member, member.entity.properties[inverse]), old !== owner
    {
      unlink(old, relationship, member)
    }
    if !relationship.isToMany, let old = toOne(owner, property) {
      if old === member { return }
      unlink(owner, relationship, old)
    }
    guard let inverse = relationship.inverse else {
      removeLinkToDeleted(of: property, owner)
      undoLog?.noteLink(owner, relationship, member.reference, isAdded: true)
      return addLink(owner, property, member.reference)
    }
    let back = member.entity.properties[inverse]
    undoLog?.noteLink(owner, relationship, member.reference, isAdded: true)
    addLink(owner, property, member.reference)
    if isLoop(owner, property, member, back) { return }
    addLink(member, back, owner.reference)
    guard relationship.isOneToOne, owner.isEdited(property) != member.isEdited(back) else { return }
    // One of the rows is out of date. The save writes both, so it has to check both versions.
    owner.insistOnKey(property, member.reference)
    member.insistOnKey(back, owner.reference)
    for object in [owner, member] { markUpdated(object) }
  }

  /// Makes them lead there no more.
  func unlink(_ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject)
  {
    let property = owner.entity.properties[relationship.property]
    guard let inverse = relationship.inverse else {
      undoLog?.noteLink(owner, relationship, member.reference, isAdded: false)
      return removeLink(owner, property, member.reference)
    }
    let back = member.entity.properties[inverse]
    guard member.isLinked(back, to: owner), owner.isLinked(property, to: member) else {
      // The row at one end has been read since, or is gone: there is no such link any more.
      drop(member.reference, from: owner, property)
      return drop(owner.reference, from: member, back)
    }
    undoLog?.noteLink(owner, relationship, member.reference, isAdded: false)
    removeLink(owner, property, member.reference)
    if isLoop(owner, property, member, back) { return }
    removeLink(member, back, owner.reference)
  }

  /// Whether both ends of a link are one: that of an object to itself by a relationship that is its
  /// own inverse.
  private func isLoop(
    _ owner: ManagedObject, _ property: CompiledProperty, _ member: ManagedObject,
    _ back: CompiledProperty
  ) -> Bool {
    owner === member && property.index == back.index
  }

  /// Whether two objects are linked, as far as the context knows: by the end that has a key, or by
  /// a collection that was read or changed.
  func isKnownAsLinked(
    _ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject
  ) -> Bool {
    let property = owner.entity.properties[relationship.property]
    if property.slot >= 0 { return owner.destination(of: property) == member.reference }
    if let back = model.inverse(of: property), back.slot >= 0 {
      return member.destination(of: back) == owner.reference
    }
    guard let state = owner.collection(property) else { return false }
    return state.members?.contains(member.reference) ?? state.added.contains(member.reference)
  }

  /// Makes a key what it is in the row.
  func takeBackKey(of object: ManagedObject, _ property: CompiledProperty) {
    object.setKey(property, object.storedReference(property))
    if !overtaken.isEmpty { endHiddenLink(of: object, property) }
    noteChange(of: object, property)
  }

  /// Gives the objects of an ordered relationship another order, or the one that they had before
  /// all changes.
  func reorder(_ owner: ManagedObject, _ property: CompiledProperty, _ order: MemberList) {
    guard let members = owner.loadedMembers(of: property) else { return }
    // What is to be deleted is not among what a program orders.
    let order = members.arranged(as: order)
    let isReordered = !members.elementsEqual(order)
    if isReordered { undoLog?.noteOrder(owner, property) }
    owner.updateCollection(property) { state in
      if isReordered { state.reorder(order) }
      state.forgetIfAsBefore()
    }
    noteChange(of: owner, property)
  }

  /// Makes one end lead to an object.
  func addLink(
    _ object: ManagedObject, _ property: CompiledProperty, _ other: ObjectReference
  ) {
    if let relationship = property.relationship, relationship.isToMany {
      undoLog?.noteOrder(object, property)
      let isOrdered = relationship.isOrdered
      object.updateCollection(property, about: other) { $0.add(other, isOrdered: isOrdered) }
    } else {
      object.setKey(property, other)
    }
    noteChange(of: object, property)
  }

  /// Makes one end lead to an object no more.
  func removeLink(_ object: ManagedObject, _ property: CompiledProperty, _ other: ObjectReference) {
    if property.relationship?.isToMany == true {
      undoLog?.noteOrder(object, property)
      object.updateCollection(property, about: other) { $0.remove(other) }
    } else {
      object.setKey(property, nil)
      if !overtaken.isEmpty { endHiddenLink(of: object, property) }
    }
    noteChange(of: object, property)
  }
}

extension ManagedObjectContext {
  /// Makes a key that was taken back an edit nevertheless, where another object's row leads here
  /// and its own edit ends that link: the save writes both rows, so it has to check both versions.
  private func endHiddenLink(of object: ManagedObject, _ property: CompiledProperty) {
    guard !object.isEdited(property), let arrivals = overtaken[object.reference] else { return }
    let isEnded = arrivals.contains { arrival in
      guard arrival.property === property, let other = registered(arrival.reference),
        !other.isFault, let inverse = property.relationship?.inverse
      else { return false }
      let back = other.entity.properties[inverse]
      return other.isEdited(back) && other.storedReference(back) == object.reference
    }
    guard isEnded else { return }
    object.insistOnKey(property, object.storedReference(property))
    markUpdated(object)
  }
}

extension ManagedObject {
  /// Whether an end that is about to be changed leads to `other`, as far as the context knows; an
  /// end with a key has to be there.
  fileprivate final func isLinked(_ property: CompiledProperty, to other: ManagedObject) -> Bool {
    if property.slot >= 0 && _state.contains(.fault) { return false }
    return mayLead(property, to: other.reference)
  }
}
