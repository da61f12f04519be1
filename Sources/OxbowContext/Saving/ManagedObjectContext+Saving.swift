public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Whether the next save has something to write; off the owner false, and the use is reported.
  public var hasChanges: Bool {
    guard isOwned("hasChanges") else { return false }
    return insertedObjects.contains { !$0.isDeleted } || updatedObjects.contains { $0.hasChanges }
      || !deletedObjects.isEmpty
  }

  /// Writes all changes in one transaction.
  ///
  /// The way of a save: the changed objects are checked against the model's rules; the changes become
  /// a ``ChangeSet``; the store writes it as a whole; then the objects take over what was written.
  ///
  /// - Throws: ``PersistenceError``: `validation` with all objects that break a rule, `conflict` when
  ///   another context saved an object first, `storeWasMigrated`, why the store could not be written,
  ///   and any error that a getter has recorded before. Nothing was written then, and the context
  ///   still has all its changes.
  /// - Complexity: O(changed objects), one transaction.
  public func save() throws(PersistenceError) {
    try begin("save")
    guard hasUnsavedObjects else { return }
    try validateChanges()
    let changes = ChangeSetBuilder(context: self).build()
    if pendingFault != nil { try begin("save") }
    if !changes.isEmpty {
      try coordinator.store.save(changes)
      statistics.saves += 1
      statistics.inserted += changes.inserts.count
      statistics.updated += changes.updates.count
      statistics.deleted += changes.deletes.count
    }
    settle(after: changes)
    sweep()
  }

  /// Forgets all changes: new objects are gone, changed and deleted ones are as in the store again.
  ///
  /// - Throws: ``PersistenceError`` with code `wrongOwner`.
  public func rollback() throws(PersistenceError) {
    try token.requireOwner("rollback")
    pendingFault = nil
    for object in insertedObjects {
      object._state = [.inserted, .deleted, .overlaid]
      expel(object)
    }
    for object in updatedObjects where !object.isInserted { object.revert() }
    for object in deletedObjects { object.revert() }
    forgetChanges()
  }

  /// Forgets all objects and all changes.
  ///
  /// Objects that were fetched before keep the attribute values that they had, and belong to no context:
  /// reading anything else of them, and changing them, is refused (``ManagedObject/faultError``).
  ///
  /// - Throws: ``PersistenceError`` with code `wrongOwner`.
  public func reset() throws(PersistenceError) {
    try token.requireOwner("reset")
    renewToken()
    forgetChanges()
    faultErrors = [:]
    pendingFault = nil
    births = nil
    maps = ContiguousArray(repeating: IdentityMap(), count: schema.entities.count)
  }

  /// Reads an object's row anew with its next access, and forgets its unsaved changes.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for a new object or one of another context.
  public func refresh(_ object: ManagedObject) throws(PersistenceError) {
    try begin("refresh")
    try requireOwn([object], "refresh")
    guard !object.isInserted else {
      throw PersistenceError(
        .foreignObject, "could not refresh '\(object)': it is new and not saved yet",
        objectIDs: [object.objectID])
    }
    object.revert()
    let slab = RowSlab(schema: schema, entities: [], capacity: 1, isFault: true)
    slab._owner = token
    _ = slab.beginRow(key: object.key, version: 0, entity: object.entityIndex)
    object.point(to: slab, 0)
    object._state = .fault
    faultErrors[object.reference] = nil
  }

  var hasUnsavedObjects: Bool {
    !insertedObjects.isEmpty || !updatedObjects.isEmpty || !deletedObjects.isEmpty
  }

  func forgetChanges() {
    token.hasUnsavedWork = false
    insertedObjects = []
    updatedObjects = []
    deletedObjects = []
  }
}

extension ManagedObject {
  /// Takes back all edits.
  ///
  /// Collections are read again when they are next asked for.
  final func revert() {
    overlay = nil
    _state.subtract([.overlaid, .updated, .deleted])
  }
}
