internal import OxbowModel
internal import OxbowStore

/// What runs in a context, or is recorded.
struct ContextWork {
  /// The hook that runs.
  var hook: RunningHook?

  /// The objects whose `prepareForDeletion()` runs or has run for a deletion under way.
  var preparing: Set<ManagedObject> = []

  /// The unit of work that runs (`ManagedObjectContext.transaction`), or `nil`: `save()` writes at
  /// once then.
  var transaction: AnyObject?

  /// The root entities that a call has asked for since the last unit of work began: after a lookup,
  /// a value that is taken may be the work of another writer, and else it is a mistake.
  var lookups: Set<Int> = []

  /// The changes that can be undone (`ManagedObjectContext.undoLog`), or `nil` when none are
  /// recorded.
  var undo: AnyObject?

  /// How many groups of changes are kept; 0 for all.
  var levelsOfUndo = 0

  /// Who changes objects, for the history of the store.
  var author: String?

  /// The place of the last save in the history of the store.
  var historyToken: HistoryToken?

  /// The number of objects at which the next sweep happens.
  var sweepThreshold = 4096

  #if OXBOW_INVARIANT_CHECKS
    /// How many operations there were since the last look at what must hold.
    var operationsSinceCheck = 0
  #endif
}

/// What becomes of conflicts.
struct MergeSettings {
  var policy = MergePolicy.error
  var conflicts: [MergeConflict] = []
  var afterMerging: (([MergeConflict], ManagedObjectContext) throws(PersistenceError) -> Void)?
}
