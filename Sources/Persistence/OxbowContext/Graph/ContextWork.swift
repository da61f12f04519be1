internal import OxbowModel
internal import OxbowStore

/// What runs in a context, and what it records.
struct ContextWork {
  var hook: RunningHook?

  /// The objects whose `prepareForDeletion()` runs or has run for a deletion in progress.
  var preparing: Set<ManagedObject> = []

  /// The running unit of work (`ManagedObjectContext.transaction`), or `nil`: then `save()` writes
  /// at once.
  var transaction: AnyObject?

  /// The root entities that were asked for since the last unit of work began: after a lookup, a
  /// taken value may be the work of another writer; otherwise it is a mistake.
  var lookups: Set<Int> = []

  /// The recorded changes (`ManagedObjectContext.undoLog`), or `nil` if none are recorded.
  var undo: AnyObject?

  /// The number of groups of changes that are kept; 0 for all.
  var levelsOfUndo = 0

  /// Who changes objects, for the history of the store.
  var author: String?

  /// The place of the last save in the history of the store.
  private(set) var historyToken: HistoryToken?

  /// The number of objects at which the next sweep happens.
  var sweepThreshold = 4096

  #if OXBOW_INVARIANT_CHECKS
    var operationsSinceCheck = 0
  #endif

  /// Notes the place of a save in the stores that it changed.
  mutating func note(_ token: HistoryToken?) {
    if let token { historyToken = historyToken?.moved(to: token) ?? token }
  }
}

/// How conflicts are resolved.
struct MergeSettings {
  var policy = MergePolicy.error
  var conflicts: [MergeConflict] = []
  var afterMerging: (([MergeConflict], ManagedObjectContext) throws(PersistenceError) -> Void)?
}
