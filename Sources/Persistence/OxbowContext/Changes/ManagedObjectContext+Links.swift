internal import OxbowModel
internal import OxbowStore

// Both ends of a link change together, at once and in memory. The former object of a to-one end
// loses its link too.
//
// An end with a key in its own row changes only while that row was read: the save compares the
// row's version, to find out whether another context has saved it. `prepareLinks` reads what is
// missing before anything changes.

extension ManagedObjectContext {
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
    // One of the rows is out of date. The save writes both, so it must check both versions.
    owner.insistOnKey(property, member.reference)
    member.insistOnKey(back, owner.reference)
    for object in [owner, member] { markUpdated(object) }
  }

  func unlink(_ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject)
  {
    let property = owner.entity.properties[relationship.property]
    guard let inverse = relationship.inverse else {
      undoLog?.noteLink(owner, relationship, member.reference, isAdded: false)
      return removeLink(owner, property, member.reference)
    }
    let back = member.entity.properties[inverse]
    guard member.isLinked(back, to: owner), owner.isLinked(property, to: member) else {
      // The row at one end has been read since, or is gone: the link no longer exists.
      drop(member.reference, from: owner, property)
      return drop(owner.reference, from: member, back)
    }
    undoLog?.noteLink(owner, relationship, member.reference, isAdded: false)
    removeLink(owner, property, member.reference)
    if isLoop(owner, property, member, back) { return }
    removeLink(member, back, owner.reference)
  }

  /// Whether both ends of a link are one: an object's link to itself by a relationship that is its
  /// own inverse.
  private func isLoop(
    _ owner: ManagedObject, _ property: CompiledProperty, _ member: ManagedObject,
    _ back: CompiledProperty
  ) -> Bool {
    owner === member && property.index == back.index
  }

  /// Whether two objects are linked, as far as the context knows: by the end with a key, or by a
  /// collection that was read or changed.
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

  /// Makes a key the one of the row.
  func takeBackKey(of object: ManagedObject, _ property: CompiledProperty) {
    object.setKey(property, object.storedReference(property))
    if !inverses.overtaken.isEmpty { endHiddenLink(of: object, property) }
    noteChange(of: object, property)
  }

  /// Gives the objects of an ordered relationship another order, or the one before all changes.
  func reorder(_ owner: ManagedObject, _ property: CompiledProperty, _ order: MemberList) {
    guard let members = owner.loadedMembers(of: property) else { return }
    // A program orders members without the deleted ones, which are hidden.
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

  /// Makes one end no longer lead to an object.
  func removeLink(_ object: ManagedObject, _ property: CompiledProperty, _ other: ObjectReference) {
    if property.relationship?.isToMany == true {
      undoLog?.noteOrder(object, property)
      object.updateCollection(property, about: other) { $0.remove(other) }
    } else {
      object.setKey(property, nil)
      if !inverses.overtaken.isEmpty { endHiddenLink(of: object, property) }
    }
    noteChange(of: object, property)
  }
}

extension ManagedObjectContext {
  /// Makes a key that was taken back an edit nevertheless, if another object's row leads here and
  /// its own edit ends that link: the save writes both rows, so it must check both versions.
  private func endHiddenLink(of object: ManagedObject, _ property: CompiledProperty) {
    guard !object.isEdited(property), let arrivals = inverses.overtaken[object.reference] else {
      return
    }
    let isEnded = arrivals.contains {
      $0.property === property && endsLink($0.reference, to: object, property)
    }
    guard isEnded else { return }
    object.insistOnKey(property, object.storedReference(property))
    markUpdated(object)
  }

  /// Whether an unsaved change of another object ends a one-to-one link of its row to an object.
  private func endsLink(
    _ reference: ObjectReference, to object: ManagedObject, _ property: CompiledProperty
  ) -> Bool {
    guard let other = registered(reference), !other._state.contains(.fault),
      let inverse = property.relationship?.inverse
    else { return false }
    let back = other.entity.properties[inverse]
    return other.isEdited(back) && other.storedReference(back) == object.reference
      && other.destination(of: back) != object.reference
  }

  /// Ends the one-to-one links of a row that was taken over where unsaved changes of the other ends
  /// have ended them: the save writes both rows, so it must check both versions.
  func endLinksEndedElsewhere(of object: ManagedObject) {
    guard object._state.isDisjoint(with: [.fault, .deleted]) else { return }
    for property in object.entity.relationships
    where property.relationship?.isOneToOne == true && !object.isEdited(property) {
      guard let reference = object.storedReference(property),
        registered(reference)?._state.contains(.deleted) == false,
        endsLink(reference, to: object, property)
      else { continue }
      object.insistOnKey(property, nil)
      markUpdated(object)
    }
  }
}

