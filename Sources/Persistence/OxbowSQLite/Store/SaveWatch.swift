internal import OxbowFoundation
internal import OxbowPlatform
internal import OxbowStore

/// Looks for the saves of others in a store, as long as somebody waits for them.
final class SaveWatch: Sendable {
  typealias Body = @Sendable (_ isForeign: Bool) -> Bool

  private struct State {
    var bodies: [ObjectIdentifier: Body] = [:]
    var file: FileWatch?
    var saves: Int64?
    var foreign: Int?
  }

  private let state = Lock(State())

  /// Calls `body` from now on, until it is removed.
  fileprivate func add(_ body: @escaping Body, for id: ObjectIdentifier, _ store: SQLiteStore) {
    let isFirst = state.withLock { state in
      state.bodies[id] = body
      return state.bodies.count == 1
    }
    if isFirst { begin(store) }
  }

  fileprivate func remove(_ id: ObjectIdentifier) {
    // Released after the lock.
    let removed = state.withLock { state in
      let body = state.bodies.removeValue(forKey: id)
      guard state.bodies.isEmpty else { return (body, FileWatch?.none) }
      defer { state = State() }
      return (body, state.file)
    }
    withExtendedLifetime(removed) {}
  }

  /// Watches the store's lock file, again when the store has moved.
  ///
  /// After that, the first look calls those who wait: a save in the new place may have come before.
  func begin(_ store: SQLiteStore, isMoved: Bool = false) {
    guard state.withLock({ !$0.bodies.isEmpty }) else { return }
    let database = store.database
    let file = FileWatch(database.path + "-lock") { [weak self, weak store] in
      guard let self, let store else { return .nothing }
      return self.look(store)
    }
    // Before this, what a look would find is found by those who begin to wait.
    let now = (try? database.look()) ?? nil
    replace(by: file, now)
    if isMoved { state.withLock { $0.saves = nil } }
  }

  private func replace(by file: FileWatch?, _ now: (saves: Int64?, foreign: Int)?) {
    // Released after the lock.
    let former = state.withLock { state in
      guard !state.bodies.isEmpty else { return file }
      defer { state.file = file }
      // One who began to wait meanwhile may have read before that look: the next one calls.
      let isAlone = state.bodies.count == 1
      (state.saves, state.foreign) = (isAlone ? now?.saves : nil, now?.foreign)
      return state.file
    }
    withExtendedLifetime(former) {}
  }

  /// Calls all who wait for the last time: the store is closed.
  func end() {
    replace(by: nil, nil)
    call(isForeign: false)
  }

  /// Looks, and calls those who wait if there is something new.
  private func look(_ store: SQLiteStore) -> FileWatch.Look {
    let look: (saves: Int64?, foreign: Int)?
    do { look = try store.using { try $0.look() } } catch { return call(isForeign: false) }
    guard let found = look else { return .again }
    let (isNew, isForeign) = state.withLock { state in
      let isForeign = state.foreign.map { $0 != found.foreign } ?? false
      let isNew = state.saves != found.saves || found.saves == nil
      (state.saves, state.foreign) = (found.saves, found.foreign)
      return (isNew, isForeign)
    }
    return isNew || isForeign ? call(isForeign: isForeign) : .nothing
  }

  /// Calls all who wait.
  ///
  /// - Returns: `again` if one of them asks for it.
  @discardableResult
  private func call(isForeign: Bool) -> FileWatch.Look {
    let bodies = state.withLock { Array($0.bodies.values) }
    let isOver = bodies.map { $0(isForeign) }.allSatisfy { !$0 }
    if !isOver { state.withLock { $0.saves = nil } }
    return isOver ? .found : .again
  }
}

/// The right to be called; it ends with the value.
private final class SaveWatching: Sendable {
  private let watch: SaveWatch

  init(_ store: SQLiteStore, _ body: @escaping SaveWatch.Body) {
    watch = store.saveWatch
    watch.add(body, for: ObjectIdentifier(self), store)
  }

  deinit { watch.remove(ObjectIdentifier(self)) }
}

extension SQLiteStore {
  package func watch(
    _ body: @escaping @Sendable (_ isForeign: Bool) -> Bool
  ) -> any Sendable & AnyObject { SaveWatching(self, body) }
}
