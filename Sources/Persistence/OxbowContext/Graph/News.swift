internal import OxbowStore

/// The saves of others that a context has not merged yet.
final class News {
  private static let capacity = 100_000

  let mailbox = SaveMailbox(capacity: News.capacity)
  let subscription: SaveSubscription
  fileprivate weak var context: ManagedObjectContext?

  init(of context: ManagedObjectContext) {
    self.context = context
    subscription = context.coordinator.subscribe(mailbox)
    guard let parent = context.parent else { return }
    parent.childNews.removeAll { $0.news == nil }
    parent.childNews.append(Weak(news: self))
  }

  /// News of a child, held by the child alone.
  struct Weak { weak var news: News? }
}

extension ManagedObjectContext {
  /// Tells the children, and theirs, that their objects may have changed here in a way of which no
  /// event of the coordinator tells; `child` knows already.
  func tellChildren(besides child: ManagedObjectContext? = nil) {
    guard !childNews.isEmpty else { return }
    childNews.removeAll { $0.news == nil }
    for case let news? in childNews.map(\.news) where news.context !== child {
      news.mailbox.postUnknown()
      // Fetched results have news of their own.
      if let context = news.context, context.news === news { context.tellChildren() }
    }
  }
}
