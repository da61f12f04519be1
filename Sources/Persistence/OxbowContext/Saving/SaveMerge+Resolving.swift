internal import OxbowModel
internal import OxbowStore

// A save that met conflicts: the policy merges them in memory, and the save is repeated as a whole,
// until the store takes it. If that fails, the context is as before the save.

extension SaveMerge {
  /// Merges the conflicts of a refused save and saves again.
  ///
  /// - Returns: What was written in the end.
  /// - Throws: ``PersistenceError``: the conflicts that the policy does not resolve, and whatever
  ///   refuses the merged changes. Nothing has changed then.
  mutating func resolve(
    _ error: PersistenceError, _ refused: ChangeSet
  ) throws(PersistenceError) -> (changes: ChangeSet, result: SaveResult) {
    guard policy != .error, error.isMergeable else { throw noted(error) }
    let memento = GraphMemento(of: context)
    do throws(PersistenceError) {
      return try mergeAndSave(after: error, refused)
    } catch {
      memento.restore(context)
      throw noted(error)
    }
  }

  /// The error of a save, whose objects a rollback reads again.
  private func noted(_ error: PersistenceError) -> PersistenceError {
    let isUnexplained = error.code == .conflict && error.objectIDs.isEmpty
    let error = isUnexplained ? refusalByLatecomers() ?? error : error
    if [.conflict, .conditionFailed].contains(error.code) {
      context.unsaved.conflicted += error.objectIDs
    }
    if error.code == .uniquenessViolated {
      return describing(error).afterLookup(followsLookup(error))
    }
    if error.code == .partlySaved {
      context.unsaved.conflicted += context.unsaved.objects.map(\.objectID)
    }
    return describing(error)
  }

  /// Whether the program had looked up objects like the one whose value is taken.
  private func followsLookup(_ error: PersistenceError) -> Bool {
    error.objectIDs.first.flatMap { context.model.entity(of: $0) }.map {
      context.work.lookups.contains($0.root)
    }
      ?? false
  }

  private mutating func mergeAndSave(
    after error: PersistenceError, _ refused: ChangeSet
  ) throws(PersistenceError) -> (changes: ChangeSet, result: SaveResult) {
    var (error, changes) = (error, refused)
    for _ in 0..<Self.mergeRounds {
      let known = conflicts.count
      if error.code == .uniquenessViolated {
        try mergeUnique(after: error)
      } else {
        try mergeRows(after: error, changes)
      }
      try fixUp(Array(conflicts.dropFirst(known)))
      changes = try context.checkedChanges(self)
      do throws(PersistenceError) {
        let result = changes.isEmpty ? SaveResult() : try context.store.save(changes)
        context.merging.conflicts = conflicts
        return (changes, result)
      } catch let next {
        guard next.isMergeable else { throw next }
        error = next
      }
    }
    throw error
  }

  /// Lets the program correct what was merged.
  private func fixUp(_ conflicts: [MergeConflict]) throws(PersistenceError) {
    guard let afterMerging = context.merging.afterMerging, !conflicts.isEmpty else { return }
    try context.running("afterMerging") { () throws(PersistenceError) in
      try afterMerging(conflicts, context)
    }
    try context.throwPendingFault()
  }

  /// How often others may save the same objects again while a save merges.
  private static let mergeRounds = 20
}

extension PersistenceError {
  fileprivate var isMergeable: Bool { code == .conflict || code == .uniquenessViolated }
}
