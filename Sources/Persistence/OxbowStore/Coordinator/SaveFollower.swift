internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform
internal import Synchronization

/// Posts the saves of others in one store to the mailboxes of a coordinator, as long as there are
/// some.
///
/// Saves are posted in the order of their numbers, with one exception: a save of the coordinator is
/// posted before `save()` returns, even if an earlier one of another thread is still under way.
/// What others saved after one that is under way waits for it. A store whose saves do not learn
/// their numbers has those of others posted when they are read.
final class SaveFollower: Sendable {
  fileprivate struct State {
    /// The place up to which everything is posted; `nil` if it is not known.
    var place: HistoryToken?
    /// The saves of the coordinator beyond it that are posted.
    var posted: Set<Int64> = []
  }

  private let history: any StoreHistory

  /// The identifier of the store.
  let store: UUID

  /// Held while the history is read.
  private let state = Lock(State())

  /// What calls it as long as it posts; held for a moment only, also inside of ``state``.
  private let watch = Lock<(any Sendable & AnyObject)?>(nil)

  /// The numbers of saves of the coordinator that are written and not announced.
  ///
  /// Behind a lock of its own, which is taken inside the transactions of these saves.
  private let underWay = Lock<[ObjectIdentifier: Int64]>([:])

  private let isOn = Atomic(false)

  private let limits: HistoryBatchLimits

  init(_ history: any StoreHistory) {
    self.history = history
    store = history.identifier
    var limits = HistoryBatchLimits()
    limits.objects = SaveMailbox.usualCapacity
    self.limits = limits
  }

  /// Begins to post, from the last save on.
  func begin(_ coordinator: PersistentStoreCoordinator) {
    guard !isWatching else { return }
    state.withLock { state in
      guard !isWatching else { return }
      let new = history.watch { [weak coordinator, weak self] isForeign in
        // The last reference to it may be this one, and its end must not find the lock taken.
        guard let coordinator, let self else { return false }
        return self.follow(coordinator, isForeign: isForeign)
      }
      // A place that cannot be read is read by the first look, which then posts the unknown.
      state = State(place: try? history.currentToken())
      watch.withLock { watch in
        watch = new
        isOn.store(true, ordering: .releasing)
      }
    }
  }

  private var isWatching: Bool { watch.withLock { $0 != nil } }

  /// Ends when the last mailbox is gone; does not wait for a read that is under way.
  func endUnlessNeeded(_ subscribers: SaveSubscribers) {
    // Released after the lock.
    let ended = watch.withLock { watch -> (any Sendable & AnyObject)? in
      guard subscribers.mailboxes().isEmpty else { return nil }
      isOn.store(false, ordering: .releasing)
      defer { watch = nil }
      return watch
    }
    withExtendedLifetime(ended) {}
  }

  private func follow(_ coordinator: PersistentStoreCoordinator, isForeign: Bool) -> Bool {
    state.withLock { state in
      guard isWatching else { return false }
      if isForeign { coordinator.subscribers.postUnknown() }
      return postOthers(&state, coordinator)
    }
  }
}

// MARK: - Saves of the coordinator

extension SaveFollower {
  /// Whether it posts.
  var isAtWork: Bool { isOn.load(ordering: .acquiring) }

  /// Notes the place after a save of the coordinator that is written and not announced; `nil` when
  /// it is.
  func note(_ id: ObjectIdentifier, _ place: HistoryPlace?) {
    guard let place else { return underWay.withLock { $0[id] = nil } }
    if place.store == store { underWay.withLock { $0[id] = place.number } }
  }

  /// Posts what others saved before a save of the coordinator, and calls `post` for that, which
  /// learns whether it is news.
  ///
  /// It is not if it was written before the first mailbox came, which has made it one of others.
  func announce(
    _ number: Int64, _ coordinator: PersistentStoreCoordinator, _ post: (_ isNews: Bool) -> Void
  ) {
    state.withLock { state in
      let isWatching = isWatching
      if isWatching { _ = postOthers(&state, coordinator, before: number) }
      let place = isWatching ? state.place : nil
      let isNews = place.map { number > $0.number } ?? true
      post(isNews)
      guard isNews, let place else { return }
      state.posted.insert(number)
      state.passPosted(place)
    }
  }
}

extension PersistentStoreCoordinator {
  /// What goes with a save of this coordinator, so that the saves of others are posted in their
  /// order; `nil` if no others are followed.
  package func newAnnouncement() -> SaveAnnouncement? {
    guard followers.contains(where: \.isAtWork) else { return nil }
    return SaveAnnouncement { [followers] id, place in
      for follower in followers { follower.note(id, place) }
    }
  }

