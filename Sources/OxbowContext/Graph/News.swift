internal import OxbowModel
internal import OxbowStore

/// The saves of others that a context has not merged yet.
final class News {
  private static let capacity = 100_000

  let mailbox = SaveMailbox(capacity: News.capacity)
  let subscription: SaveSubscription

  /// Merges what has come; a function of a layer above.
  let merge: (ManagedObjectContext) throws(PersistenceError) -> Void

  init(
    of coordinator: PersistentStoreCoordinator,
    _ merge: @escaping (ManagedObjectContext) throws(PersistenceError) -> Void
  ) {
    self.merge = merge
    subscription = coordinator.subscribe(mailbox)
  }
}
