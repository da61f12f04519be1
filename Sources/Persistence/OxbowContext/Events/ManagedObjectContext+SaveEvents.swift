public import OxbowModel
public import OxbowStore

// Saves of other contexts. They are merged where a call can throw, and nowhere else: two getters in
// a row agree.

extension ManagedObjectContext {
  /// Whether the context brings its objects up to date with the saves of others.
  ///
  /// It does so at the beginning of each call that throws: a fetch, a save, the end of `perform`.
  /// Between two such calls nothing changes by itself. Objects with unsaved changes stay as they
  /// are: their save finds the conflict, and the merge policy decides.
  ///
  /// A child follows its parent: it shows what the parent and other children have saved as the
  /// parent has it, and merges what others save into the parent and what the parent rolls back. A
  /// parent that does not merge the saves of others keeps them from its children as well.
  ///
  /// Off the owner `false`, and the use is reported. Always `false` for a context that reads one
  /// moment (``isPinned``).
  public var automaticallyMergesChangesFromParent: Bool {
    get { isOwned("automaticallyMergesChangesFromParent") && news != nil }
    set {
      guard isOwned("automaticallyMergesChangesFromParent"), newValue != (news != nil) else {
        return
      }
      news = newValue && !isPinned ? News(of: self) : nil
      newsMerger = { context throws(PersistenceError) in try context.mergeNews() }
    }
  }

  /// Brings the objects up to date with a save of another context; those of one that reads one
  /// moment (``isPinned``) stay as they are.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, and why the rows could not be read; the merge
  ///   can be made again then.
  /// - Complexity: One request to the store for each root entity of rows that this context has, or
  ///   whose objects may be in its collections.
  public func mergeChanges(from event: SaveEvent) throws(PersistenceError) {
    try begin("mergeChanges(from:)")
    guard !isPinned else { return }
    try merge([event])
  }
}
