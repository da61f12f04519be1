package import OxbowFoundation
package import OxbowModel

/// Several stores as one: each entity is in one of them, and each request goes to its store.
///
/// A save prepares all stores before it commits the first one (decision 0215).
package final class CombinedStore: PersistentStore {
  package let model: CompiledModel

  /// The stores, in the order of their identifiers: every coordinator locks them in this order.
  ///
  /// The last ones commit first; stores that must commit first belong to one coordinator only.
  let stores: [any PersistentStore]

  /// The index of the store of each entity.
  private let places: [Int]

  /// The index of the store that keeps the program's values.
  private let home: Int

  /// Creates a store of parts that have each entity of the model once.
  ///
  /// The part `main` keeps the program's values, if it can be written; otherwise, the first one
  /// that can does.
  package init(
    _ parts: [(store: any PersistentStore, entities: Set<Int>)], _ model: CompiledModel,
    main: Int? = nil
  ) {
    let candidates = (main.map { [parts[$0].store] } ?? []) + parts.map(\.store)
    let main = (candidates.first { !$0.isReadOnly } ?? candidates.first)?.identifier
    let parts = parts.sorted { a, b in
      guard a.store.commitsFirst == b.store.commitsFirst else { return b.store.commitsFirst }
      return a.store.identifier.uuidString < b.store.identifier.uuidString
    }
    self.model = model
    stores = parts.map(\.store)
    home = stores.firstIndex { $0.identifier == main } ?? 0
    places = model.entities.indices.map { entity in
      parts.firstIndex { $0.entities.contains(entity) } ?? 0
    }
  }

  /// The stores that `replace` gives for those of another one.
  private init(
    _ other: CombinedStore,
    _ replace: (any PersistentStore) throws(PersistenceError) -> any PersistentStore
  ) throws(PersistenceError) {
    (model, places, home) = (other.model, other.places, other.home)
    var stores: [any PersistentStore] = []
    do throws(PersistenceError) {
      for store in other.stores { stores.append(try replace(store)) }
    } catch {
      for store in stores { store.close() }
      throw error
    }
    self.stores = stores
  }

  /// A moment of each store, not the same one: no relationship leads from one to another.
  package func snapshot(
    _ limits: PinnedViewLimits
  ) throws(PersistenceError) -> any PersistentStore {
    try CombinedStore(self) { store throws(PersistenceError) in try store.snapshot(limits) }
  }

  package var identifier: UUID { stores[0].identifier }

  package func identifier(of entity: Int) -> UUID { store(entity).identifier }

  package var statistics: StoreStatistics {
    stores.reduce(StoreStatistics()) { $0 + $1.statistics }
  }

  /// Whether all stores refuse to be changed; one that does refuses the changes of its entities.
  package var isReadOnly: Bool { stores.allSatisfy(\.isReadOnly) }

  package var workThreads: Int { stores.map(\.workThreads).max() ?? 1 }

  private func store(_ entity: Int) -> any PersistentStore { stores[places[entity]] }

  package func appliesIncrements(to entity: Int) -> Bool {
    store(entity).appliesIncrements(to: entity)
  }

  package func conditions() throws(PersistenceError) -> [StoreCondition] {
    var all: [StoreCondition] = []
    for store in stores { all += try store.conditions() }
    return all
  }

  package func close() { for store in stores { store.close() } }
}

// MARK: - Reading

extension CombinedStore {
  package func rows(
    of fetch: StoreFetch, unless known: RowFilter?
  ) throws(PersistenceError) -> [RowSlab] {
    try store(fetch.entity).rows(of: fetch, unless: known)
  }

  package func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
    try store(fetch.entity).count(of: fetch)
  }

  package func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    try store(fetch.entity).keys(of: fetch)
  }

  package func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    try store(fetch.entity).places(of: fetch)
  }

  package func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    try store(query.entity).rows(of: query)
  }

  package func wordStatistics(
    of search: RankedSearch, in entity: Int
  ) throws(PersistenceError) -> WordStatistics {
    try store(entity).wordStatistics(of: search, in: entity)
  }

  package func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
    try store(query.entity).check(query)
  }

  package func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
    try store(entity).rows(of: entity, keys: keys)
  }

  package func rows(
    related relationship: RelationshipID, to owners: [Int64]
  ) throws(PersistenceError) -> RelatedRows {
    try store(relationship.entity).rows(related: relationship, to: owners)
  }

  package func rows(
    of entity: Int, keysFrom sql: SQLText
  ) throws(PersistenceError) -> KeyedRows {
    try store(entity).rows(of: entity, keysFrom: sql)
  }

  package func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] {
    let names = sql.entityNames
    let places = Set(names.compactMap { model.entity(named: $0).map { self.places[$0.index] } })
    guard places.count == 1, let place = places.first else {
      throw PersistenceError(
        .invalidSQL,
        names.isEmpty
          ? "the statement '\(sql)' names no entity, and there are several stores; name the entity "
            + "that it reads, as in \"FROM \\(Book.self)\""
          : "the statement '\(sql)' names \(PersistenceError.listed(names)), which are not in one "
            + "store; read each store with a statement of its own")
    }
    return try stores[place].rows(of: sql)
  }

  package func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    if let value = try stores[home].metadata(key, type) { return value }
    // Another one kept it while the stores were others, or described in another order.
    for place in stores.indices where place != home {
      if let value = try stores[place].metadata(key, type) { return value }
    }
    return nil
  }

  package func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue {
    try stores[home].metadatum(value, key, as: type)
  }

  package func metadataKeys() throws(PersistenceError) -> [String] {
    var keys: Set<String> = []
    for store in stores { keys.formUnion(try store.metadataKeys()) }
    return keys.sorted()
  }

  package var keepsReservedKeys: Bool { stores.allSatisfy(\.keepsReservedKeys) }

  package func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
    try store(root).reserveKeys(root: root, count: count)
  }
}

