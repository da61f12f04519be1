internal import OxbowStore

/// The saves of others that a context has not merged yet.
final class News {
  private static let capacity = 100_000

  let mailbox = SaveMailbox(capacity: News.capacity)
  let subscription: SaveSubscription

  init(of coordinator: PersistentStoreCoordinator) {
    subscription = coordinator.subscribe(mailbox)
  }
}
