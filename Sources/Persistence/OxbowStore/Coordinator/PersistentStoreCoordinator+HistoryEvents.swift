internal import OxbowModel

extension PersistentStoreCoordinator {
  /// The event of a save that is in the history.
  package func event(of save: HistoryTransaction) -> SaveEvent {
    var changed: [HistoryChange.Kind: [ObjectReference]] = [:]
    for change in save.changes {
      guard let id = change.objectID, let reference = try? reference(for: id) else { continue }
      changed[change.kind, default: []].append(reference)
    }
    let isOwn = (try? store.requireHistory())?.historySessions.contains(save.session) == true
    return SaveEvent(
      of: save, changed, isOwn ? .here : .elsewhere(session: save.session),
      number: subscribers.nextNumber(), origins)
  }
}
