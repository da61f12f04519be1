#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowPlatform
  package import OxbowStore

  /// A store whose reads are those of a replica, for one context.
  ///
  /// What is saved, and what leads to a save, is the primary server's.
  final class ReplicaStore: PersistentStore {
    let readPlace: ReadPlace
    private let primary: PostgresStore
    private let replica: Replica

    /// Whether the last save met what others had saved: merging has to see it.
    private let hasConflict = Lock(false)

    init(_ primary: PostgresStore, _ replica: Replica, _ readPlace: ReadPlace) {
      (self.primary, self.replica, self.readPlace) = (primary, replica, readPlace)
    }

    /// What only the primary server can say, or is asked.
    private static let ofReplica: Set<PersistenceError.Code> = [
      .storeUnreachable, .storeLocked, .storeWasMigrated, .storeClosed,
    ]

    private func read<R>(
      _ body: (PostgresStore) throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      guard !hasConflict.withLock({ $0 }), let store = try replica.store(of: primary) else {
        return try body(primary)
      }
      do throws(PersistenceError) { return try read(from: store, body) } catch {
        guard Self.ofReplica.contains(error.code) else { throw error }
        if error.code == .storeUnreachable { replica.pause(after: error) }
        return try body(primary)
      }
    }

    private func read<R>(
      from store: PostgresStore, _ body: (PostgresStore) throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      guard readPlace == .replicaAfterOwnSaves else { return try body(store) }
      let position: LogPosition?
      do { position = try replica.position(behind: primary) } catch {
        throw PersistenceError(error, "reading", primary.place)
      }
      return try LogPosition.$awaited.withValue(position) { () -> Result<R, PersistenceError> in
        do throws(PersistenceError) { return .success(try body(store)) } catch {
          return .failure(error)
        }
      }.get()
    }

    private func write<R>(
      _ body: () throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      do throws(PersistenceError) {
        let result = try body()
        hasConflict.withLock { $0 = false }
        return result
      } catch {
        hasConflict.withLock { $0 = true }
        throw error
      }
    }
  }

  // MARK: - The replica's

  extension ReplicaStore {
    func rows(
      of fetch: StoreFetch, unless known: RowFilter?
    ) throws(PersistenceError) -> [RowSlab] {
      try read { store throws(PersistenceError) in try store.rows(of: fetch, unless: known) }
    }

    func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
      try read { store throws(PersistenceError) in try store.count(of: fetch) }
    }

    func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
      try read { store throws(PersistenceError) in try store.keys(of: fetch) }
    }

    func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
      try read { store throws(PersistenceError) in try store.places(of: fetch) }
    }

    func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
      try read { store throws(PersistenceError) in try store.rows(of: query) }
    }

    func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
      try read { store throws(PersistenceError) in try store.rows(of: entity, keys: keys) }
    }

    func rows(
      related relationship: RelationshipID, to owners: [Int64]
    ) throws(PersistenceError) -> RelatedRows {
      try read { store throws(PersistenceError) in
        try store.rows(related: relationship, to: owners)
      }
    }

    func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] {
      try read { store throws(PersistenceError) in try store.rows(of: sql) }
    }

    func rows(of entity: Int, keysFrom sql: SQLText) throws(PersistenceError) -> KeyedRows {
      try read { store throws(PersistenceError) in try store.rows(of: entity, keysFrom: sql) }
    }
  }

  // MARK: - The primary server's

  extension ReplicaStore {
    var identifier: UUID { primary.identifier }
    var model: CompiledModel { primary.model }
    var statistics: StoreStatistics { primary.statistics }
    var isReadOnly: Bool { primary.isReadOnly }
    var commitsFirst: Bool { primary.commitsFirst }
    var workThreads: Int { primary.workThreads }
    var followedHistories: [any StoreHistory] { primary.followedHistories }

    func appliesIncrements(to entity: Int) -> Bool { primary.appliesIncrements(to: entity) }

    func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
      try primary.check(query)
    }

    func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
      try primary.reserveKeys(root: root, count: count)
    }

    func save(
      _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
    ) throws(PersistenceError) -> SaveResult {
      try write { () throws(PersistenceError) in
        try primary.save(changes, beforeCommit: beforeCommit)
      }
    }

    func save(_ changes: ChangeSet) throws(PersistenceError) -> SaveResult {
      try write { () throws(PersistenceError) in try primary.save(changes) }
    }

    func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows {
      try write { () throws(PersistenceError) in try primary.update(update) }
    }

    func metadata(
      _ key: String, _ type: AttributeType
    ) throws(PersistenceError) -> AttributeValue? { try primary.metadata(key, type) }

    func metadatum(
      _ value: AttributeValue, _ key: String, as type: AttributeType
    ) throws(PersistenceError) -> AttributeValue { try primary.metadatum(value, key, as: type) }

    func metadataKeys() throws(PersistenceError) -> [String] { try primary.metadataKeys() }

    func requireHistory() throws(PersistenceError) -> any StoreHistory {
      try primary.requireHistory()
    }

    func reading(at place: ReadPlace) -> any PersistentStore { primary.reading(at: place) }

    func close() { primary.close() }
  }

  extension PostgresStore {
    package func reading(at place: ReadPlace) -> any PersistentStore {
      guard let replica, place != .primary else { return self }
      return ReplicaStore(self, replica, place)
    }
  }
#endif