// MARK: - Saving

extension CombinedStore {
  package func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows {
    try store(update.fetch.entity).update(update)
  }

  @discardableResult
  package func save(
    _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    try acknowledging(changes) { parts throws(PersistenceError) in
      try save(parts, beforeCommit)
    }
  }

  @discardableResult
  package func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult {
    try acknowledging(changes) { parts throws(PersistenceError) in
      guard parts.count == 1 else { return try save(parts) {} }
      return try stores[parts[0].place].save(parts[0].changes)
    }
  }

  /// The changes of one store, by its index.
  private typealias Part = (place: Int, changes: ChangeSet)

  private func save(
    _ parts: [Part], _ beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    var saved = SavedParts()
    do throws(PersistenceError) {
      try save(parts[...], &saved, beforeCommit)
    } catch {
      guard !saved.places.isEmpty else { throw error }
      throw partlySaved(saved.places, error)
    }
    return saved.result
  }

  /// Saves the parts of changes with `save`, and acknowledges what consumers have seen: in the
  /// store that is changed, if it is the only one, with its changes; in the others after the last
  /// commit, because an effect that is made again does less harm than one that is lost.
  private func acknowledging(
    _ changes: ChangeSet, _ save: ([Part]) throws(PersistenceError) -> SaveResult
  ) throws(PersistenceError) -> SaveResult {
    var parts = try split(changes)
    var later = changes.acknowledgments
    if parts.count == 1 {
      let store = stores[parts[0].place].identifier
      parts[0].changes.acknowledgments = later.compactMap { $0.part(in: store) }
      later = later.compactMap { $0.without(store) }
    }
    if !later.isEmpty { try check(later) }
    let result = try save(parts)
    // Once anything is saved, a batch that cannot be acknowledged comes again.
    do throws(PersistenceError) { try acknowledge(later) } catch {
      if parts.isEmpty { throw error }
    }
    return result
  }

  /// The results of the stores that have committed.
  private struct SavedParts {
    var result = SaveResult()
    var places: [Int] = []
  }

  /// Saves the first part, and all others before it commits: the last store is the first to commit.
  private func save(
    _ parts: ArraySlice<Part>, _ saved: inout SavedParts,
    _ beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    guard let part = parts.first else {
      try beforeCommit()
      return
    }
    var inner = saved
    // Kept outside, because a commit that fails discards the result of the closure.
    defer { saved.places = inner.places }
    let result = try stores[part.place].save(part.changes) { () throws(PersistenceError) in
      try save(parts.dropFirst(), &inner, beforeCommit)
    }
    inner.places.append(part.place)
    inner.result.derived += result.derived
    inner.result.found += result.found
    inner.result.raised += result.raised
    inner.result.historyToken =
      result.historyToken.map { inner.result.historyToken?.moved(to: $0) ?? $0 }
      ?? inner.result.historyToken
    saved.result = inner.result
  }

  /// The changes of each store that has some.
  private func split(_ changes: ChangeSet) throws(PersistenceError) -> [Part] {
    var parts = [ChangeSet](repeating: ChangeSet(), count: stores.count)
    for item in changes.inserts { parts[places[item.entity]].insert(item) }
    for item in changes.updates { parts[places[item.entity]].updates.append(item) }
    for item in changes.deletes { parts[places[item.entity]].deletes.append(item) }
    for item in changes.unlinks { parts[places[item.relationship.entity]].unlinks.append(item) }
    for item in changes.links { parts[places[item.relationship.entity]].links.append(item) }
    for item in changes.placements {
      parts[places[item.relationship.entity]].placements.append(item)
    }
    parts[home].metadata = changes.metadata
    for item in changes.metadata where item.value == nil {
      for place in stores.indices where place != home {
        let keys = try stores[place].metadataKeys()
        if keys.contains(item.key) { parts[place].metadata.append(item) }
      }
    }
    for index in parts.indices {
      parts[index].announcement = changes.announcement
      (parts[index].author, parts[index].contextName) = (changes.author, changes.contextName)
    }
    return parts.indices.filter { !parts[$0].isEmpty }.map { ($0, parts[$0]) }
  }

  private func partlySaved(_ saved: [Int], _ error: PersistenceError) -> PersistenceError {
    func entities(_ isSaved: Bool) -> String {
      let names = model.entities.filter { saved.contains(places[$0.index]) == isSaved }
      return PersistenceError.listed(names.map(\.name))
    }
    return PersistenceError(
      .partlySaved,
      "the stores were all ready to commit, and one failed after another had committed: the changes "
        + "of \(entities(true)) are saved, those of \(entities(false)) are not, and the context "
        + "still has all of them; find out what was wrong with the store, roll back, and make the "
        + "changes again that are not there",
      details: [.init(label: "store", text: error.message)] + error.details,
      objectIDs: error.objectIDs)
  }
}