extension ManagedObject {
  /// Whether an end that is about to change leads to `other`, as far as the context knows; an end
  /// with a key must have been read.
  fileprivate final func isLinked(_ property: CompiledProperty, to other: ManagedObject) -> Bool {
    if property.slot >= 0 && _state.contains(.fault) { return false }
    return mayLead(property, to: other.reference)
  }
}

// MARK: - What is looked at before a relationship changes

extension ManagedObjectContext {
  /// Whether `objects` may become the other end of a relationship; otherwise the error was
  /// recorded.
  func accepts(_ objects: [ManagedObject], for property: CompiledProperty, of owner: ManagedObject)
    -> Bool
  {
    guard let relationship = property.relationship else { return false }
    let destination = model.entities[relationship.destination]
    if owner.isDeleted {
      refuse((.foreignObject, "the object is to be deleted"), property, [owner])
      return false
    }
    if let hook = work.hook, hook.permission != .all {
      refuse((.insideHook, "\(hook.name) must not change it"), property, [owner])
      return false
    }
    for object in objects {
      if let problem = problem(with: object, destination) {
        refuse(problem, property, [owner, object])
        return false
      }
    }
    return true
  }

  private func refuse(
    _ problem: (code: PersistenceError.Code, text: String), _ property: CompiledProperty,
    _ objects: [ManagedObject]
  ) {
    faults.record(
      PersistenceError(
        problem.code, "'\(property.name)' of '\(objects[0])' was not changed: \(problem.text)",
        objectIDs: objects.map(\.objectID)))
  }

  private func problem(with object: ManagedObject, _ destination: CompiledEntity)
    -> (code: PersistenceError.Code, text: String)?
  {
    guard object.token === token, !object.isOrphan else {
      let name = object.token.name
      let text =
        object.token === token || !object.token.hasContext
        ? "belonged to the context '\(name)' and belongs to none any more; fetch or insert another"
        : "belongs to the context '\(name)'; fetch it here by its ID"
      return (.foreignObject, "'\(object)' \(text)")
    }
    guard object.entity.isKind(of: destination) else {
      return (
        .classMismatch, "it leads to '\(destination.name)', not to '\(object.entity.name)'"
      )
    }
    return object.isDeleted ? (.foreignObject, "'\(object)' is to be deleted") : nil
  }

  /// Reads the rows whose keys a change of links must compare, in one request for each end.
  ///
  /// `owner` gains links to the `gained` objects and loses those to the `lost` ones.
  ///
  /// - Returns: Whether the change can be made; otherwise the error was recorded and nothing
  ///   changes.
  func prepareLinks(
    of owner: ManagedObject, _ property: CompiledProperty, gained: [ManagedObject],
    lost: [ManagedObject]
  ) -> Bool {
    guard let relationship = property.relationship, let inverse = relationship.inverse else {
      return true
    }
    if undoLog != nil, !readOrders(property, owner, gained: gained, lost: lost) { return false }
    guard relationship.isOneToOne || relationship.storage == .inverseKey else { return true }
    guard readFaults(among: gained + lost, property, owner) else { return false }
    if let gone = gained.first(where: \.isFault) {
      faults.recordStandIn(.rowGone([gone.objectID]), for: gone)
      return false
    }
    guard relationship.isOneToOne else { return true }
    // The former objects of the gained ones lose them.
    let former = gained.compactMap { toOne($0, $0.entity.properties[inverse]) }
    return readFaults(among: former, property, owner)
  }

  /// Reads the ordered collections that lose a member, so that undo knows its place.
  ///
  /// - Returns: Whether the store could be read; otherwise the error was recorded.
  private func readOrders(
    _ property: CompiledProperty, _ owner: ManagedObject, gained: [ManagedObject],
    lost: [ManagedObject]
  ) -> Bool {
    guard let relationship = property.relationship, let inverse = model.inverse(of: relationship)
    else { return true }
    do throws(PersistenceError) {
      if inverse.isOrdered { try readOrders(of: lost, inverse) }
      if relationship.isOrdered, !inverse.isToMany {
        let back = model.property(inverse.id)
        try readOrders(of: gained.compactMap { toOne($0, back) }, relationship)
      }
      return true
    } catch {
      faults.recordStandIn(error, for: owner)
      return false
    }
  }

  /// Reads the rows of those objects that are faults; one whose row is gone stays a fault.
  ///
  /// - Returns: Whether the store could be read; otherwise the error was recorded.
  private func readFaults(
    among objects: [ManagedObject], _ property: CompiledProperty, _ owner: ManagedObject
  ) -> Bool {
    let faults = objects.filter(\.isFault)
    guard let first = faults.first else { return true }
    let action = "changing '\(property.name)' of '\(owner)'"
    guard permit("the object '\(first)'", action, first) else { return false }
    do throws(PersistenceError) {
      _ = try read(faults)
      return true
    } catch {
      self.faults.recordStandIn(error, for: first)
      return false
    }
  }
}
