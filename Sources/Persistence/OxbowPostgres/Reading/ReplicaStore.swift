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

    /// What has to be seen by reads, whatever the replica has.
    private struct Floor {
      /// Whether the last save met what others have saved, or its outcome is unknown: merging has
      /// to see it, and it may not have reached the replica.
      var hasFailed = false

      /// Whether the primary server was read since the place was asked for: what is read next must
      /// not be older.
      var isRaised = false
      var position: LogPosition?
    }

    private let floor = Lock(Floor())

    init(_ primary: PostgresStore, _ replica: Replica, _ readPlace: ReadPlace) {
      (self.primary, self.replica, self.readPlace) = (primary, replica, readPlace)
    }

    /// The errors of a replica after which the primary server is read.
    private static let ofReplica: Set<PersistenceError.Code> = [
      .storeUnreachable, .storeLocked, .storeWasMigrated, .storeClosed,
    ]

    private func read<R>(
      _ body: (PostgresStore) throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      guard !floor.withLock({ $0.hasFailed }), let store = try replica.store(of: primary) else {
        return try readPrimary(body)
      }
      let position = try position()
      do throws(PersistenceError) { return try read(from: store, behind: position, body) } catch {
        guard Self.ofReplica.contains(error.code), !error.isOfLongStatement else { throw error }
        if error.code == .storeUnreachable { replica.pause(after: error) }
        return try readPrimary(body)
      }
    }

    private func readPrimary<R>(
      _ body: (PostgresStore) throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      let result = try body(primary)
      floor.withLock { $0.isRaised = true }
      return result
    }

    private func read<R>(
      from store: PostgresStore, behind position: LogPosition?,
      _ body: (PostgresStore) throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      try LogPosition.$awaited.withValue(position) { () -> Result<R, PersistenceError> in
        do throws(PersistenceError) { return .success(try body(store)) } catch {
          return .failure(error)
        }
      }.get()
    }

    /// The place that the replica has to have reached: behind what was read from the primary server
    /// through this context, and behind own saves, if these are asked for.
    private func position() throws(PersistenceError) -> LogPosition? {
      do {
        let isRaised = floor.withLock { $0.isRaised }
        if isRaised {
          floor.withLock { $0.isRaised = false }
          let position = try raised()
          floor.withLock { $0.position = position ?? $0.position }
        }
        let known = floor.withLock { $0.position }
        guard readPlace == .replicaAfterOwnSaves else { return known }
        return LogPosition.later(known, try replica.position(behind: primary))
      } catch { throw PersistenceError(error, "reading", primary.place) }
    }

    /// The end of the primary server's log, which a reader of the replica as it is goes without
    /// while that server is away.
    private func raised() throws -> LogPosition? {
      do { return try Replica.end(of: primary) } catch {
        guard readPlace != .replica else { return nil }
        floor.withLock { $0.isRaised = true }
        throw error
      }
    }

    private func write<R>(
      _ body: () throws(PersistenceError) -> R
    ) throws(PersistenceError) -> R {
      do throws(PersistenceError) {
        let result = try body()
        floor.withLock { $0.hasFailed = false }
        return result
      } catch {
        let codes: [PersistenceError.Code] = [.conflict, .uniquenessViolated, .commitUnknown]
        if codes.contains(error.code) { floor.withLock { $0.hasFailed = true } }
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

    /// What is read of the primary server is not followed by anything older here.
    func reading(at place: ReadPlace) -> any PersistentStore {
      if place == .primary { floor.withLock { $0.isRaised = true } }
      return primary.reading(at: place)
    }

    func close() { primary.close() }
  }

  extension PostgresStore {
    package func reading(at place: ReadPlace) -> any PersistentStore {
      guard let replica, place != .primary else { return self }
      return ReplicaStore(self, replica, place)
    }
  }
#endif
