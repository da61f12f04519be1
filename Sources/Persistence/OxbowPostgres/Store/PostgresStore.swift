#if PostgreSQL
  package import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational
  package import OxbowStore

  /// A store in a schema of a PostgreSQL server.
  ///
  /// Calls block: each has a connection of a pool to itself. The server finds rows, and what it
  /// cannot say as every store does is decided in memory (`Reading/`); a save is one round trip, at
  /// whose end the server itself has compared versions (`Writing/`).
  package final class PostgresStore: PersistentStore {
    package let identifier: UUID
    package let model: CompiledModel
    package let isReadOnly: Bool
    package let workThreads: Int

    /// Its commit is likelier to fail than a file's.
    package var commitsFirst: Bool { true }

    /// Whether a read of one statement needs a transaction, as one without would have its moment
    /// before it waits for a migration: the role or the database has set another isolation.
    let beginsReads: Bool

    /// Whether many rows are copied into their table: not where policies look at each of them.
    var copiesRows: Bool { hasPolicies.withLock { !$0 } }
    let hasPolicies = Lock(false)

    /// The server, the database and the schema, for messages.
    package let place: String

    let options: PostgresStoreOptions
    let pool: ConnectionPool

    /// The views of this store, and the one that a view reads.
    let views: PinnedReaders<MomentConnection>
    let view: PinnedReader<MomentConnection>?
    let names: ServerNames
    let mapping: StoreMapping
    let modelHash: String

    /// The same model in SQLite's tables: its generators know which questions a store answers.
    let examiner: QuestionExaminer

    /// The replicas that contexts may read from; `nil` if there are none.
    let replica: Replica?

    /// The shapes of rows that were asked for (``shape(_:_:)``).
    let shapes = Lock<[Int: ServerShape]>([:])

    /// What the history of the store notes; `nil` as far as this opening knows of none.
    let history: Lock<HistoryPlan?>

    /// What the rows of the history know this opening by.
    let historySession = UUID()
    let historyUpkeep = HistoryUpkeep()

    let listener: SaveListener
    let notifier: SaveNotifier

    /// The entities of this model by the numbers that the store keeps.
    let numbers: [Int64: Int]

    /// Opens a store, creating it when there is none and the options allow it.
    ///
    /// - Throws: ``PersistenceError`` as the initializer of `PersistentStoreCoordinator`.
    package init(
      _ model: CompiledModel, at location: PostgresLocation, options: PostgresStoreOptions = .init()
    ) throws(PersistenceError) {
      var address = ServerAddress(
        text: location.connection, connectSeconds: options.connectSeconds)
      address.needsPrimary = !options.isReadOnly
      try address.require(location.schema)
      place = "\(address.description) \(location.schema)"
      self.options = options
      self.model = model
      names = ServerNames(schema: location.schema)
      pool = ConnectionPool(address, options)
      (views, view) = (PinnedReaders(place, limit: options.maximumPinnedViews), nil)
      workThreads = max(1, options.connections)
      let opened: OpenedStore
      do {
        opened = try pool.withConnection { [names, place] connection in
          try StoreOpening(
            model: model, location: location, options: options,
            session: StoreSession(connection: connection, names: names, path: place)
          ).open()
        }
        if options.followsOtherProcesses, opened.history == nil {
          throw PersistenceError.nothingToFollow(place)
        }
      } catch {
        pool.close()
        throw PersistenceError(error, "opening", place)
      }
      (identifier, mapping, modelHash) = (opened.identifier, opened.mapping, model.versionHash)
      isReadOnly = options.isReadOnly || opened.isReplica
      beginsReads = opened.beginsReads
      history = Lock(opened.history)
      let channel = quoted("oxbow \(identifier.uuidString)")
      notifier = SaveNotifier(pool, channel: channel)
      listener = SaveListener(
        pool, channel: channel,
        look: HistoryStatements(names)
          .givingNumbers(!isReadOnly, waitMilliseconds: options.waitMilliseconds)
          + [HistoryStatements(names).state])
      numbers = Dictionary(
        mapping.entities.map { ($0.number, $0.entity) }, uniquingKeysWith: { first, _ in first })
      examiner = QuestionExaminer(model, identifier)
      replica = options.replica.map { Replica($0, location.schema, options) }
    }

    /// The same store at the moment that `view` reads.
    init(_ store: PostgresStore, through view: PinnedReader<MomentConnection>) {
      (identifier, model, workThreads) = (store.identifier, store.model, store.workThreads)
      (isReadOnly, beginsReads) = (true, false)
      (place, options, pool, names) = (store.place, store.options, store.pool, store.names)
      (views, self.view) = (store.views, view)
      (mapping, modelHash, examiner) = (store.mapping, store.modelHash, store.examiner)
      (replica, numbers) = (nil, store.numbers)
      history = Lock(store.history.withLock { $0 })
      (listener, notifier) = (store.listener, store.notifier)
    }

    deinit { close() }

    package func close() {
      if let view { return views.release(view) }
      views.close()
      replica?.close()
      pool.close()
      notifier.end()
      listener.end()
    }

    package var statistics: StoreStatistics {
      let counts = pool.counts
      var statistics = StoreStatistics()
      statistics.statements = counts.statements
      statistics.rowsRead = counts.rows
      statistics.saves = counts.saves
      statistics.commits = counts.saves
      return statistics
    }

    /// How many round trips all connections have made.
    package var roundTrips: Int { pool.counts.roundTrips }

    package func appliesIncrements(to entity: Int) -> Bool { true }
  }

  extension PostgresStore {
    func root(_ entity: Int) -> Int { mapping.entities[entity].root }

    func id(_ reference: ObjectReference) -> ManagedObjectID {
      ManagedObjectID(
        store: identifier, rootEntityName: model.entities[root(reference.entity)].name,
        entityName: model.entities[reference.entity].name, key: reference.key)
    }

    func requireWritable() throws(PersistenceError) {
      guard isReadOnly else { return }
      if view != nil { throw .writesThroughView(place) }
      throw PersistenceError(
        .storeReadOnly,
        "the store '\(place)' cannot be changed: it was opened read-only, or its server is a "
          + "replica; nothing was saved")
    }

    /// Says that the model of the store has changed since it was opened.
    var migrated: PersistenceError {
      PersistenceError(
        .storeWasMigrated,
        "the model of the store '\(place)' has changed since this program opened it; nothing was "
          + "changed: open the store again, with its present model")
    }
  }
#endif
