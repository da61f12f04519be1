internal import OxbowModel
internal import OxbowStore

// Nothing may lead to a deleted object. With an inverse, the delete rules ensure that. Without one,
// the objects that lead there are unknown: getters leave deleted objects out, and before a fetch or
// a save all objects of the context are searched, once for all deletions since the last search.

extension ManagedObjectContext {
  /// Removes such links if something was deleted since the last search.
  func untieDeleted() {
    if inverses.deletedTargets.count != inverses.searchedTargets { removeLinksToDeleted() }
  }

  /// Removes the links of loaded objects that lead to deleted ones without an inverse, as changes.
  func removeLinksToDeleted() {
    inverses.searchedTargets = inverses.deletedTargets.count
    var properties: [RelationshipID: CompiledProperty] = [:]
    for reference in inverses.deletedTargets {
      for property in model.referrers[reference.entity] {
        if let id = property.relationship?.id { properties[id] = property }
      }
    }
    for property in properties.values { removeLinksToDeleted(of: property) }
  }

  private func removeLinksToDeleted(of property: CompiledProperty) {
    let holders = model.entities[property.declaringEntity]
    var found: [ManagedObject] = []
    identity.maps[holders.root].forEach { object in
      if !object._state.contains(.deleted), holders.subtree.contains(object.entityIndex) {
        found.append(object)
      }
    }
    for object in found { removeLinksToDeleted(of: property, object) }
  }

  /// Removes the links of an object that is about to be deleted to deleted ones, so that an undo
  /// knows of them: no later search finds it.
  func removeLinksToDeleted(of object: ManagedObject) {
    if inverses.deletedTargets.isEmpty { return }
    for property in object.entity.relationships where property.relationship?.inverse == nil {
      removeLinksToDeleted(of: property, object)
    }
  }

  /// Removes the hidden link to a deleted object whose place another is about to take.
  func removeLinkToDeleted(of property: CompiledProperty, _ object: ManagedObject) {
    if !inverses.deletedTargets.isEmpty, property.slot >= 0 {
      removeLinksToDeleted(of: property, object)
    }
  }

  private func removeLinksToDeleted(of property: CompiledProperty, _ object: ManagedObject) {
    for reference in deletedMembers(of: property, object) {
      undoLog?.noteLostMember(object, property, reference)
      noteUntied(object, property, reference)
      withoutRecording { removeLink(object, property, reference) }
    }
  }

  private func deletedMembers(of property: CompiledProperty, _ object: ManagedObject)
    -> [ObjectReference]
  {
    if let state = object.collection(property) {
      // A new order may have been set since, without the deleted objects, which are hidden.
      let members = state.members ?? MemberList()
      return members.filter { inverses.deletedTargets.contains($0) }
        + state.added.filter { inverses.deletedTargets.contains($0) && !members.contains($0) }
    }
    guard property.slot >= 0, !object.isFault, let reference = object.destination(of: property),
      inverses.deletedTargets.contains(reference)
    else { return [] }
    return [reference]
  }

  private func noteUntied(
    _ object: ManagedObject, _ property: CompiledProperty, _ reference: ObjectReference
  ) {
    // An object that was never saved comes back by an undo only.
    guard registered(reference) != nil else { return }
    let state = object.collection(property)
    inverses.untiedLinks[reference, default: []].append(
      UntiedLink(
        owner: object, property: property,
        wasEdit: state?.added.contains(reference) ?? object.isEdited(property),
        slab: object._slab, row: object._row))
  }

  /// Gives an object whose deletion is taken back the links without inverse that led to it.
  func tieAgain(_ object: ManagedObject) {
    guard let links = inverses.untiedLinks.removeValue(forKey: object.reference) else { return }
    withoutRecording {
      for link in links.reversed() where isOpen(link, to: object.reference) {
        addLink(link.owner, link.property, object.reference)
        guard let relationship = link.property.relationship else { continue }
        link.owner.forgetReturn(of: object.reference, relationship)
        link.owner.takePlaces(relationship)
      }
    }
  }

  /// Whether nothing has replaced a link, and its owner was not refreshed since.
  private func isOpen(_ link: UntiedLink, to reference: ObjectReference) -> Bool {
    let (owner, property) = (link.owner, link.property)
    guard registered(owner.reference) === owner, !owner._state.contains(.fault) else {
      return false
    }
    let hasRow =
      owner._state.contains(.inserted) || owner._slab === link.slab && owner._row == link.row
    if property.slot >= 0 {
      let isFree = owner.destination(of: property) == nil
      return isFree && (owner.isEdited(property) || link.wasEdit && hasRow)
    }
    let state = owner.collection(property)
    guard link.wasEdit else { return state?.removed.contains(reference) == true }
    return hasRow && state?.members?.contains(reference) != true
      && state?.added.contains(reference) != true
  }

  /// The objects that may have collections, except those with a state.
  func objectsWithOverlay(besides state: ObjectState = []) -> [ManagedObject] {
    identity.filter { $0._state.contains(.overlaid) && $0._state.isDisjoint(with: state) }
  }

  /// Removes deleted objects from the loaded collections, after a save.
  func dropDeleted(_ deleted: Set<ObjectReference>, from holders: [ManagedObject]) {
    for object in holders {
      for property in object.entity.relationships where property.slot < 0 {
        dropDeleted(deleted, from: property, object)
      }
    }
  }

  private func dropDeleted(
    _ deleted: Set<ObjectReference>, from property: CompiledProperty, _ object: ManagedObject
  ) {
    // The members are not held while they change, because holding them would copy them.
    func gone() -> Set<ObjectReference> {
      guard let members = object.loadedMembers(of: property) else { return [] }
      return deleted.count < members.count
        ? deleted.filter { members.contains($0) } : Set(members.filter { deleted.contains($0) })
    }
    let gone = gone()
    guard !gone.isEmpty else { return }
    object.updateCollection(property) { state in
      for reference in gone { state.drop(reference) }
    }
  }

  /// Removes an object from the context for good, because its row was deleted or never written: it
  /// keeps its values and belongs to no context.
  func expel(_ object: ManagedObject) {
    token.rowChanges &+= 1
    object.noteObservableChange()
    audience.observers?.forget(object.reference)
    identity.remove(object)
    if object._state.contains(.fault) {
      object.becomeFault(model, owner: token)
    } else {
      var writer = RowWriter(model: model, owner: token, capacity: 1)
      object.takeOverEdits(to: &writer, version: object.version)
      object.overlay = nil
      object._state = []
    }
    object._state.insert(.detached)
  }
}
