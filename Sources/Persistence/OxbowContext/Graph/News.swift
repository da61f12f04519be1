internal import OxbowModel
internal import OxbowStore

/// The parent and the children of a context, and the saves of others.
struct Relatives {
  let parent: ManagedObjectContext?

  /// The saves of others that will be merged, or `nil` if the context does not merge them.
  var news: News?

  /// Merges them; a function of a layer above.
  var merge: ((ManagedObjectContext) throws(PersistenceError) -> Void)?
  fileprivate var children: [News.Weak] = []

  init(parent: ManagedObjectContext?) { self.parent = parent }

  /// The children that are there.
  fileprivate mutating func livingChildren() -> [News] {
    children.removeAll { $0.news == nil }
    return children.compactMap(\.news)
  }
}

/// The saves of others that a context has not merged yet.
final class News {
  let mailbox = SaveMailbox(capacity: SaveMailbox.usualCapacity)
  let subscription: SaveSubscription
  fileprivate weak var context: ManagedObjectContext?

  init(of context: ManagedObjectContext) {
    self.context = context
    subscription = context.coordinator.subscribe(mailbox)
    guard let parent = context.parent else { return }
    _ = parent.relatives.livingChildren()
    parent.relatives.children.append(Weak(news: self))
  }

  /// The news of a child, held by the child alone.
  fileprivate struct Weak { weak var news: News? }
}

extension ManagedObjectContext {
  /// Notifies the children, and theirs, that objects may have changed here in a way that no event
  /// of the coordinator reports; `child` already knows.
  func tellChildren(besides child: ManagedObjectContext? = nil) {
    guard !relatives.children.isEmpty else { return }
    for news in relatives.livingChildren() where news.context !== child {
      news.mailbox.postUnknown()
      // Fetched results have news of their own.
      if let context = news.context, context.relatives.news === news { context.tellChildren() }
    }
  }
}
