internal import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// After a save: what was written becomes the rows of the changed objects, and what was deleted
  /// belongs to no context any more.
  func settle(after changes: ChangeSet) {
    settleDeleted()
    var writer = RowWriter(model: model, owner: token)
    let updated = Set(changes.updates.map { ObjectReference(entity: $0.entity, key: $0.key) })
    settleInserted(&writer)
    for object in updatedObjects where object.isUpdated {
      if updated.contains(object.reference) {
        writer.writeEdits(of: object, version: object.version + 1)
      }
      object.settle()
    }
    forgetChanges()
  }

  private func settleDeleted() {
    dropDeleted(Set(deletedObjects.map(\.reference)))
    var objects = deletedObjects
    deletedObjects = []
    // Taken off one by one, so that this list does not hold what is asked for.
    while let (root, key) = objects.popLast().map({ (roots[$0.entityIndex], $0.key) }) {
      if maps[root].dropIfUnheld(key) { continue }
      guard let object = maps[root][key] else { continue }
      expel(object)
    }
  }

  /// Writes the rows of new objects that somebody holds, and drops the others at once: an import would
  /// write every row only for the sweep that follows (a tenth of an insert in suite M).
  private func settleInserted(_ writer: inout RowWriter) {
    var objects = insertedObjects
    insertedObjects = []
    while let (root, key) = objects.popLast().map({ (roots[$0.entityIndex], $0.key) }) {
      if maps[root].dropIfUnheld(key) { continue }
      guard let object = maps[root][key], object.isInserted else { continue }
      writer.writeEdits(of: object, version: 1)
      object.settle()
      for property in object.entity.relationships where object.collection(property) != nil {
        watchRows(behind: property)
      }
    }
  }
}

extension ManagedObject {
  /// Forgets the edits, which the row has by now, and keeps the collections that were loaded.
  fileprivate final func settle() {
    _state.subtract([.inserted, .updated])
    guard let overlay else { return }
    guard entity.hasMemory else { return dropOverlay() }
    var keeps = false
    for index in 0..<overlay.count {
      if case .collection(let state) = overlay[index], state.members != nil {
        overlay.updateCollection(index) { $0.settle() }
        keeps = true
      } else if entity.properties[index].isTransientAttribute {
        keeps = keeps || overlay[index].isEdit
      } else {
        overlay[index] = .unchanged
      }
    }
    if !keeps { dropOverlay() }
  }

  private final func dropOverlay() {
    overlay = nil
    _state.remove(.overlaid)
  }
}

extension CompiledProperty {
  /// Whether it is an attribute that lives in memory only.
  var isTransientAttribute: Bool { slot < 0 && relationship == nil }
}
