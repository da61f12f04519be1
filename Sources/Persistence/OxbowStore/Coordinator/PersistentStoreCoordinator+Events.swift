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
  /// Each element is all that has come since the last one, so a reader that is slow gets fewer and
  /// larger elements. Each call has saves of its own, for one reader; ending the task ends the
  /// sequence.
  public func didSaveEvents() -> SaveEvents { SaveEvents(subscribers) }

  /// A mailbox that gets the saves, until the subscription is gone.
  package func subscribe(_ mailbox: SaveMailbox) -> SaveSubscription {
    SaveSubscription(subscribers) { mailbox.post($0) }
  }

  /// Whether somebody wants to know of saves.
  package var hasSubscribers: Bool { subscribers.isPresent }

  /// Tells everybody, but for one, of a save.
  package func announce(
    _ changes: ChangeSet, _ derived: [DerivedValue], by author: String,
    except own: SaveSubscription?
  ) {
    guard !changes.isEmpty else { return }
    subscribers.send(event(of: changes, derived, by: author), except: own)
  }

  /// What a context would be told of a save.
  package func event(
    of changes: ChangeSet, _ derived: [DerivedValue], by author: String
  ) -> SaveEvent {
    SaveEvent(changes, derived, by: author, number: subscribers.nextNumber(), in: model, origins)
  }
}
