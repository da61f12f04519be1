internal import OxbowModel

extension PersistentStoreCoordinator {
  /// The event of a save that is in the history.
  package func event(of save: HistoryTransaction) -> SaveEvent {
    var changes = ChangeSet()
    var relinked: [ObjectReference] = []
    for change in save.changes {
      guard let id = change.objectID, let reference = try? reference(for: id) else { continue }
      switch change.kind {
      case .insert:
        changes.inserts.append(
          ChangeSet.Insert(entity: reference.entity, key: reference.key, values: []))
      case .update:
        changes.updates.append(
          ChangeSet.Update(
            entity: reference.entity, key: reference.key, version: 0, values: []))
        relinked.append(reference)
      case .delete:
        changes.deletes.append(
          ChangeSet.Delete(entity: reference.entity, key: reference.key, version: nil))
      }
    }
    let isOwn = save.session == (try? store.requireHistory())?.historySession
    return SaveEvent(
      changes, relinked, of: save, isOwn ? .here : .elsewhere(session: save.session),
      number: subscribers.nextNumber(), origins)
  }
}
