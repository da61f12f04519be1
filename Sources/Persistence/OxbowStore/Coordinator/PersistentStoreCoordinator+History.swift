public import OxbowFoundation
public import OxbowModel

extension PersistentStoreCoordinator {
  /// The place in the store's history after the last save; of several stores, in each that has one.
  ///
  /// Core Data's name is `currentPersistentHistoryToken`.
  ///
  /// - Throws: ``PersistenceError``: `historyOff` where the store has no history, `unsupported`
  ///   where it cannot have one, as a store of the program's own.
  public func currentHistoryToken() throws(PersistenceError) -> HistoryToken {
    try store.requireHistory().currentToken()
  }

  /// The saves after a place in the store's history, or all that are kept.
  ///
  /// ```swift
  /// var history = try coordinator.history(after: token, where: .author("web"))
  /// while let element = try history.next() {
  ///   switch element {
  ///   case .saves(let saves): for save in saves { print(save.number, save.changes.count) }
  ///   case .missed, .migrated: try mirrorEverything()
  ///   }
  ///   token = history.token
  /// }
  /// ```
  ///
  /// It is read in batches, each of one moment.
  ///
  /// Several stores behind one coordinator have a row each of a save that has changed several. The
  /// saves of one store come in the order of their numbers, those of different stores by their
  /// time as far as it is known when they are read: a save can come after one of another store
  /// that is later by a few milliseconds. None is missing, and none comes twice. Stores without a
  /// history are left out.
  ///
  /// - Throws: ``PersistenceError``: `historyOff`, `unsupported`, and `historyForeign` for a place
  ///   in another history.
  public func history(
    after token: HistoryToken? = nil, where filter: HistoryFilter? = nil
  ) throws(PersistenceError) -> History {
    let history = try store.requireHistory()
    guard let token else { return History(self, history, after: try history.firstToken(), filter) }
    return History(self, history, after: token, filter)
  }

  /// Removes the saves before a place from the history, in one store after the other.
  ///
  /// - Parameters:
  ///   - token: The place.
  ///   - force: Whether saves go that a consumer has not seen; it gets a ``HistoryGap``.
  /// - Returns: How many were removed.
  /// - Throws: ``PersistenceError``: `historyNeeded` where a consumer has not seen all of them,
  ///   `historyOff`, `historyForeign`, `storeReadOnly`.
  @discardableResult
  public func deleteHistory(
    before token: HistoryToken, force: Bool = false
  ) throws(PersistenceError) -> Int {
    try store.requireHistory().delete(before: token, force: force)
  }

  /// Removes the saves before a moment from the store's history, as far as all consumers have seen
  /// them.
  ///
  /// - Returns: How many were removed.
  /// - Throws: ``PersistenceError``: `historyOff`, `storeReadOnly`.
  @discardableResult
  public func deleteHistory(before date: Date) throws(PersistenceError) -> Int {
    try store.requireHistory().delete(before: date)
  }
}

/// The saves of a store after a place, as they are asked for; see
/// ``PersistentStoreCoordinator/history(after:where:)``.
public struct History {
  package let coordinator: PersistentStoreCoordinator
  private let source: any StoreHistory
  private let filter: HistoryFilter?

  /// The place after what was read so far.
  public private(set) var token: HistoryToken

  private var elements: ArraySlice<HistoryElement> = []

  /// How much is read at once.
  package var limits = HistoryBatchLimits()

  init(
    _ coordinator: PersistentStoreCoordinator, _ source: any StoreHistory,
    after token: HistoryToken, _ filter: HistoryFilter?
  ) {
    self.coordinator = coordinator
    self.source = source
    self.token = token
    self.filter = filter
  }

  /// Goes on from a place that is known from elsewhere.
  package mutating func move(to token: HistoryToken) {
    self.token = token
    elements = []
  }

  /// What comes next: some saves, or that saves are missing; `nil` at the end of the history.
  ///
  /// Called again after the end, it reads what was saved since.
  ///
  /// - Throws: ``PersistenceError``: why the store could not be read, `invalidStoredValue` for a
  ///   save that is damaged.
  public mutating func next() throws(PersistenceError) -> HistoryElement? {
    while true {
      if elements.isEmpty { elements = try source.elements(after: token, limits)[...] }
      guard let element = elements.popFirst() else { return nil }
      token = element.token ?? token
      guard let filter, case .saves(let saves) = element else { return element }
      let fitting = filter.filtered(saves)
      if !fitting.isEmpty { return .saves(fitting) }
    }
  }

  /// All saves that are left, migrations among them.
  ///
  /// - Throws: ``PersistenceError`` as ``next()``, and `historyMissed` where the history does not
  ///   have all of them.
  public mutating func transactions() throws(PersistenceError) -> [HistoryTransaction] {
    var all: [HistoryTransaction] = []
    while let element = try next() {
      switch element {
      case .saves(let saves): all += saves
      case .migrated(let migration): all.append(migration)
      case .missed(let gap): throw .missed(gap)
      }
    }
    return all
  }
}

extension PersistenceError {
  fileprivate static func missed(_ gap: HistoryGap) -> PersistenceError {
    PersistenceError(
      .historyMissed,
      "the history does not have the saves \(gap.first) to \(gap.last): they were removed, or made by a "
        + "program that had the store open without a history; read the store as a whole and go on "
        + "at '\(gap.token)', or read with 'next()', which says what is missing")
  }
}
