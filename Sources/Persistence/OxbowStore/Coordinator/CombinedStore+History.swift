package import OxbowFoundation
package import OxbowModel

// The histories of several stores as one. Each store has the rows of its own saves, and how far
// consumers have come in them; a token has a place in each.

extension CombinedStore: StoreHistory {
  package func requireHistory() throws(PersistenceError) -> any StoreHistory { self }

  package var followedHistories: [any StoreHistory] { stores.flatMap(\.followedHistories) }

  package var historySessions: Set<UUID> {
    Set(stores.compactMap { try? $0.requireHistory() }.flatMap(\.historySessions))
  }

  package func history(of store: UUID) throws(PersistenceError) -> any StoreHistory {
    for known in stores where known.identifier == store { return try known.requireHistory() }
    return try requireParts()[0].history.history(of: store)
  }

  /// A store with a history, and a place in it.
  private struct Part {
    let history: any StoreHistory
    var place: HistoryToken
  }

  /// The stores that have a history, at their ends.
  ///
  /// - Throws: ``PersistenceError``: why the first store has none, if none has one.
  private func requireParts() throws(PersistenceError) -> [Part] {
    var (parts, refusal): ([Part], PersistenceError?) = ([], nil)
    for store in stores {
      do throws(PersistenceError) {
        let history = try store.requireHistory()
        parts.append(Part(history: history, place: try history.currentToken()))
      } catch {
        guard error.code == .historyOff || error.code == .unsupported else { throw error }
        refusal = refusal ?? error
      }
    }
    if parts.isEmpty, let refusal { throw refusal }
    return parts
  }

  /// The stores that have a history, at a place: a store that the token does not name, before its
  /// first save.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a token that names none of the stores,
  ///   `historyOff` if one that it names no longer has a history.
  private func requireParts(at token: HistoryToken) throws(PersistenceError) -> [Part] {
    let parts = try requireParts()
    let known = Set(parts.map(\.history.identifier))
    for store in stores where token.place(in: store.identifier) != nil {
      if !known.contains(store.identifier) {
        _ = try store.requireHistory().currentToken()
      }
    }
    guard token.places.contains(where: { known.contains($0.store) }) else {
      return parts.map { Part(history: $0.history, place: token) }
    }
    return parts.map { part in
      let place = token.place(in: part.history.identifier)
      return Part(
        history: part.history, place: place.map { HistoryToken([$0]) } ?? part.place.at(0))
    }
  }

  package func currentToken() throws(PersistenceError) -> HistoryToken {
    HistoryToken(try requireParts().flatMap(\.place.places))
  }

  package func firstToken() throws(PersistenceError) -> HistoryToken {
    var places: [HistoryPlace] = []
    for part in try requireParts() { places += try part.history.firstToken().places }
    return HistoryToken(places)
  }

  package func elements(
    after token: HistoryToken, _ limits: HistoryBatchLimits
  ) throws(PersistenceError) -> [HistoryElement] {
    let parts = try requireParts(at: token)
    var heads: [HistoryElement] = []
    for part in parts {
      if let head = try part.history.elements(after: part.place, limits).first {
        heads.append(head)
      }
    }
    var merge = HistoryMerge(heads, at: HistoryToken(parts.flatMap(\.place.places)))
    return merge.next().map { [$0] } ?? []
  }

  package func delete(
    before token: HistoryToken, force: Bool
  ) throws(PersistenceError) -> Int {
    var count = 0
    for part in try requireParts(at: token) {
      count += try part.history.delete(before: part.place, force: force)
    }
    return count
  }

  package func delete(before date: Date) throws(PersistenceError) -> Int {
    var count = 0
    for part in try requireParts() { count += try part.history.delete(before: date) }
    return count
  }

  package func watch(
    _ body: @escaping @Sendable (_ isForeign: Bool) -> Bool
  ) -> any Sendable & AnyObject {
    HeldParts(stores.compactMap { try? $0.requireHistory() }.map { $0.watch(body) })
  }
}

// MARK: - Consumers

extension CombinedStore {
  package func consumers() throws(PersistenceError) -> [HistoryConsumerState] {
    var known: [String: HistoryConsumerState] = [:]
    for part in try requireParts() {
      for state in try part.history.consumers() {
        known[state.name] = known[state.name]?.joined(with: state) ?? state
      }
    }
    return known.values.sorted { $0.name < $1.name }
  }