  /// Posts a save of this coordinator, after those of others before it in each store.
  ///
  /// The followers are held one inside of the other, in their order.
  func post(_ event: SaveEvent, except own: SaveSubscription?) {
    let changed = followers.compactMap { follower in
      event.historyToken?.place(in: follower.store).map { (follower, $0.number) }
    }
    post(event, except: own, changed[...], isNews: changed.isEmpty)
  }

  private func post(
    _ event: SaveEvent, except own: SaveSubscription?,
    _ followers: ArraySlice<(SaveFollower, Int64)>, isNews: Bool
  ) {
    guard let (follower, number) = followers.first else {
      if isNews { subscribers.post(event, except: own) }
      return
    }
    follower.announce(number, self) { isNewsHere in
      post(event, except: own, followers.dropFirst(), isNews: isNews || isNewsHere)
    }
  }
}

extension SaveFollower.State {
  /// Moves the place behind saves that are posted.
  fileprivate mutating func passPosted(_ start: HistoryToken) {
    var place = start
    while posted.remove(place.number + 1) != nil { place = place.at(place.number + 1) }
    self.place = place
  }
}

// MARK: - Saves of others

extension SaveFollower {
  /// Posts what others have saved since the place, before a number.
  ///
  /// - Returns: Whether the rest has to wait for a save of the coordinator.
  private func postOthers(
    _ state: inout State, _ coordinator: PersistentStoreCoordinator, before end: Int64 = .max
  ) -> Bool {
    do throws(PersistenceError) {
      guard let start = state.place else {
        state.place = try history.currentToken()
        state.posted = []
        coordinator.subscribers.postUnknown()
        return false
      }
      state.passPosted(start)
      while let place = state.place, place.number + 1 < end {
        if isUnderWay(place.number + 1) { return true }
        guard let element = try history.elements(after: place, limits).first else { return false }
        guard post(element, &state, coordinator, before: end) else { return true }
      }
    } catch {
      // A server that is away for a moment has kept what comes after the place.
      if state.place != nil, history.announcedSession != nil, error.isPassing { return true }
      lose(&state, error, coordinator)
    }
    return false
  }

  private func isUnderWay(_ number: Int64) -> Bool {
    underWay.withLock { $0.values.contains(number) }
  }

  /// Posts an element of the history.
  ///
  /// - Returns: Whether nothing of it has to wait.
  private func post(
    _ element: HistoryElement, _ state: inout State, _ coordinator: PersistentStoreCoordinator,
    before end: Int64
  ) -> Bool {
    guard case .saves(let parts) = element else {
      coordinator.subscribers.postUnknown()
      state.place = element.token
      return true
    }
    for save in HistoryTransaction.whole(parts) where save.number < end {
      guard state.posted.remove(save.number) == nil, save.session != history.announcedSession
      else {
        state.place = save.token
        continue
      }
      if isUnderWay(save.number) { return false }
      post(save, coordinator)
      state.place = save.token
    }
    return true
  }

  private func post(_ save: HistoryTransaction, _ coordinator: PersistentStoreCoordinator) {
    guard save.kind != .upkeep else { return }
    let event = coordinator.event(of: save)
    // The history does not name objects of entities without one, nor those of a very large save.
    guard !save.isPartial, !save.isPartlyDerived, event.inserted.count >= save.insertedCount,
      event.updated.count >= save.updatedCount, event.deleted.count >= save.deletedCount
    else { return coordinator.subscribers.postUnknown() }
    coordinator.subscribers.post(event)
  }

  /// Gives up the place, until the history can be read again, and posts that anything may have
  /// happened: the saves that could not be read are not read again.
  ///
  /// It never can if the store was migrated or is closed, which those who wait find out by reading.
  private func lose(
    _ state: inout State, _ error: PersistenceError, _ coordinator: PersistentStoreCoordinator
  ) {
    let isOver = error.code == .storeWasMigrated || error.code == .storeClosed
    if state.place != nil || isOver { coordinator.subscribers.postUnknown() }
    state.place = nil
    guard isOver else { return }
    let ended = watch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    withExtendedLifetime(ended) {}
  }
}

extension PersistenceError {
  fileprivate var isPassing: Bool { code == .storeUnreachable || code == .storeLocked }
}

extension HistoryTransaction {
  /// The saves of transactions that may be parts of one.
  fileprivate static func whole(_ parts: [Self]) -> [Self] {
    var saves: [Self] = []
    for part in parts {
      guard let first = saves.last, first.isContinued else {
        saves.append(part)
        continue
      }
      saves[saves.count - 1] = part.with(
        first.changes + part.changes, notes: first.notes + part.notes)
    }
    return saves
  }
}
