internal import OxbowModel
internal import OxbowStore

// What the next save has to look at.

extension ManagedObjectContext {
  /// Remembers that the next save has to look at `object`.
  func markUpdated(_ object: ManagedObject) {
    if object._state.contains(.updated) { return }
    unsaved.update(object)
    token.unsavedWork.isPresent = true
  }

  /// Remembers that the next save has to look at `object`; a transient attribute that a hook sets
  /// while a row arrives is not a change.
  func noteEdit(of object: ManagedObject, _ overlay: Overlay, _ index: Int) {
    if let runningHook, runningHook.permission == .nothing,
      let attribute = object.entity.properties[index].attribute, attribute.isTransient
    {
      overlay[index] = overlay[index].withoutEdit(default: attribute.defaultValue)
    } else {
      markUpdated(object)
    }
  }

  /// Remembers that the next save has to look at `object`, or that it need not any more because the
  /// property is as it was.
  func noteChange(of object: ManagedObject, _ property: CompiledProperty) {
    if object.isEdited(property) {
      markUpdated(object)
    } else {
      object.forgetUpdateWithoutEdits()
    }
  }

  /// After a save or a rollback: nothing is changed, and the next save is not refused.
  func forgetChanges() {
    doubtCollections()
    token.unsavedWork.isPresent = false
    unsaved.removeAll()
    deletedTargets = []
    untiedLinks = [:]
    deletions = []
    conditions = [:]
    searchedTargets = 0
    conflicted = []
    standIns = [:]
  }

  /// Remembers that a call has asked for objects of an entity.
  func noteLookup(_ entity: Int) { lookups.insert(roots[entity]) }

  /// Remembers that a call may have asked for any object.
  func noteLookupOfAll() { lookups.formUnion(roots) }

  /// Makes changes that cannot be undone: those of others, and what is taken back.
  func withoutRecording<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let undoLog else { return try body() }
    return try undoLog.withoutRecording(body)
  }

  /// From now on, a collection asks the other ends of its members when it is next read: one of them
  /// may lead elsewhere.
  func doubtCollections() { confirmation += 1 }
}
