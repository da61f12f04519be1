package import OxbowModel
package import OxbowStore

/// A change set that says which values are written over which versions.
package struct SettledChanges {
  package var changes: ChangeSet

  /// See ``SaveResult/found``.
  package private(set) var found: [RowSlab] = []

  /// The objects that are gone from the store.
  package private(set) var gone: [ManagedObjectID] = []

  package init(changes: ChangeSet) { self.changes = changes }

  /// Settles the updates that need rows by those that the store has, whose conditions are met.
  ///
  /// - Throws: ``PersistenceError``: `validation` for an increment of no value and for a sum that
  ///   breaks a rule of the model; `overflow`.
  package mutating func settle(
    in model: CompiledModel, id: (ObjectReference) -> ManagedObjectID,
    row: (ObjectReference) -> (slab: RowSlab, row: Int)?
  ) throws(PersistenceError) {
    let waiting = changes.updates.filter(\.needsRow)
    changes.updates.removeAll(where: \.needsRow)
    var differing: Set<ObjectIdentifier> = []
    for update in waiting {
      let id = id(update.reference)
      guard let (slab, row) = row(update.reference) else {
        gone.append(id)
        continue
      }
      let version = slab._version(row)
      changes.updates.append(
        try update.written(over: version, in: model, id) { slab.storedValue(row, $0) })
      if version != update.version, !update.checksVersion,
        differing.insert(ObjectIdentifier(slab)).inserted
      {
        found.append(slab)
      }
    }
  }
}