  package func register(
    _ name: String, at start: HistoryStart
  ) throws(PersistenceError) -> HistoryConsumerState {
    // A store that was added since the consumer was registered is read from its first save on.
    let known = try consumers().first { $0.name == name }
    for (history, start) in try starts(known.map { .token($0.token) } ?? start) {
      _ = try history.register(name, at: start)
    }
    guard let state = try consumers().first(where: { $0.name == name }) else {
      return try stores[0].requireHistory().register(name, at: start)
    }
    return state
  }

  private func starts(
    _ start: HistoryStart
  ) throws(PersistenceError) -> [(any StoreHistory, HistoryStart)] {
    guard case .token(let token) = start else {
      return try requireParts().map { ($0.history, start) }
    }
    return try requireParts(at: token).map { ($0.history, .token($0.place)) }
  }

  package func own(_ consumer: String) throws(PersistenceError) -> any ConsumerRight {
    var rights: [any ConsumerRight] = []
    for part in try requireParts() { rights.append(try part.history.own(consumer)) }
    return HeldRights(rights)
  }

  package func acknowledge(
    _ acknowledgments: [HistoryAcknowledgment]
  ) throws(PersistenceError) {
    for (history, own) in try divided(acknowledgments) { try history.acknowledge(own) }
  }

  package func check(_ acknowledgments: [HistoryAcknowledgment]) throws(PersistenceError) {
    for (history, own) in try divided(acknowledgments) { try history.check(own) }
  }

  /// The acknowledgments of each store that has some.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for one of another store.
  private func divided(
    _ acknowledgments: [HistoryAcknowledgment]
  ) throws(PersistenceError) -> [(history: any StoreHistory, own: [HistoryAcknowledgment])] {
    var divided: [(any StoreHistory, [HistoryAcknowledgment])] = []
    for store in Set(acknowledgments.flatMap { $0.new.places.map(\.store) }).sorted(by: {
      $0.uuidString < $1.uuidString
    }) {
      let own = acknowledgments.compactMap { $0.part(in: store) }
      if !own.isEmpty { divided.append((try history(of: store), own)) }
    }
    return divided
  }

  package func forget(_ consumer: String) throws(PersistenceError) {
    var (isKnown, refusal): (Bool, PersistenceError?) = (false, nil)
    for part in try requireParts() {
      do throws(PersistenceError) {
        try part.history.forget(consumer)
        isKnown = true
      } catch {
        guard error.code == .consumerUnknown else { throw error }
        refusal = error
      }
    }
    if !isKnown, let refusal { throw refusal }
  }
}

/// What several stores have given to hold.
private final class HeldParts: Sendable {
  private let parts: [any Sendable & AnyObject]

  init(_ parts: [any Sendable & AnyObject]) { self.parts = parts }
}

/// The rights in several stores.
private final class HeldRights: ConsumerRight {
  private let rights: [any ConsumerRight]

  init(_ rights: [any ConsumerRight]) { self.rights = rights }

  func renew() throws(PersistenceError) {
    for right in rights { try right.renew() }
  }
}

/// Puts what comes next in several histories in one order: by time, and by number within a store.
private struct HistoryMerge {
  private var token: HistoryToken
  private var gaps: [HistoryGap] = []
  private var saves: [ArraySlice<HistoryTransaction>] = []

  init(_ heads: [HistoryElement], at token: HistoryToken) {
    self.token = token
    for head in heads {
      switch head {
      case .saves(let saves): self.saves.append(saves[...])
      case .missed(let gap): gaps.append(gap)
      case .migrated(let migration): saves.append([migration])
      }
    }
  }

  /// What comes first; saves up to the last one that is known of some store.
  mutating func next() -> HistoryElement? {
    // When the saves of a gap were made is not known.
    if let gap = gaps.first { return .missed(gap.with(token.moved(to: gap.token))) }
    var merged: [HistoryTransaction] = []
    while let index = nextIndex(after: merged.last), let save = saves[index].first {
      guard save.kind != .migration else {
        return merged.isEmpty ? .migrated(moved(past: save)) : .saves(merged)
      }
      merged.append(moved(past: save))
      saves[index].removeFirst()
      if saves[index].isEmpty { break }
    }
    return merged.isEmpty ? nil : .saves(merged)
  }

  /// The history that has the next save: the parts of a large one stay together.
  private func nextIndex(after last: HistoryTransaction?) -> Int? {
    if let last, last.isContinued {
      return saves.firstIndex { $0.first?.place.store == last.place.store }
    }
    return saves.indices.min { a, b in
      guard let first = saves[a].first, let second = saves[b].first else { return false }
      return first.date < second.date
    }
  }

  private mutating func moved(past save: HistoryTransaction) -> HistoryTransaction {
    token = token.moved(to: save.token)
    return save.with(token)
  }
}
