internal import OxbowPlatform

extension PersistentStoreCoordinator {
  /// Calls `handler` after each save of a context of this coordinator, until the subscription is
  /// cancelled or gone.
  ///
  /// It is called on the thread that saved, before `save()` returns; the save is durable and the
  /// context has taken it over. It must not wait for that thread.
  public func onDidSave(
    _ handler: @escaping @Sendable (SaveEvent) -> Void
  ) -> SaveSubscription {
    SaveSubscription(subscribers, handler)
  }

  /// The saves of the contexts of this coordinator, from now on.
  ///
  /// Each element has all saves since the last one, so a slow reader gets fewer and larger
  /// elements. Each call returns a sequence for one reader; ending the task ends it.
  public func didSaveEvents() -> SaveEvents { SaveEvents(subscribers) }

  /// Fills a mailbox with the saves, until the subscription is gone.
  package func subscribe(_ mailbox: SaveMailbox) -> SaveSubscription {
    SaveSubscription(subscribers) { mailbox.post($0) }
  }
  package var hasSubscribers: Bool { subscribers.isPresent }

  /// Notifies all subscribers except one of a save.
  package func announce(
    _ changes: ChangeSet, _ derived: [DerivedValue], by author: String,
    except own: SaveSubscription?
  ) {
    guard !changes.isEmpty else { return }
    subscribers.send(event(of: changes, derived, by: author), except: own)
  }

  /// The event of a save.
  package func event(
    of changes: ChangeSet, _ derived: [DerivedValue], by author: String
  ) -> SaveEvent {
    SaveEvent(changes, derived, by: author, number: subscribers.nextNumber(), in: model, origins)
  }
}
