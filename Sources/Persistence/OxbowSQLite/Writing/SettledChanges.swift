internal import OxbowModel
internal import OxbowStore

/// A change set that says which values are written over which versions.
struct SettledChanges {
  var changes: ChangeSet

  /// See ``SaveResult/found``.
  var found: [RowSlab] = []

  /// The objects that are gone from the store.
  var gone: [ManagedObjectID] = []
}
