internal import OxbowPlatform

extension PersistentStoreCoordinator {
  /// Calls `handler` after each save of a context of this coordinator, until the subscription is
  /// cancelled or gone.
  ///
  /// It is called on the thread that saved, before `save()` returns; the save is durable and the
  /// context has taken it over. It must not wait for that thread. Saves of other processes are
  /// not saves of a thread here: ``didSaveEvents()`` has them.
  public func onDidSave(
    _ handler: @escaping @Sendable (SaveEvent) -> Void
  ) -> SaveSubscription {
    SaveSubscription(subscribers, .handler(handler))
  }

  /// The saves of the contexts of this coordinator, from now on, and those of other processes if
  /// the store follows them.
  ///
  /// Each element has all saves since the last one, so a slow reader gets fewer and larger
  /// elements. Each call returns a sequence for one reader; ending the task, or
  /// closing the store, ends it.
  public func didSaveEvents() -> SaveEvents {
    let mailbox = SaveMailbox(capacity: SaveMailbox.usualCapacity)
    return SaveEvents(mailbox, subscribe(mailbox))
  }

  /// Fills a mailbox with the saves, until the subscription is gone.
  package func subscribe(_ mailbox: SaveMailbox) -> SaveSubscription {
    let subscription = SaveSubscription(subscribers, .mailbox(mailbox))
    for follower in followers { follower.begin(self) }
    return subscription
  }

  package var hasSubscribers: Bool { subscribers.isPresent }

  /// Notifies all subscribers that something may have been saved.
  package func announceUnknown() { subscribers.postUnknown() }

  /// Notifies all subscribers except one of a save; `token` is the place after it in the histories
  /// of the stores that it changed.
  package func announce(
    _ changes: ChangeSet, _ result: SaveResult, by author: String,
    at token: HistoryToken?, except own: SaveSubscription?
  ) {
    // A consumer that only says what it has seen would wake itself.
    guard changes.count > changes.acknowledgments.count else { return }
    let event = event(of: changes, result, by: author, at: token)
    subscribers.call(event)
    post(event, except: own)
  }

  /// The event of a save.
  package func event(
    of changes: ChangeSet, _ result: SaveResult, by author: String, at token: HistoryToken?
  ) -> SaveEvent {
    SaveEvent(
      changes, result, by: author, number: subscribers.nextNumber(), at: token, in: model, origins)
  }
}
