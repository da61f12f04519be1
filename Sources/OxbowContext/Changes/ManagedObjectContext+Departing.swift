internal import OxbowModel
internal import OxbowStore

// Objects that are deleted leave what leads to them. With an inverse, the delete rules see to it. Without
// one, nobody knows who leads there: getters leave deleted objects out, and before a fetch or a save the
// objects that the context has met are looked through, once for all deletes since the last time.

extension ManagedObjectContext {
  /// Unties deleted objects from loaded objects that lead to them without an inverse, as changes.
  func untieDeparted() {
    guard departed.count != untiedCount else { return }
    untiedCount = departed.count
    var properties: [RelationshipID: CompiledProperty] = [:]
    for reference in departed {
      for property in model.referrers[reference.entity] {
        if let id = property.relationship?.id { properties[id] = property }
      }
    }
    for property in properties.values { untieDeparted(from: property) }
  }

  private func untieDeparted(from property: CompiledProperty) {
    let holders = model.entities[property.declaringEntity]
    var found: [ManagedObject] = []
    maps[holders.root].forEach { object in
      if !object.isDeleted, holders.subtree.contains(object.entityIndex) { found.append(object) }
    }
    for object in found {
      for reference in departedMembers(of: property, object) { clear(object, property, reference) }
    }
  }

  private func departedMembers(of property: CompiledProperty, _ object: ManagedObject)
    -> [ObjectReference]
  {
    if let state = object.collection(property) {
      // A new order may have been set since, without what was not shown any more.
      let members = state.members ?? MemberList()
      return members.filter { departed.contains($0) }
        + state.added.filter { departed.contains($0) && !members.contains($0) }
    }
    guard property.slot >= 0, !object.isFault, let reference = object.reference(of: property),
      departed.contains(reference)
    else { return [] }
    return [reference]
  }

  /// After a save: the deleted objects leave the collections that are loaded.
  func dropDeleted(_ deleted: Set<ObjectReference>) {
    guard !deleted.isEmpty else { return }
    for root in maps.indices where maps[root].count > 0 {
      maps[root].forEach { object in
        guard let overlay = object.overlay else { return }
        for property in object.entity.relationships where property.slot < 0 {
          guard case .collection(let state) = overlay[property.index], let members = state.members
          else { continue }
          let gone =
            deleted.count < members.count
            ? deleted.filter { members.contains($0) } : members.filter { deleted.contains($0) }
          for reference in gone { overlay.updateCollection(property.index) { $0.drop(reference) } }
        }
      }
    }
  }

  /// Takes an object that is no longer, or never became, a row out of the context for good: it keeps its
  /// values and belongs to no context.
  func expel(_ object: ManagedObject) {
    maps[roots[object.entityIndex]].remove(object.key)
    if object._state.contains(.fault) {
      object.becomeFault(model, owner: token)
    } else {
      var writer = RowWriter(model: model, owner: token, capacity: 1)
      writer.writeEdits(of: object, version: object.version)
      object._state = []
    }
    object._state.insert(.detached)
    object.overlay = nil
  }
}

extension ManagedObject {
  /// Forgets the object's row and all edits.
  final func becomeFault(_ model: CompiledModel, owner: ContextToken) {
    let slab = RowSlab(model: model, entities: [], capacity: 1, isFault: true)
    slab._owner = owner
    _ = slab.beginRow(key: key, version: 0, entity: entityIndex)
    point(to: slab, 0)
    _state = _state.contains(.listed) ? [.fault, .listed] : .fault
    overlay = nil
  }
}
